package stats

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var ctx = context.Background()

func walked(t *testing.T, fsys brokenfs.FS) *index.Tree {
	t.Helper()
	tree, err := index.Walk(ctx, fsys, "test", nil)
	require.NoError(t, err)
	return tree
}

func TestParallelEqualsSequentialAtAnyWorkersAndBatch(t *testing.T) {
	for _, n := range []int{0, 1, 2, 17, 300} {
		tree := walked(t, brokenfs.Forest(n))
		done := new(atomic.Int64)
		for _, top := range []int{0, 1, 7} {
			want, err := Sequential(ctx, tree, top, done)
			require.NoError(t, err)
			require.EqualValues(t, len(tree.Files), done.Swap(0))
			for _, workers := range []int{1, 2, 8} {
				for _, batch := range []int{0, 1, 5, 1000} {
					got, err := Parallel(ctx, tree, top, done, parallelfor.Workers(workers), parallelfor.Batch(batch))
					require.NoError(t, err)
					require.NoError(t, Same(want, got), "files %d workers %d batch %d top %d", n, workers, batch, top)
					require.EqualValues(t, len(tree.Files), done.Swap(0))
				}
			}
		}
	}
}

func TestWhatIsSaidOfAText(t *testing.T) {
	for text, want := range map[string]Facts{
		"":               {},
		"\n":             {Bytes: 1, Lines: 1, Blank: 1, At: 1},
		"a":              {Bytes: 1, Lines: 1, Names: 1, Longest: 1, At: 1},
		"\n \t\r\na b\n": {Bytes: 9, Lines: 3, Blank: 2, Names: 2, Longest: 3, At: 2},
		"ab a\na ab\n":   {Bytes: 10, Lines: 2, Names: 4, Longest: 4, At: 1},
		"a\x00b\n":       {Bytes: 4, Binary: true},
	} {
		assert.Equal(t, want, look([]byte(text), func([]byte) {}), "%q", text)
	}
}

func TestSumsAreThoseOfTheFiles(t *testing.T) {
	tree := walked(t, brokenfs.FS{MapFS: fstest.MapFS{
		"a":      {Data: []byte("one two\nlongest line\n")},
		"b.bin":  {Data: []byte("one\x00")},
		"c":      {Data: []byte("two one two\n\nlongest line")},
		"d":      {},
		"noread": {Data: []byte("one two three")},
	}})
	r, err := Parallel(ctx, tree, 2, new(atomic.Int64), parallelfor.Workers(2))
	require.NoError(t, err)
	assert.Equal(t, Total{
		Facts: Facts{Bytes: 50, Lines: 5, Blank: 1, Names: 9, Longest: 12, At: 2},
		Files: 5, Unreadable: 1, Binaries: 1, Empty: 1, Where: 0,
	}, r.Total)
	assert.Equal(t, []Name{{"one", Use{2, 2}}, {"two", Use{3, 2}}, {"longest", Use{2, 2}}, {"line", Use{2, 2}}}, r.Names)
	assert.Equal(t, []int{2, 0}, r.Largest)
	assert.Equal(t, []Name{{"two", Use{3, 2}}, {"line", Use{2, 2}}}, r.Frequent)
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	assert.Equal(t, `        files   5  1 empty, 1 binary, 1 unreadable
        bytes  50  in those that could be read
        lines   5  of texts, 1 blank; the longest has 12 bytes, a:2
  identifiers   9  4 different

  bytes  lines  largest files
     25      3  c
     21      2  a

  times  files  most frequent identifiers
      3      2  two
      2      2  line
`, b.String())
}

func TestAnyDifferenceIsFound(t *testing.T) {
	tree := walked(t, brokenfs.Forest(20))
	made := func() *Result {
		r, err := Sequential(ctx, tree, 3, new(atomic.Int64))
		require.NoError(t, err)
		return r
	}
	require.NoError(t, Same(made(), made()))
	for what, change := range map[string]func(*Result){
		"0: {":        func(r *Result) { r.Files[4].Lines++ },
		"error":       func(r *Result) { r.Errs[2] = errors.New("other") },
		"identifier ": func(r *Result) { r.Names[1], r.Names[2] = r.Names[2], r.Names[1] },
		"identifiers": func(r *Result) { r.Names = r.Names[1:1] },
		"in total":    func(r *Result) { r.Total.Bytes++ },
		"largest":     func(r *Result) { r.Largest = r.Largest[1:] },
		"frequent":    func(r *Result) { r.Frequent[0].Times++ },
	} {
		r := made()
		change(r)
		err := Same(made(), r)
		require.Error(t, err, what)
		if what != "0: {" {
			assert.Contains(t, err.Error(), what)
		}
	}
}

func TestBothLoopsEndWithTheContext(t *testing.T) {
	over, cancel := context.WithCancelCause(ctx)
	cause := errors.New("enough")
	cancel(cause)
	tree := walked(t, brokenfs.Forest(30))
	_, err := Parallel(over, tree, 1, new(atomic.Int64), parallelfor.Workers(3))
	assert.ErrorIs(t, err, cause)
	_, err = Sequential(over, tree, 1, new(atomic.Int64))
	assert.ErrorIs(t, err, cause)
}
