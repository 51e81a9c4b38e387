package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
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
		args = append([]string{"-dir", dir, "-stats", "-top", "2"}, args...)
		assert.Equal(t, want, codeindex.Ran(t, args...), args)
		if args[5] == "-workers" {
			assert.Equal(t, want+verified, codeindex.Ran(t, append(args, "-verify")...), args)
		}
	}
}

func TestStatsExitStatus(t *testing.T) {
	dir := sample(t)
	codeindex.Says(t, exitFailed, "missing", "-stats", "-dir", filepath.Join(dir, "missing"))
	codeindex.Says(t, exitUsage, "codeindex: -repeat is for counting, and -stats does not count\n", "-stats", "-repeat", "2")
	codeindex.Says(t, exitUsage, "codeindex: -stats and -words are different things to do\n", "-stats", "-words")
	codeindex.Says(t, exitUsage, "codeindex: -verify compares two loops", "-stats", "-sequential", "-verify")
	interrupted.Says(t, exitInterrupted, "codeindex: interrupted\n", "-stats", "-dir", dir)
	codeindex.FailsWhenFull(t, exitFailed, "-stats", "-dir", dir)
}

func TestStatsOfUnreadableFiles(t *testing.T) {
	dir := refused(t)
	stdout, stderr := codeindex.Exits(t, 0, "-dir", dir, "-stats", "-verify")
	assert.Contains(t, stdout, "1 binary, 1 unreadable\n")
	assert.Equal(t, "not read: "+dir+"/a.go: permission denied\n", stderr)
}
