package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

var errBroken = errors.New("broken")

// broken cannot open files named noopen, cannot read files named noread beyond ten bytes, and
// cannot list directories named nolist. It calls opened, if that is set, before it opens a file.
type broken struct {
	fstest.MapFS
	opened func()
}

func (b broken) Open(name string) (fs.File, error) {
	if b.opened != nil {
		b.opened()
	}
	if strings.Contains(name, "noopen") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errBroken}
	}
	f, err := b.MapFS.Open(name)
	if err == nil && strings.Contains(name, "noread") {
		return &short{File: f, left: 10}, nil
	}
	return f, err
}

func (b broken) ReadDir(name string) ([]fs.DirEntry, error) {
	if strings.HasSuffix(name, "nolist") {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errBroken}
	}
	return b.MapFS.ReadDir(name)
}

type short struct {
	fs.File
	left int
}

func (s *short) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, errBroken
	}
	n, err := s.File.Read(p[:min(len(p), s.left)])
	s.left -= n
	if err == io.EOF {
		err = errBroken
	}
	return n, err
}

// forest returns a tree of n files of identifiers, always the same; some are empty, binary or
// broken.
func forest(t *testing.T, n int) *tree {
	r := rand.New(rand.NewPCG(1, 2))
	exts := []string{".go", ".s", ".txt", ".go", ".noread", ".noopen", ".bin", ""}
	m := fstest.MapFS{"d1/nolist/f.go": {}}
	for k := range n {
		var b strings.Builder
		for range r.IntN(30) {
			for range r.IntN(8) {
				fmt.Fprintf(&b, "w%d ", r.IntN(1+r.IntN(400)))
			}
			b.WriteString("\n")
		}
		ext := exts[r.IntN(len(exts))]
		if ext == ".bin" {
			b.WriteByte(0)
		}
		m[fmt.Sprintf("d%d/f%d%s", k%5, k, ext)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	x := &tree{fsys: broken{MapFS: m}, name: "forest", prefix: "tree/"}
	require.NoError(t, x.list(context.Background()))
	require.Len(t, x.unlisted, 1)
	return x
}

// grids calls try with options that must not change what a loop leaves.
func grids(try func(opts ...parallelfor.Option)) {
	for _, workers := range []int{1, 2, 8} {
		for _, batch := range []int{0, 1, 7} {
			try(parallelfor.Workers(workers), parallelfor.Batch(batch))
		}
	}
}

func TestParallelLoopsLeaveWhatPlainOnesLeave(t *testing.T) {
	ctx, x := context.Background(), forest(t, 1500) // more than a stretch
	c, err := countPlainly(ctx, x)
	require.NoError(t, err)
	require.NotZero(t, c.byExt[unreadable])
	s, err := statsPlainly(ctx, x)
	require.NoError(t, err)
	words, err := indexPlainly(ctx, x)
	require.NoError(t, err)
	grids(func(opts ...parallelfor.Option) {
		got, err := countFiles(ctx, x, opts...)
		require.NoError(t, err)
		require.Equal(t, c, got)
		facts, err := makeStats(ctx, x, opts...)
		require.NoError(t, err)
		require.Equal(t, s, facts)
		index, err := makeIndex(ctx, x, opts...)
		require.NoError(t, err)
		require.True(t, index.same(words))
		require.Equal(t, c.errs, index.errs)
		for _, asked := range []string{"w0", "w1 w2", "w1* w3", "w39* w0", "x", "w0 w1 w2 w3"} {
			q, err := parseQuery(asked)
			require.NoError(t, err)
			want, err := findPlainly(ctx, x, q)
			require.NoError(t, err)
			found := index.find(q)
			require.True(t, slices.Equal(want, found))
			var out bytes.Buffer
			p := newPrinter(&out, &out, "")
			require.NoError(t, index.print(ctx, found, p))
			p.flush()
			require.Equal(t, len(want), strings.Count(out.String(), "\n"))
		}
	})
	other := forest(t, 1500)
	words.list[7].text = "other"
	index, err := makeIndex(ctx, other)
	require.NoError(t, err)
	require.False(t, index.same(words))
}

func TestThePipelinePrintsWhatThePlainLoopPrints(t *testing.T) {
	ctx, x := context.Background(), forest(t, 600)
	for _, pattern := range []string{"w1", "^w2.*w3", "w39.|w0", ".", "", "nowhere", "^$", "(?i)W7", "w5 $"} {
		var want bytes.Buffer
		require.NoError(t, searchPlainly(ctx, x, regexp.MustCompile(pattern), &want))
		require.Contains(t, want.String(), "not read: tree/d1/nolist: broken\n")
		grids(func(opts ...parallelfor.Option) {
			var got bytes.Buffer
			out := newPrinter(&got, &got, "tree/")
			require.NoError(t, search(ctx, x, regexp.MustCompile(pattern), out, opts...))
			code, err := out.status()
			require.NoError(t, err)
			require.Equal(t, trouble, code)
			require.Equal(t, want.String(), got.String()[:want.Len()], pattern)
			require.Regexp(t, `^codeindex: \d+ could not be read\n$`, got.String()[want.Len():])
		})
	}
}

// full fails after some bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	if f.room -= n; n < len(p) {
		return n, errBroken
	}
	return n, nil
}

func TestASearchEndsEarlyAndLeavesNoGoroutine(t *testing.T) {
	x, all := forest(t, 900), regexp.MustCompile("")
	gone := func() {
		stacks := make([]byte, 1<<20)
		require.NotContains(t, string(stacks[:runtime.Stack(stacks, true)]), "main.(*grep)")
	}
	for _, room := range []int{0, 1, 100_000} {
		require.ErrorIs(t, search(context.Background(), x, all, newPrinter(&full{room: room}, io.Discard, "")), errBroken)
		gone()
	}
	require.ErrorIs(t, search(context.Background(), x, all, newPrinter(io.Discard, &full{}, "")), errBroken)
	gone()
	for _, at := range []int{0, 1, 30, 500} {
		ctx, cancel := context.WithCancelCause(context.Background())
		b, opened := x.fsys.(broken), make(chan bool, 2000)
		b.opened = func() {
			if opened <- true; len(opened) > at {
				cancel(errBroken)
			}
		}
		y := &tree{fsys: b}
		require.ErrorIs(t, search(ctx, y, all, newPrinter(io.Discard, io.Discard, "")), errBroken)
		gone()
	}
}

func TestEveryLoopEndsWithItsContext(t *testing.T) {
	x := forest(t, 50)
	for _, loop := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := countFiles(ctx, x); return err },
		func(ctx context.Context) error { _, err := countPlainly(ctx, x); return err },
		func(ctx context.Context) error { _, err := makeIndex(ctx, x); return err },
		func(ctx context.Context) error { _, err := makeStats(ctx, x); return err },
		func(ctx context.Context) error { return new(index).print(ctx, []posting{1}, nil) },
	} {
		require.ErrorIs(t, loop(ended()), context.Canceled)
	}
}

func TestTheEmbeddedTree(t *testing.T) {
	fsys, err := fs.Sub(embedded, "tree")
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, searchPlainly(context.Background(), &tree{fsys: fsys, prefix: "tree/"}, regexp.MustCompile(`[nw][eo] |^\s`), &got))
	assert.Equal(t, "tree/README.md:3:It is counted when no other one is found.\n"+
		"tree/docs/words.txt:1:one two  three\n"+
		"tree/docs/words.txt:2:\tfour\n"+
		"tree/main.go.txt:6:\tfor i := range 3 {\n"+
		"tree/main.go.txt:7:\t\tfmt.Println(\"line\", i)\n"+
		"tree/main.go.txt:8:\t}\n", got.String())
}

func TestScan(t *testing.T) {
	for text, want := range map[string]tally{
		"":                     {},
		"a":                    {bytes: 1, lines: 1, words: 1},
		"a\n":                  {bytes: 2, lines: 1, words: 1},
		" one\ttwo\r\n\nx\x00": {bytes: 13, lines: 3, words: 3, zeros: 1},
		"\n\n":                 {bytes: 2, lines: 2},
	} {
		assert.Equal(t, want, scan([]byte(text)), "%q", text)
	}
}

func TestIdentifiers(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		"a _b c3 4d 0xff _":         {"1 a", "1 _b", "1 c3", "1 _"},
		"one\n\ntwo.three\n(größe)": {"1 one", "3 two", "3 three", "4 größe"},
		"世界 x\xffy é1 ١a":           {"1 世界", "1 x", "1 y", "1 é1"},
	} {
		var got []string
		identifiers([]byte(text), func(word []byte, line int32) { got = append(got, fmt.Sprint(line, " ", string(word))) })
		assert.Equal(t, want, got, "%q", text)
	}
}

func TestExtensions(t *testing.T) {
	for name, want := range map[string]string{"a.go": ".go", "d/x.TAR.GZ": ".gz", "LICENSE": "(none)", ".config": "(none)", "a.": "(none)", "a.b/c": "(none)"} {
		assert.Equal(t, want, extension(name))
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		assert.Equal(t, want, grouped(n))
	}
	list := []int{3, 1, 2}
	assert.Equal(t, []int{1, 2}, first(slices.Clone(list), 2, func(a, b int) int { return a - b }))
}
