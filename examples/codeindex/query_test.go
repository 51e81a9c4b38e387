package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestQueryPrintsLinesInOrderInEveryWay(t *testing.T) {
	dir := sample(t)
	want := dir + "/a.go:1:package a\n"
	for _, args := range [][]string{{"-sequential"}, {"-workers", "1"}, {"-workers", "8", "-batch", "1"}, {"-ext", "go"}, {"-query", "a"}} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"-dir", dir, "-query", "pack*"}, args...), nil, &stdout, &stderr)
		assert.Zero(t, code, args)
		assert.Equal(t, want, stdout.String(), args)
		assert.Empty(t, stderr.String(), args)
	}
}

func TestQueryExitStatus(t *testing.T) {
	dir := sample(t)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	ctx := context.Background()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		want int
		says string
	}{
		{ctx, []string{"-dir", dir, "-query", "newline"}, 0, ""},
		{ctx, []string{"-dir", dir, "-query", "no newline"}, 0, ""},
		{ctx, []string{"-dir", dir, "-query", "no", "-query", "newline"}, 0, ""},
		{ctx, []string{"-dir", dir, "-query", "no", "-query", "package"}, exitNoMatch, ""},
		{ctx, []string{"-dir", dir, "-query", "new"}, exitNoMatch, ""},
		{ctx, []string{"-dir", dir, "-query", "one"}, exitNoMatch, ""}, // in a binary file only
		{ctx, []string{"-dir", t.TempDir(), "-query", "a*"}, exitNoMatch, ""},
		{ctx, []string{"-dir", filepath.Join(dir, "missing"), "-query", "a"}, exitTrouble, "missing"},
		{ctx, []string{"-query", ""}, exitUsage, "codeindex: -query: \"\" has no identifier\n"},
		{ctx, []string{"-query", "a-b"}, exitUsage, "codeindex: -query: \"a-b\" is no identifier, and does not begin one\n"},
		{ctx, []string{"-query", "a", "-top", "3"}, exitUsage, "codeindex: -top is for counting"},
		{ctx, []string{"-prompt", "-repeat", "3"}, exitUsage, "codeindex: -repeat is for counting, and -prompt does not count\n"},
		{ctx, []string{"-query", "a", "-words"}, exitUsage, "codeindex: -query and -words are different things to do\n"},
		{ctx, []string{"-query", "a", "-grep", "false"}, exitUsage, "codeindex: -grep and -query are different things to do\n"},
		{ctx, []string{"-words", "-prompt"}, exitUsage, "codeindex: -prompt and -words are different things to do\n"},
		{ctx, []string{"-words", "-sequential", "-verify"}, exitUsage, "codeindex: -verify compares two loops"},
		{over, []string{"-dir", dir, "-query", "a"}, exitInterrupted, "codeindex: interrupted\n"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, c.want, run(c.ctx, c.args, nil, io.Discard, &stderr), c.args)
		if c.says == "" {
			assert.Empty(t, stderr.String(), c.args)
		}
		assert.Contains(t, stderr.String(), c.says, c.args)
	}
}

func TestQueryOfUnreadableFilesGoesOnAndExitsWithTrouble(t *testing.T) {
	dir := refused(t)
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitTrouble, run(context.Background(), []string{"-dir", dir, "-query", "no"}, nil, &stdout, &stderr))
	assert.Equal(t, dir+"/d.txt:1:no newline\n", stdout.String())
	assert.Equal(t, "not read: "+dir+"/a.go: permission denied\ncodeindex: 1 could not be read\n", stderr.String())
}

func TestQueryIntoAnOutputThatFails(t *testing.T) {
	for _, mode := range [][]string{{"-query", "newline"}, {"-words"}} {
		var stderr bytes.Buffer
		assert.NotZero(t, run(context.Background(), append([]string{"-dir", sample(t)}, mode...), nil, full{}, &stderr))
		assert.Equal(t, "codeindex: no space left\n", stderr.String(), mode)
	}
}

func TestWordsListsTheMostFrequentAndVerifies(t *testing.T) {
	dir := sample(t)
	for _, args := range [][]string{{"-verify"}, {"-verify", "-workers", "7", "-batch", "1"}, {"-sequential"}, {"-prompt=false"}} {
		var stdout, stderr bytes.Buffer
		require.Zero(t, run(context.Background(), append([]string{"-dir", dir, "-words", "-top", "2", "-repeat", "1"}, args...), nil, &stdout, &stderr), stderr.String())
		out := stdout.String()
		assert.Empty(t, stderr.String())
		assert.Contains(t, out, "\n4 identifiers with 4 postings; left away: 1 binary files, 0 that could not be read\n\n"+
			"  lines  identifier\n      1  a\n      1  newline\n\nsequential  ", args)
		assert.Equal(t, args[0] == "-verify", regexp.MustCompile(`(?m)^verified: all identifiers`).MatchString(out), args)
		assert.Equal(t, args[0] != "-sequential", regexp.MustCompile(`(?m)^parallel .* times as fast \(medians of 1\)$`).MatchString(out), args)
	}
}
