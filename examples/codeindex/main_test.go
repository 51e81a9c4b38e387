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
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"-dir", sample(t), "-verify", "-workers", "4", "-batch", "1"}, nil, &stdout, &stderr)
	require.Zero(t, code, stderr.String())
	assert.Empty(t, stderr.String())
	out := stdout.String()
	assert.Contains(t, out, ".go      2      2      6     28           1           0   73.7%")
	assert.Contains(t, out, "total      3      3      8     38")
	assert.Regexp(t, regexp.MustCompile(`(?m)^sequential  .*$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^parallel    .*, 4 workers: [0-9.]+ times as fast \(medians of 3\)$`), out)
	assert.Contains(t, out, "verified")
}

func TestRunSequentialOnlyAndSelectedExtensions(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"-dir", sample(t), "-sequential", "-ext", "txt", "-repeat", "1"}, nil, &stdout, &stderr)
	require.Zero(t, code, stderr.String())
	assert.NotContains(t, stdout.String(), "parallel")
	assert.NotContains(t, stdout.String(), ".go")
	assert.Contains(t, stdout.String(), "total      1      1      2     10")
}

func TestTheTableIsTheSameOnEveryRun(t *testing.T) {
	dir := sample(t)
	table := func(args ...string) string {
		var stdout bytes.Buffer
		require.Zero(t, run(context.Background(), append([]string{"-dir", dir, "-repeat", "1"}, args...), nil, &stdout, io.Discard))
		_, rest, _ := strings.Cut(stdout.String(), "\n")
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
	dir := refused(t)
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-dir", dir, "-verify"}, nil, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "not read: open")
}

func TestExitStatus(t *testing.T) {
	dir := sample(t)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		want int
	}{
		{context.Background(), []string{"-h"}, 0},
		{context.Background(), []string{"-dir", filepath.Join(dir, "missing")}, exitFailed},
		{context.Background(), []string{"-dir", filepath.Join(dir, "a.go")}, exitFailed},
		{context.Background(), []string{"-what"}, exitUsage},
		{context.Background(), []string{dir}, exitUsage},
		{context.Background(), []string{"-workers", "0"}, exitUsage},
		{context.Background(), []string{"-batch", "-1"}, exitUsage},
		{context.Background(), []string{"-repeat", "0"}, exitUsage},
		{context.Background(), []string{"-top", "-1"}, exitUsage},
		{context.Background(), []string{"-sequential", "-verify"}, exitUsage},
		{context.Background(), []string{"-words", "-dir", filepath.Join(dir, "missing")}, exitFailed},
		{over, []string{"-dir", dir}, exitInterrupted},
		{over, []string{"-dir", dir, "-words"}, exitInterrupted},
	} {
		assert.Equal(t, c.want, run(c.ctx, c.args, nil, io.Discard, io.Discard), c.args)
	}
}

func TestProgressIsDrawnWhileTheLoopsCount(t *testing.T) {
	var out bytes.Buffer
	p := startProgress("counting", 10, true, &out)
	assert.Nil(t, p.bar, "a buffer is no terminal")
	p.stop()

	p.show("counting", 10, &out)
	p.done.Add(7)
	time.Sleep(250 * time.Millisecond)
	p.stop()
	assert.Contains(t, out.String(), "counting")
	assert.Contains(t, out.String(), "(7/10")
}
