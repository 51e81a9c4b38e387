package words

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/examples/codeindex/internal/grep"
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

// made returns the index of each loop.
func made(t *testing.T, tree *index.Tree, opts ...parallelfor.Option) (plain, parallel *Index) {
	t.Helper()
	plain, err := Sequential(ctx, tree, new(atomic.Int64))
	require.NoError(t, err)
	parallel, err = Parallel(ctx, tree, new(atomic.Int64), opts...)
	require.NoError(t, err)
	return plain, parallel
}

func TestParallelEqualsSequentialAtAnyWorkersAndBatch(t *testing.T) {
	for _, n := range []int{0, 1, 2, 17, 300} {
		tree := walked(t, brokenfs.Forest(n))
		done := new(atomic.Int64)
		want, err := Sequential(ctx, tree, done)
		require.NoError(t, err)
		require.EqualValues(t, len(tree.Files), done.Swap(0))
		for _, workers := range []int{1, 2, 3, 8} {
			for _, batch := range []int{0, 1, 5, 1000} {
				got, err := Parallel(ctx, tree, done, parallelfor.Workers(workers), parallelfor.Batch(batch))
				require.NoError(t, err)
				require.NoError(t, Same(want, got), "files %d workers %d batch %d", n, workers, batch)
				require.EqualValues(t, len(tree.Files), done.Swap(0))
			}
		}
		for _, stretch := range []int{1, 7, 100} {
			got, err := parallel(ctx, tree, done, stretch, []parallelfor.Option{parallelfor.Workers(3)})
			require.NoError(t, err)
			require.NoError(t, Same(want, got), "files %d in stretches of %d", n, stretch)
		}
		got, err := Parallel(ctx, tree, done, parallelfor.Sequential())
		require.NoError(t, err)
		require.NoError(t, Same(want, got))
	}
}

// lookedFor is what looking at every line of every file finds.
func lookedFor(tree *index.Tree, fsys brokenfs.FS, q Query) (found []Posting) {
	for i, f := range tree.Files {
		text := string(fsys.MapFS[f.Path].Data)
		if strings.Contains(f.Path, ".no") || strings.Contains(text, "\x00") {
			continue
		}
		for l, line := range strings.Split(text, "\n") {
			words := strings.Fields(line)
			all := true
			for _, t := range q {
				all = all && slices.ContainsFunc(words, func(w string) bool { return w == t.Name || t.Prefix && strings.HasPrefix(w, t.Name) })
			}
			if all {
				found = append(found, Posting{int32(i), int32(l + 1)})
			}
		}
	}
	return found
}

func TestFindFindsTheLinesThatHaveAll(t *testing.T) {
	fsys := brokenfs.Forest(200)
	tree := walked(t, fsys)
	plain, parallel := made(t, tree, parallelfor.Workers(4))
	for _, text := range []string{"w0", "w399", "w1 w2", "w2 w1", "w1 w1", "w1*", "w1* w2", "w2 w1*", "w*", "w1* w2* w3*", "w1 w2 w3 w4", "missing", "w0 missing", "missing*", "W0"} {
		q, err := ParseQuery(text)
		require.NoError(t, err)
		want := lookedFor(tree, fsys, q)
		assert.Equal(t, len(want), len(plain.Find(q)), text)
		assert.True(t, slices.Equal(want, plain.Find(q)), text)
		assert.True(t, slices.Equal(want, parallel.Find(q)), text)
	}
	assert.NoError(t, Same(plain, parallel), "questions change nothing")
}

func TestFrequentAndBeginningLookAtAllIdentifiers(t *testing.T) {
	plain, parallel := made(t, walked(t, brokenfs.Forest(250)))
	counts := map[string]int{}
	for name, lines := range plain.lines.Groups() {
		counts[name] = len(lines)
	}
	for _, n := range []int{0, 1, 7, 1000} {
		list := plain.Frequent(n)
		assert.Equal(t, list, parallel.Frequent(n))
		assert.True(t, slices.IsSortedFunc(list, func(a, b Frequent) int { return b.Lines - a.Lines }))
		for _, f := range list {
			assert.Equal(t, counts[f.Name], f.Lines, f.Name)
		}
		if n == 0 {
			assert.Len(t, list, len(counts))
		}
	}
	for _, prefix := range []string{"", "w", "w3", "w399", "x"} {
		names := plain.lines.beginning(prefix)
		assert.Equal(t, names, parallel.lines.beginning(prefix))
		maps.DeleteFunc(counts, func(name string, _ int) bool { return !strings.HasPrefix(name, prefix) })
		assert.Len(t, names, len(counts), prefix)
	}
	empty, alsoEmpty := made(t, walked(t, brokenfs.Forest(0)))
	for _, x := range []*Index{empty, alsoEmpty} {
		assert.Empty(t, x.Frequent(0))
		assert.Empty(t, x.lines.beginning(""))
		assert.Empty(t, x.Find(Query{{"a", true}}))
	}
}

func TestAnswersAreTheLinesAsTheyStand(t *testing.T) {
	m := brokenfs.FS{MapFS: fstest.MapFS{
		"a.go":        {Data: []byte("one two one\r\n\nx\xff one")},
		"b.bin":       {Data: []byte("one\x00")},
		"c noopen.go": {Data: []byte("one\n")},
		"d noread.go": {Data: []byte("one one one one one\n")},
		"e/nolist/a":  {Data: []byte("one\n")},
		"f.go":        {Data: []byte("one\nz one\n")},
	}}
	plain, parallel := made(t, walked(t, m))
	m.MapFS["f.go"].Data = []byte("one\n")
	for _, x := range []*Index{plain, parallel} {
		var out, errs bytes.Buffer
		p := grep.NewPrinter(&out, &errs, "tree/")
		require.NoError(t, x.PrintUnread(p))
		require.NoError(t, p.End(x.Print(ctx, x.Find(Query{{"one", false}}), p)))
		assert.Equal(t, "tree/a.go:1:one two one\r\ntree/a.go:3:x\xff one\ntree/f.go:1:one\n", out.String())
		assert.Equal(t, "not read: tree/e/nolist: broken\nnot read: tree/c noopen.go: broken\nnot read: tree/d noread.go: broken\n"+
			"not read: tree/f.go: has changed since it was indexed\n", errs.String())
		assert.Equal(t, []int{3, 4}, []int{p.Matches(), p.Unread()})
		assert.Equal(t, "4 identifiers with 7 postings; left away: 1 binary files, 3 that could not be read", x.Summary())
	}
	delete(m.MapFS, "a.go")
	var errs bytes.Buffer
	p := grep.NewPrinter(&errs, &errs, "")
	require.NoError(t, p.End(parallel.Print(ctx, parallel.Find(Query{{"two", false}}), p)))
	assert.Equal(t, "not read: a.go: file does not exist\n", errs.String())
}

func TestAnIdentifierDoesNotKeepItsFileInMemory(t *testing.T) {
	c := collectors.Get().(*collector)
	defer c.release()
	text := []byte("name other name\nname")
	var got []string
	c.collect(0, text, func(name string, at Posting) { got = append(got, fmt.Sprint(name, at.Line)) })
	copy(text, "xxxxxxxxxxxxxxxxxxxxxx")
	assert.Equal(t, []string{"name1", "other1", "name2"}, got)
	assert.Equal(t, "name", c.words[0].text)
}

func TestACancelledContextEndsBothLoopsWithItsCause(t *testing.T) {
	tree := walked(t, brokenfs.Forest(50))
	cause := errors.New("enough")
	over, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	_, err := Sequential(over, tree, new(atomic.Int64))
	require.ErrorIs(t, err, cause)
	_, err = Parallel(over, tree, new(atomic.Int64))
	require.ErrorIs(t, err, cause)
	_, err = Measure(over, tree, index.Plan{Workers: 2, Repeat: 1}, new(atomic.Int64))
	require.ErrorIs(t, err, cause)
	x, _ := made(t, tree)
	p := grep.NewPrinter(new(bytes.Buffer), new(bytes.Buffer), "")
	require.ErrorIs(t, x.Print(over, x.Find(Query{{"w1", false}}), p), cause)
}

func TestSameSaysWhatDiffers(t *testing.T) {
	one := func(text string) *Index {
		x, _ := made(t, walked(t, brokenfs.FS{MapFS: fstest.MapFS{"f": {Data: []byte(text)}}}))
		return x
	}
	want := one("a b a\nb")
	assert.NoError(t, Same(want, one("a b b\nb")))
	for text, says := range map[string]string{
		"a b aa":    "0 binary files and 7 bytes, and 0 and 6",
		"a b b\nc":  "b: 2 lines and 1; number 1 is f:2 and missing",
		"b a a\nb":  "identifier 0: a and b",
		"a b c\nb":  "there are more than 2 identifiers, the next is c",
		"a a a\na":  "a: 1 lines and 2; number 1 is missing and f:2",
		"a . .\n. ": "0 binary files and 7 bytes, and 0 and 8",
		"a . .\n.":  "there are only 1 identifiers, the next is b",
	} {
		assert.EqualError(t, Same(want, one(text)), says)
	}
}
