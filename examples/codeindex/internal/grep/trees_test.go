package grep

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/examples/codeindex/internal/files"
	"github.com/stretchr/testify/require"
)

// odd returns files of all the kinds that a line may be lost in, some of which have a line of long bytes.
func odd(long int) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range map[string]string{
		"a.go":                   "package a\n\nfunc A() {}\n",
		"a/b.go":                 "// func in a comment\nfunc B() {}\n",
		"a/b/deep/er/c.go":       "func C() {} // the end",
		"a-b.go":                 "func minus() {}\n",
		"blanks in the name.go":  "func blanks() {}\n",
		"blanks in/dirs too.go":  "\tfunc tab\n func blank\n",
		"colon:12:name.go":       "func colon() {} // 1:2:3\n",
		"crlf.go":                "package crlf\r\nfunc crlf() {}\r\n\r\nend\r\n",
		"empty.go":               "",
		"newlines.go":            "\n\n\n\nfunc five() {}\n\n",
		"no newline.go":          "one\ntwo\nfunc last",
		"one newline.go":         "\n",
		"invalid.go":             "func \xff\xfe() {}\nfunc\xc3\n\x80func\n",
		"nul.go":                 "func before\n\x00\nfunc after\n",
		"nul without a match.go": "nothing\x00here\n",
		"nul at the end.go":      "func only\nfunc too\n\x00",
		"long.go":                "first\n" + strings.Repeat("x", long) + " func y" + "\nfunc third\n",
		"long and binary.go":     strings.Repeat("x", long/4) + "func\x00",
		"many.go":                strings.Repeat("func a() {\n\treturn\n}\n", 2000),
		"text.txt":               "func in a text\n",
		"UPPER.GO":               "func upper\n",
	} {
		m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for k := range 60 { // so that there are some batches
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString([]string{"func x() {", "return Errorf", "", "\t}", "// fun", "a1.b22"}[r.IntN(6)] + "\n")
		}
		m[fmt.Sprintf("r%d/%d.go", k%7, k)] = &fstest.MapFile{Data: []byte(b.String()), Mode: 0o644}
	}
	return m
}

// onDisk writes files into a directory.
func onDisk(t *testing.T, m fstest.MapFS) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, f := range m {
		p := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, f.Data, 0o600))
	}
	return dir
}

// worst is odd, with what cannot be read.
func worst() brokenfs.FS {
	m := odd(files.BlockSize + 1) // a line that no block holds
	for _, name := range []string{"noopen.go", "a/noread.go", "nolist/a.go", "r3/noopen too.go", "z/nolist/a/b.go"} {
		m[name] = &fstest.MapFile{Data: []byte("func 1\nfunc 2\nfunc 3\n")}
	}
	return brokenfs.FS{MapFS: m}
}

// inTree returns a query for a file system that is called "tree".
func inTree(fsys fs.FS) Query {
	return Query{Source: files.Source{FS: fsys, Name: "tree", Prefix: "tree/"}}
}
