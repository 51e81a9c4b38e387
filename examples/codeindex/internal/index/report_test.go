package index

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"example.com/custody/examples/codeindex/internal/files"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// embedded returns the small tree of the program, counted.
func embedded(t *testing.T) (*Tree, *Result) {
	t.Helper()
	source, err := files.Embedded()
	require.NoError(t, err)
	tree := walk(t, source.FS)
	r, err := Parallel(context.Background(), tree, new(atomic.Int64))
	require.NoError(t, err)
	return tree, r
}

func TestTableIsSortedByBytesAndAddsUp(t *testing.T) {
	tree, r := embedded(t)
	var out bytes.Buffer
	require.NoError(t, WriteTable(&out, tree, r, 0))
	assert.Equal(t, strings.TrimLeft(`
  extension  files  lines  words  bytes  zero bytes  unreadable   share
       .txt      3     11     21    113           0           0   58.5%
        .md      1      3     13     58           0           0   30.1%
     (none)      2      2      4     15           0           0    7.8%
       .bin      1      1      1      7           3           0    3.6%
      total      7     17     39    193           3           0  100.0%
`, "\n"), out.String())

	out.Reset()
	require.NoError(t, WriteTable(&out, tree, r, 2))
	assert.Contains(t, out.String(), "2 others      3      3      5     22           3           0   11.4%\n")
	assert.NotContains(t, out.String(), ".bin")
}

func TestTableOfNothing(t *testing.T) {
	tree := walk(t, fstest.MapFS{})
	r, err := Parallel(context.Background(), tree, new(atomic.Int64))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, WriteTable(&out, tree, r, 5))
	require.NoError(t, WriteChars(&out, r, 5))
	assert.Contains(t, out.String(), "total      0")
	assert.Contains(t, out.String(), "0 of 256 byte values occur; most often none\n")
}

func TestChars(t *testing.T) {
	r := &Result{}
	r.Chars['a'], r.Chars['\n'], r.Chars[0xff], r.Chars[0] = 5, 2, 2, 1
	var out bytes.Buffer
	require.NoError(t, WriteChars(&out, r, 3))
	assert.Equal(t, "4 of 256 byte values occur; most often 'a' 50.0%, '\\n' 20.0%, 0xff 20.0%\n", out.String())
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -123: "-123", -1234: "-1,234"} {
		assert.Equal(t, want, Grouped(n))
	}
}

func TestSameFindsEveryKindOfDifference(t *testing.T) {
	tree, want := embedded(t)
	require.NoError(t, Same(tree, want, want))
	for name, change := range map[string]func(r *Result){
		"a file":         func(r *Result) { r.Tallies[1].Words++ },
		"an error":       func(r *Result) { r.Errs[0] = errors.New("other") },
		"an extension":   func(r *Result) { r.ByExt[Zeros][0]-- },
		"a byte":         func(r *Result) { r.Chars['x']++ },
		"the unreadable": func(r *Result) { r.Unreadable++ },
		"a length":       func(r *Result) { r.Errs = r.Errs[1:] },
	} {
		_, got := embedded(t)
		change(got)
		assert.Error(t, Same(tree, want, got), name)
		if name != "a length" && name != "an error" {
			assert.Error(t, Consistent(tree, got), name)
		}
	}
}

func TestDifferencesAreCutShort(t *testing.T) {
	tree, want := embedded(t)
	_, got := embedded(t)
	for b := range got.Chars {
		got.Chars[b] = -1
	}
	err := Same(tree, want, got)
	require.Error(t, err)
	assert.Equal(t, shown+1, strings.Count(err.Error(), "\n")+1)
	assert.Contains(t, err.Error(), "and 246 more")
}

func TestMedian(t *testing.T) {
	assert.Zero(t, Times{}.Median())
	assert.Equal(t, 2*time.Second, Times{3 * time.Second, time.Second, 2 * time.Second}.Median())
	assert.Equal(t, 2*time.Second, Times{2 * time.Second, time.Second}.Median())
}
