package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGrepPrintsMatchesInOrderInEveryWay(t *testing.T) {
	dir := sample(t)
	want := dir + "/a.go:1:package a\n"
	for _, args := range [][]string{{"-sequential"}, {"-workers", "1"}, {"-workers", "8", "-batch", "1"}, {"-ext", "go"}} {
		stdout, stderr := codeindex.Exits(t, 0, append([]string{"-dir", dir, "-grep", "^package"}, args...)...)
		assert.Equal(t, want, stdout, args)
		assert.Equal(t, dir+"/b/c.go: binary file matches\n", stderr, args)
	}
}

func TestGrepExitStatus(t *testing.T) {
	dir := sample(t)
	codeindex.Ran(t, "-dir", dir, "-grep", "newline")
	_, stderr := codeindex.Exits(t, 0, "-dir", dir, "-grep", "")
	assert.Contains(t, stderr, "binary file matches\n")
	codeindex.Says(t, exitNoMatch, "", "-dir", dir, "-grep", "one$")
	codeindex.Says(t, exitNoMatch, "", "-dir", t.TempDir(), "-grep", "")
	codeindex.Says(t, exitTrouble, "missing", "-dir", filepath.Join(dir, "missing"), "-grep", "a")
	codeindex.Says(t, exitUsage, "codeindex: -grep \"(\": error parsing regexp: missing closing ): `(`\n", "-dir", dir, "-grep", "(")
	codeindex.Says(t, exitUsage, "-repeat is for counting", "-dir", dir, "-grep", "a", "-repeat", "3")
	interrupted.Says(t, exitInterrupted, "codeindex: interrupted\n", "-dir", dir, "-grep", "a")
}

func TestGrepOfUnreadableFilesGoesOnAndExitsWithTrouble(t *testing.T) { goesOn(t, "-grep") }

// goesOn fails unless a search of that mode leaves away the file that it cannot read, and says so.
func goesOn(t *testing.T, mode string) {
	t.Helper()
	dir := refused(t)
	stdout, stderr := codeindex.Exits(t, exitTrouble, "-dir", dir, mode, "no")
	assert.Equal(t, dir+"/d.txt:1:no newline\n", stdout)
	assert.Equal(t, "not read: "+dir+"/a.go: permission denied\ncodeindex: 1 could not be read\n", stderr)
}

func TestGrepIntoAnOutputThatFails(t *testing.T) {
	dir := sample(t)
	for _, workers := range []string{"1", "2", "3"} {
		codeindex.FailsWhenFull(t, exitTrouble, "-dir", dir, "-grep", "newline", "-workers", workers)
	}
}
