package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/custody/examples/codeindex/internal/files"
	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/examples/codeindex/internal/words"
	"example.com/custody/examples/internal/program/programtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked returns what is answered to some lines, without the times.
func asked(t *testing.T, dir, lines string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"-dir", dir, "-prompt"}, args...)
	require.Zero(t, run(context.Background(), args, strings.NewReader(lines), &stdout, &stderr), stderr.String())
	assert.Regexp(t, `^`+regexp.QuoteMeta(dir)+`: 3 files, 4 identifiers with 4 postings; left away: 1 binary files, 0 that could not be read; `+
		`indexed in [0-9.]+m?s; :help tells what to ask\n$`, stderr.String())
	return regexp.MustCompile(`(?m) \([0-9.]+.?s\)$`).ReplaceAllString(stdout.String(), "")
}

func TestPromptAnswersLineByLine(t *testing.T) {
	dir := sample(t)
	d := dir + "/d.txt:1:no newline\n"
	for lines, want := range map[string]string{
		"":                     "",
		"\n \n":                "",
		"newline":              d + "newline: 1 lines\n",
		"newline\r\n":          d + "newline: 1 lines\n",
		" no  new* \nmissing":  d + "no new*: 1 lines\nmissing: 0 lines\n",
		"a-b\nno\n":            "\"a-b\" is no identifier, and does not begin one\n" + d + "no: 1 lines\n",
		":quit\nno\n":          "",
		" :q \nno\n":           "",
		":what\n:":             "\":what\" is no command; :help tells what there is\n\":\" is no command; :help tells what there is\n",
		":words 2":             "  lines  identifier\n      1  a\n      1  newline\n",
		":words 0":             ":words takes one number, at least 1\n",
		":words x\n:words 1 2": ":words takes one number, at least 1\n:words takes one number, at least 1\n",
		":help\n?":             promptHelp + promptHelp,
		"quit\n":               "quit: 0 lines\n",
		"\x00\xff\x1b[A":       "\"\\x00\\xff\\x1b[A\" is no identifier, and does not begin one\n",
		strings.Repeat("x", longestLine+1) + "\nno\n": "a line may have 65536 bytes\n" + d + "no: 1 lines\n",
		strings.Repeat("x", 3*longestLine):            "a line may have 65536 bytes\n",
	} {
		for _, args := range [][]string{nil, {"-sequential"}, {"-workers", "3", "-batch", "1"}} {
			assert.Equal(t, want, asked(t, dir, lines, args...), "%q", lines)
		}
	}
}

func TestPromptShowsTheFirstLinesOfLongAnswers(t *testing.T) {
	dir := sample(t)
	a, d := dir+"/a.go:1:package a\n", dir+"/d.txt:1:no newline\n"
	assert.Equal(t, a+"p*: 1 lines\n", asked(t, dir, "p*", "-top", "1"))
	require.NoError(t, os.WriteFile(dir+"/d.txt", []byte("no newline\npackage a"), 0o600))
	q := "package: 2 lines, the first 1 of them shown\n"
	var stdout bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-dir", dir, "-prompt", "-top", "1"}, strings.NewReader("package\nno"), &stdout, io.Discard))
	out := regexp.MustCompile(`(?m) \([0-9.]+.?s\)$`).ReplaceAllString(stdout.String(), "")
	assert.Equal(t, a+q+d+"no: 1 lines\n", out)
}

// Whatever comes, there is an answer, and the end.
func TestPromptOutlivesOddInput(t *testing.T) {
	dir := sample(t)
	pieces := []string{":", "words", " ", "\n", "*", "a", "\x00", "\xff", "世", ":quit ", "9999999999999999999999", "-1", "\r", "\t", "?", "no", "\x1b[D", "%s%n"}
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		asked(t, dir, b.String())
	}
}

func TestPromptEndsWhenItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, typed := io.Pipe()
	defer typed.Close()
	time.AfterFunc(100*time.Millisecond, cancel)
	var stderr bytes.Buffer
	assert.Equal(t, exitInterrupted, run(ctx, []string{"-dir", sample(t), "-prompt"}, in, io.Discard, &stderr))
	assert.Contains(t, stderr.String(), "codeindex: interrupted\n")
}

func TestPromptEndsWithTheErrorOfItsInputOrOutput(t *testing.T) {
	dir := sample(t)
	in, typed := io.Pipe()
	typed.CloseWithError(errors.New("line is dead"))
	var stderr bytes.Buffer
	assert.Equal(t, exitTrouble, run(context.Background(), []string{"-dir", dir, "-prompt"}, in, io.Discard, &stderr))
	assert.Contains(t, stderr.String(), "codeindex: line is dead\n")
	for _, line := range []string{"no", ":help", ":words", ":what", "a-b", strings.Repeat("x", longestLine+1)} {
		stderr.Reset()
		assert.Equal(t, exitTrouble, run(context.Background(), []string{"-dir", dir, "-prompt"}, strings.NewReader(line), programtest.Full{}, &stderr))
		assert.Contains(t, stderr.String(), "codeindex: no space left\n")
	}
}

func TestTheLastWordIsCompleted(t *testing.T) {
	source, err := files.Open(context.Background(), sample(t))
	require.NoError(t, err)
	tree, err := index.Walk(context.Background(), source.FS, source.Name, nil)
	require.NoError(t, err)
	x, err := words.Make(context.Background(), tree, index.Plan{Workers: 2}, startProgress("", 0, false, nil).done)
	require.NoError(t, err)
	for line, want := range map[string][]string{
		"n": {"no", "newline"}, "package ne": {"package newline"}, "x": nil, "": nil, "a ": nil, "n*": nil, "\xff": nil, ":w": nil,
	} {
		assert.Equal(t, want, completed(x, line), "%q", line)
	}
}
