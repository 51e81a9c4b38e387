package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/internal/lawtest"
)

// codeindex is the program, and interrupted is the one that is told to stop before it begins.
var codeindex, interrupted = within(context.Background()), within(canceled())

func within(ctx context.Context) programtest.Program {
	return programtest.Program{Name: "codeindex", Run: func(args []string, stdout, stderr io.Writer) int { return run(ctx, args, stdout, stderr) }}
}

func canceled() context.Context {
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

func TestRunCountsBothWaysAndVerifies(t *testing.T) {
	out := codeindex.Ran(t, "-dir", sample(t), "-verify", "-workers", "4", "-batch", "1")
	assert.Contains(t, out, ".go      2      2      6     28           1           0   73.7%")
	assert.Contains(t, out, "total      3      3      8     38")
	assert.Regexp(t, regexp.MustCompile(`(?m)^sequential  .*$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^parallel    .*, 4 workers: [0-9.]+ times as fast \(medians of 3\)$`), out)
	assert.Contains(t, out, "verified")
}

func TestRunSequentialOnlyAndSelectedExtensions(t *testing.T) {
	out := codeindex.Ran(t, "-dir", sample(t), "-sequential", "-ext", "txt", "-repeat", "1")
	assert.NotContains(t, out, "parallel")
	assert.NotContains(t, out, ".go")
	assert.Contains(t, out, "total      1      1      2     10")
}

func TestTheTableIsTheSameOnEveryRun(t *testing.T) {
	dir := sample(t)
	table := func(args ...string) string {
		_, rest, _ := strings.Cut(codeindex.Ran(t, append([]string{"-dir", dir, "-repeat", "1"}, args...)...), "\n")
		table, _, _ := strings.Cut(rest, "sequential  ")
		return table
	}
	want := table("-sequential")
	for _, args := range [][]string{{"-workers", "1"}, {"-workers", "7"}, {"-batch", "2"}} {
		assert.Equal(t, want, table(args...), args)
	}
}

// refused is sample, in which a.go cannot be read.
func refused(t *testing.T) string {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("needs a user who is refused files")
	}
	dir := sample(t)
	require.NoError(t, os.Chmod(filepath.Join(dir, "a.go"), 0))
	return dir
}

func TestUnreadableFilesAreReportedAndNotFatal(t *testing.T) {
	_, stderr := codeindex.Exits(t, 0, "-dir", refused(t), "-verify")
	assert.Contains(t, stderr, "not read: open")
}

func TestExitStatus(t *testing.T) {
	dir := sample(t)
	codeindex.Says(t, 0, "-dir", "-h")
	codeindex.Says(t, exitFailed, "missing", "-dir", filepath.Join(dir, "missing"))
	codeindex.Says(t, exitFailed, "a.go is not a directory", "-dir", filepath.Join(dir, "a.go"))
	codeindex.Says(t, exitUsage, "-what", "-what")
	codeindex.Says(t, exitUsage, "codeindex: unexpected argument", dir)
	codeindex.Says(t, exitUsage, "codeindex: -workers 0", "-workers", "0")
	codeindex.Says(t, exitUsage, "codeindex: -batch -1", "-batch", "-1")
	codeindex.Says(t, exitUsage, "codeindex: -repeat 0", "-repeat", "0")
	codeindex.Says(t, exitUsage, "codeindex: -top -1", "-top", "-1")
	codeindex.Says(t, exitUsage, "codeindex: -verify compares two loops", "-sequential", "-verify")
	codeindex.Says(t, exitFailed, "missing", "-words", "-dir", filepath.Join(dir, "missing"))
	interrupted.Says(t, exitInterrupted, "codeindex: interrupted\n", "-dir", dir)
	interrupted.Says(t, exitInterrupted, "codeindex: interrupted\n", "-dir", dir, "-words")
}

func TestProgressIsDrawnWhileTheLoopsCount(t *testing.T) {
	var out bytes.Buffer
	p := startProgress("counting", 10, true, &out)
	assert.Nil(t, p.bar, "a buffer is no terminal")
	p.stop()

	drawn := make(chan string, 1)
	p.show("counting", 10, writer(func(b []byte) {
		if out.Write(b); strings.Contains(out.String(), "(7/10") {
			select {
			case drawn <- out.String():
			default:
			}
		}
	}))
	p.done.Add(7)
	assert.Contains(t, lawtest.Arrives(t, "the bar", drawn), "counting")
	p.stop()
}

// writer is a function that is told what is written.
type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}
