package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatsAreTheSameInEveryWay(t *testing.T) {
	dir := sample(t)
	const verified = "\nverified: what is said of every file, and every identifier, is what the sequential loop says\n"
	want := dir + `

        files   3  0 empty, 1 binary, 0 unreadable
        bytes  38  in those that could be read
        lines   2  of texts, 0 blank; the longest has 10 bytes, d.txt:1
  identifiers   4  4 different

  bytes  lines  largest files
     18      -  b/c.go
     10      1  a.go

  times  files  most frequent identifiers
      1      1  a
      1      1  newline
`
	for _, args := range [][]string{{"-sequential"}, {"-workers", "1"}, {"-workers", "2", "-batch", "1"}, {"-workers", "8"}} {
		var stdout, stderr bytes.Buffer
		args = append([]string{"-dir", dir, "-stats", "-top", "2"}, args...)
		require.Zero(t, run(context.Background(), args, nil, &stdout, &stderr), stderr.String())
		assert.Equal(t, want, stdout.String(), args)
		if args[5] == "-workers" {
			stdout.Reset()
			require.Zero(t, run(context.Background(), append(args, "-verify"), nil, &stdout, &stderr), stderr.String())
			assert.Equal(t, want+verified, stdout.String(), args)
		}
		assert.Empty(t, stderr.String(), args)
	}
}

func TestStatsExitStatus(t *testing.T) {
	dir := sample(t)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		want int
		says string
	}{
		{context.Background(), []string{"-dir", filepath.Join(dir, "missing")}, exitFailed, "missing"},
		{context.Background(), []string{"-repeat", "2"}, exitUsage, "codeindex: -repeat is for counting, and -stats does not count\n"},
		{context.Background(), []string{"-words"}, exitUsage, "codeindex: -stats and -words are different things to do\n"},
		{context.Background(), []string{"-sequential", "-verify"}, exitUsage, "codeindex: -verify compares two loops"},
		{over, []string{"-dir", dir}, exitInterrupted, "codeindex: interrupted\n"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, c.want, run(c.ctx, append([]string{"-stats"}, c.args...), nil, io.Discard, &stderr), c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
	}
	var stderr bytes.Buffer
	assert.Equal(t, exitFailed, run(context.Background(), []string{"-stats", "-dir", dir}, nil, full{}, &stderr))
	assert.Equal(t, "codeindex: no space left\n", stderr.String())
}

func TestStatsOfUnreadableFiles(t *testing.T) {
	dir := refused(t)
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-dir", dir, "-stats", "-verify"}, nil, &stdout, &stderr))
	assert.Contains(t, stdout.String(), "1 binary, 1 unreadable\n")
	assert.Equal(t, "not read: "+dir+"/a.go: permission denied\n", stderr.String())
}
