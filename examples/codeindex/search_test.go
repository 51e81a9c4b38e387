package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGrepPrintsMatchesInOrderInEveryWay(t *testing.T) {
	dir := sample(t)
	want := dir + "/a.go:1:package a\n"
	for _, args := range [][]string{{"-sequential"}, {"-workers", "1"}, {"-workers", "8", "-batch", "1"}, {"-ext", "go"}} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"-dir", dir, "-grep", "^package"}, args...), nil, &stdout, &stderr)
		assert.Zero(t, code, args)
		assert.Equal(t, want, stdout.String(), args)
		assert.Equal(t, dir+"/b/c.go: binary file matches\n", stderr.String(), args)
	}
}

func TestGrepExitStatus(t *testing.T) {
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
		{ctx, []string{"-dir", dir, "-grep", "newline"}, 0, ""},
		{ctx, []string{"-dir", dir, "-grep", ""}, 0, "binary file matches\n"},
		{ctx, []string{"-dir", dir, "-grep", "one$"}, exitNoMatch, ""},
		{ctx, []string{"-dir", t.TempDir(), "-grep", ""}, exitNoMatch, ""},
		{ctx, []string{"-dir", filepath.Join(dir, "missing"), "-grep", "a"}, exitTrouble, "missing"},
		{ctx, []string{"-dir", dir, "-grep", "("}, exitUsage, "codeindex: -grep \"(\": error parsing regexp: missing closing ): `(`\n"},
		{ctx, []string{"-dir", dir, "-grep", "a", "-repeat", "3"}, exitUsage, "-repeat is for counting"},
		{over, []string{"-dir", dir, "-grep", "a"}, exitInterrupted, "codeindex: interrupted\n"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, c.want, run(c.ctx, c.args, nil, io.Discard, &stderr), c.args)
		if c.says == "" {
			assert.Empty(t, stderr.String(), c.args)
		}
		assert.Contains(t, stderr.String(), c.says, c.args)
	}
}

func TestGrepOfUnreadableFilesGoesOnAndExitsWithTrouble(t *testing.T) {
	dir := refused(t)
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitTrouble, run(context.Background(), []string{"-dir", dir, "-grep", "no"}, nil, &stdout, &stderr))
	assert.Equal(t, dir+"/d.txt:1:no newline\n", stdout.String())
	assert.Equal(t, "not read: "+dir+"/a.go: permission denied\ncodeindex: 1 could not be read\n", stderr.String())
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestGrepIntoAnOutputThatFails(t *testing.T) {
	dir := sample(t)
	for workers := range 3 {
		var stderr bytes.Buffer
		args := []string{"-dir", dir, "-grep", "newline", "-workers", strconv.Itoa(workers + 1)}
		assert.Equal(t, exitTrouble, run(context.Background(), args, nil, full{}, &stderr))
		assert.Equal(t, "codeindex: no space left\n", stderr.String())
	}
}
