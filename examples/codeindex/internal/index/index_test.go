package index

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forest is a tree of many files, some of which are broken.
func forest(n int) brokenfs.FS {
	r := rand.New(rand.NewPCG(1, 2))
	exts := []string{".go", ".GO", ".s", "", ".txt", ".noread", ".noopen"}
	m := fstest.MapFS{}
	for range n {
		var name strings.Builder
		for range 1 + r.IntN(3) {
			name.WriteString(string(rune('a'+r.IntN(26))) + "/")
		}
		name.WriteString("f" + string(rune('a'+r.IntN(26))) + exts[r.IntN(len(exts))])
		data := make([]byte, r.IntN(300))
		for i := range data {
			data[i] = "ab \n\x00\tz"[r.IntN(7)]
		}
		m["x"+name.String()] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	return brokenfs.FS{MapFS: m}
}

func walk(t *testing.T, fsys fs.FS, only ...string) *Tree {
	t.Helper()
	tree, err := Walk(context.Background(), fsys, "test", only)
	require.NoError(t, err)
	return tree
}

func TestParallelEqualsSequentialAtAnyWorkersAndBatch(t *testing.T) {
	for _, n := range []int{0, 1, 2, 17, 400} {
		tree := walk(t, forest(n))
		done := new(atomic.Int64)
		want, err := Sequential(context.Background(), tree, done)
		require.NoError(t, err)
		require.NoError(t, Consistent(tree, want))
		require.EqualValues(t, len(tree.Files), done.Swap(0))
		for _, workers := range []int{1, 2, 3, 8} {
			for _, batch := range []int{0, 1, 5, 1000} {
				got, err := Parallel(context.Background(), tree, done, parallelfor.Workers(workers), parallelfor.Batch(batch))
				require.NoError(t, err)
				require.NoError(t, Same(tree, want, got), "files %d workers %d batch %d", n, workers, batch)
				require.NoError(t, Consistent(tree, got))
				require.EqualValues(t, len(tree.Files), done.Swap(0))
			}
		}
		got, err := Parallel(context.Background(), tree, done, parallelfor.Sequential())
		require.NoError(t, err)
		require.NoError(t, Same(tree, want, got))
	}
}

func TestUnreadableFilesAreResultsAndNotFailures(t *testing.T) {
	tree := walk(t, brokenfs.FS{MapFS: fstest.MapFS{
		"a.go":     {Data: []byte("one two\n")},
		"noopen.c": {Data: []byte("not counted\n")},
		"noread.c": {Data: []byte("not counted\n")},
		"z.c":      {Data: []byte("three")},
	}})
	for name, count := range map[string]func() (*Result, error){
		"sequential": func() (*Result, error) { return Sequential(context.Background(), tree, new(atomic.Int64)) },
		"parallel":   func() (*Result, error) { return Parallel(context.Background(), tree, new(atomic.Int64)) },
	} {
		r, err := count()
		require.NoError(t, err, name)
		assert.EqualValues(t, 2, r.Unreadable, name)
		require.ErrorIs(t, r.Errs[1], brokenfs.Err, name)
		require.ErrorIs(t, r.Errs[2], brokenfs.Err, name)
		assert.Equal(t, []error{nil, nil}, []error{r.Errs[0], r.Errs[3]}, name)
		assert.Equal(t, []Tally{{8, 1, 2, 0}, {}, {}, {5, 1, 1, 0}}, r.Tallies, name)
		assert.Equal(t, []string{".go", ".c"}, tree.Exts, name)
		assert.Equal(t, []int64{1, 1}, r.ByExt[Files], name)
		assert.Equal(t, []int64{0, 2}, r.ByExt[Unreadable], name)
		var out bytes.Buffer
		require.NoError(t, WriteProblems(&out, tree, r, 1))
		assert.Equal(t, "not read: open noopen.c: broken\nnot read: 1 more\n", out.String(), name)
	}
}

func TestACancelledContextEndsBothLoopsWithItsCause(t *testing.T) {
	tree := walk(t, forest(50))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	_, err := Sequential(ctx, tree, new(atomic.Int64))
	require.ErrorIs(t, err, cause)
	_, err = Parallel(ctx, tree, new(atomic.Int64))
	require.ErrorIs(t, err, cause)
	_, err = Walk(ctx, tree.FS, "test", nil)
	require.ErrorIs(t, err, cause)
	_, err = Measure(ctx, tree, Plan{Workers: 2, Repeat: 1}, new(atomic.Int64))
	require.ErrorIs(t, err, cause)
}

func TestMeasureRunsWhatThePlanSays(t *testing.T) {
	tree := walk(t, forest(30))
	done := new(atomic.Int64)
	m, err := Measure(context.Background(), tree, Plan{Workers: 3, Batch: 2, Repeat: 2}, done)
	require.NoError(t, err)
	assert.EqualValues(t, 4*len(tree.Files), done.Load())
	assert.Len(t, m.ParallelTimes, 2)
	assert.Same(t, m.Parallel, m.Result())
	assert.Positive(t, m.SpeedUp())
	require.NoError(t, m.Verify(tree))

	m, err = Measure(context.Background(), tree, Plan{Workers: 3, Repeat: 1, SequentialOnly: true}, done)
	require.NoError(t, err)
	assert.Nil(t, m.Parallel)
	assert.Same(t, m.Sequential, m.Result())
	assert.Zero(t, m.SpeedUp())
	var out bytes.Buffer
	require.NoError(t, WriteSpeed(&out, m, 3))
	assert.NotContains(t, out.String(), "parallel")
}
