package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
)

// codeindex is the program; stopped is the program with a context that has ended.
var codeindex, stopped = within(context.Background()), within(ended())

func within(ctx context.Context) programtest.Program {
	return programtest.Program{Name: "codeindex", Run: func(args []string, stdout, stderr io.Writer) int {
		return run(ctx, args, stdout, stderr)
	}}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// sample makes a directory with a few files.
func sample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n", "b/c.go": "package c // one\x00\n", "d.txt": "no newline"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o600))
	}
	return dir
}

// ways are options that must not change what is printed.
var ways = [][]string{{"-workers", "1"}, {"-workers", "8", "-batch", "1"}, {"-progress=false"}, {"-verify"}}

func TestCountingBothWays(t *testing.T) {
	dir := sample(t)
	for _, way := range ways {
		out := codeindex.Ran(t, append(way, "-dir", dir, "-repeat", "1")...)
		assert.Contains(t, out, dir+": 3 files\n")
		assert.Contains(t, out, " .go      2      2      6     28           1           0   73.7%\n")
		assert.Contains(t, out, "total      3      3      8     38           1           0  100.0%\n")
		assert.Regexp(t, `(?m)^parallel    .*, \d+ workers: [0-9.]+ times as fast \(medians of 1\)$`, out)
		assert.Equal(t, way[0] == "-verify", strings.Contains(out, "\nverified: "))
	}
	out := codeindex.Ran(t, "-dir", dir, "-top", "1")
	assert.NotContains(t, out, ".txt")
	assert.NotContains(t, codeindex.Ran(t, "-dir", dir, "-ext", "TXT,.s"), ".go")
}

func TestSearchesPrintLinesInOrder(t *testing.T) {
	dir := sample(t)
	for _, way := range ways {
		verified := ""
		if way[0] == "-verify" {
			verified = "verified: the plain loop leaves the same\n"
		}
		for mode, says := range map[string]string{"-grep=^package": dir + "/b/c.go: binary file matches\n", "-query=pack* a": ""} {
			stdout, stderr := codeindex.Exits(t, 0, append(way, "-dir", dir, mode)...)
			assert.Equal(t, dir+"/a.go:1:package a\n", stdout)
			assert.Equal(t, says+verified, stderr)
		}
		for _, mode := range []string{"-grep=one$", "-query=one"} {
			codeindex.Says(t, noMatch, verified, append(way, "-dir", dir, mode)...)
		}
	}
}

func TestWordsAreListed(t *testing.T) {
	dir := sample(t)
	for _, way := range ways {
		out := codeindex.Ran(t, append(way, "-dir", dir, "-words", "-top", "2", "-repeat", "1")...)
		assert.Contains(t, out, ": 4 identifiers with 4 postings; left out: 1 binary files\n\n"+
			"  lines  identifier\n      1  a\n      1  newline\n\nsequential  ")
		assert.Equal(t, way[0] == "-verify", strings.Contains(out, "\nverified: "))
	}
}

func TestStatsAreTheSameInEveryWay(t *testing.T) {
	dir := sample(t)
	want := dir + `

        files   3  0 empty, 1 binary, 0 unreadable
        bytes  38  in those that could be read
        lines   2  of texts, 0 blank
  identifiers   4  4 different

  bytes  lines  largest files
     18      0  b/c.go
     10      1  a.go

  times  files  most frequent identifiers
      1      1  a
      1      1  newline
`
	for _, way := range ways {
		out := codeindex.Ran(t, append(way, "-dir", dir, "-stats", "-top", "2")...)
		assert.Equal(t, want, strings.TrimSuffix(out, "verified: the plain loop leaves the same\n"))
	}
}

func TestExitStatus(t *testing.T) {
	dir := sample(t)
	codeindex.Says(t, 0, "-dir", "-h")
	codeindex.Says(t, failed, "missing", "-dir", filepath.Join(dir, "missing"))
	codeindex.Says(t, failed, "a.go is not a directory", "-dir", filepath.Join(dir, "a.go"))
	codeindex.Says(t, trouble, "missing", "-grep", "a", "-dir", filepath.Join(dir, "missing"))
	for _, args := range [][]string{
		{"-what"}, {dir}, {"-workers", "0"}, {"-batch", "-1"}, {"-repeat", "0"}, {"-top", "-1"}, {"-stats", "-words"}, {"-grep", "a", "-query", "a"},
		{"-grep", "("}, {"-query", ""}, {"-query", "a-b"}, {"-query", strings.Repeat("a ", 65)}, {"-timeline", "x.png"},
	} {
		codeindex.Says(t, badUsage, "codeindex: ", args...)
	}
	for _, mode := range []string{"-words", "-stats", "-grep=a", "-query=a", "-repeat=1"} {
		stopped.Says(t, interrupted, "codeindex: interrupted\n", "-dir", dir, mode)
	}
	for _, mode := range []string{"-grep=newline", "-query=newline"} {
		codeindex.FailsWhenFull(t, trouble, "-dir", dir, mode)
	}
	for _, mode := range []string{"-words", "-stats", "-repeat=1"} {
		codeindex.FailsWhenFull(t, failed, "-dir", dir, mode)
	}
}

func TestTheTimelineHasTheBatchesOfTheRun(t *testing.T) {
	dir, to := sample(t), t.TempDir()
	for mode, batches := range map[string]int{"-repeat=1": 3, "-words": 3, "-query=a*": 3, "-grep=a": 1, "-stats": 3} {
		write := func(ext string) string {
			file := filepath.Join(to, "run"+ext)
			codeindex.Exits(t, 0, "-dir", dir, "-batch", "1", "-timeline", file, mode)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			return string(text)
		}
		assert.GreaterOrEqual(t, strings.Count(write(".svg"), "<rect "), batches, mode)
		assert.True(t, json.Valid([]byte(write(".json"))), mode)
		assert.Regexp(t, `^digraph jobs \{`, write(".dot"))
	}
	_, stderr := codeindex.Exits(t, failed, "-timeline", filepath.Join(dir, "missing", "x.svg"), "-dir", dir)
	assert.Contains(t, stderr, "codeindex: open "+dir)
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	show := showProgress(&out)
	show(7, 10)
	show(10, 10)
	assert.Equal(t, "\r7 of 10 files\r10 of 10 files\r\x1b[K", out.String())
}
