package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQueryPrintsLinesInOrderInEveryWay(t *testing.T) {
	dir := sample(t)
	want := dir + "/a.go:1:package a\n"
	for _, args := range [][]string{{"-sequential"}, {"-workers", "1"}, {"-workers", "8", "-batch", "1"}, {"-ext", "go"}, {"-query", "a"}} {
		assert.Equal(t, want, codeindex.Ran(t, append([]string{"-dir", dir, "-query", "pack*"}, args...)...), args)
	}
}

func TestQueryExitStatus(t *testing.T) {
	dir := sample(t)
	codeindex.Ran(t, "-dir", dir, "-query", "newline")
	codeindex.Ran(t, "-dir", dir, "-query", "no newline")
	codeindex.Ran(t, "-dir", dir, "-query", "no", "-query", "newline")
	codeindex.Says(t, exitNoMatch, "", "-dir", dir, "-query", "no", "-query", "package")
	codeindex.Says(t, exitNoMatch, "", "-dir", dir, "-query", "new")
	codeindex.Says(t, exitNoMatch, "", "-dir", dir, "-query", "one") // in a binary file only
	codeindex.Says(t, exitNoMatch, "", "-dir", t.TempDir(), "-query", "a*")
	codeindex.Says(t, exitTrouble, "missing", "-dir", filepath.Join(dir, "missing"), "-query", "a")
	codeindex.Says(t, exitUsage, "codeindex: -query: \"\" has no identifier\n", "-query", "")
	codeindex.Says(t, exitUsage, "codeindex: -query: \"a-b\" is no identifier, and does not begin one\n", "-query", "a-b")
	codeindex.Says(t, exitUsage, "codeindex: -top is for counting", "-query", "a", "-top", "3")
	codeindex.Says(t, exitUsage, "codeindex: -repeat is for counting, and -stats does not count\n", "-stats", "-repeat", "3")
	codeindex.Says(t, exitUsage, "codeindex: -query and -words are different things to do\n", "-query", "a", "-words")
	codeindex.Says(t, exitUsage, "codeindex: -grep and -query are different things to do\n", "-query", "a", "-grep", "false")
	codeindex.Says(t, exitUsage, "codeindex: -stats and -words are different things to do\n", "-words", "-stats")
	codeindex.Says(t, exitUsage, "codeindex: -verify compares two loops", "-words", "-sequential", "-verify")
	interrupted.Says(t, exitInterrupted, "codeindex: interrupted\n", "-dir", dir, "-query", "a")
}

func TestQueryOfUnreadableFilesGoesOnAndExitsWithTrouble(t *testing.T) { goesOn(t, "-query") }

func TestQueryIntoAnOutputThatFails(t *testing.T) {
	dir := sample(t)
	codeindex.FailsWhenFull(t, exitTrouble, "-dir", dir, "-query", "newline")
	codeindex.FailsWhenFull(t, exitFailed, "-dir", dir, "-words")
}

func TestWordsListsTheMostFrequentAndVerifies(t *testing.T) {
	dir := sample(t)
	for _, args := range [][]string{{"-verify"}, {"-verify", "-workers", "7", "-batch", "1"}, {"-sequential"}, {"-stats=false"}} {
		out := codeindex.Ran(t, append([]string{"-dir", dir, "-words", "-top", "2", "-repeat", "1"}, args...)...)
		assert.Contains(t, out, "\n4 identifiers with 4 postings; left away: 1 binary files, 0 that could not be read\n\n"+
			"  lines  identifier\n      1  a\n      1  newline\n\nsequential  ", args)
		assert.Equal(t, args[0] == "-verify", regexp.MustCompile(`(?m)^verified: all identifiers`).MatchString(out), args)
		assert.Equal(t, args[0] != "-sequential", regexp.MustCompile(`(?m)^parallel .* times as fast \(medians of 1\)$`).MatchString(out), args)
	}
}
