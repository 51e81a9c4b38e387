package main

import (
	"io"
	"testing"

	"example.com/custody/examples/codeindex/internal/grep"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEverySearchIsVerified(t *testing.T) {
	dir := sample(t)
	for mode, says := range map[string]string{
		"-grep":  dir + "/b/c.go: binary file matches\nverified: the sequential run prints the same; matches: 2\n",
		"-query": "verified: the sequential run prints the same; matches: 1\n",
	} {
		for _, workers := range []string{"1", "2", "8"} {
			stdout, stderr := codeindex.Exits(t, 0, "-dir", dir, mode, "package", "-verify", "-workers", workers, "-batch", "1")
			assert.Equal(t, dir+"/a.go:1:package a\n", stdout)
			assert.Equal(t, says, stderr)
		}
		codeindex.Says(t, exitNoMatch, "matches: 0\n", "-dir", dir, mode, "nothing", "-verify")
	}
}

// A run that prints something else than the sequential one is an error, and what differs first is said.
func TestASearchThatDiffersFails(t *testing.T) {
	o := options{verify: true}
	a, b := grep.Finding{Path: "x", Line: 1, Text: "a"}, grep.Finding{Path: "x", Line: 2, Text: "b"}
	for want, found := range map[string][]grep.Finding{
		`line 1 is "x:2:b\n", and not "x:1:a\n"`: {b, a},
		`line 2 is "", and not "x:2:b\n"`:        {a},
		`line 3 is "x:2:b\n", and not ""`:        {a, b, b},
		`line 2 is "x: binary file matches\n"`:   {a, {Path: "x"}},
	} {
		_, err := verified(o, "", io.Discard, io.Discard, func(sequential bool, out *grep.Printer) (err error) {
			list := found
			if sequential {
				list = []grep.Finding{a, b}
			}
			for _, f := range list {
				require.NoError(t, out.Print(f))
			}
			return out.End(nil)
		})
		require.ErrorContains(t, err, "the parallel run differs from the sequential one: "+want)
	}
}
