package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed all:tree
var embedded embed.FS

// file is a file of a tree: its path, with slashes, and the number of its extension.
type file struct {
	path string
	ext  int
}

// tree is the files that the program looks at.
type tree struct {
	fsys     fs.FS
	name     string    // that the user knows
	prefix   string    // of a path, so that the user finds the file
	only     []string  // the extensions that are taken; none is all
	files    []file    // in lexical order of the elements of their paths
	exts     []string  // in the order in which they first occur
	unlisted []finding // directories that could not be read
}

// open returns the tree of a directory, without its files: dir, or by default the source tree of
// the Go installation, or a small tree that is part of the program.
func open(ctx context.Context, dir string, only []string) (*tree, error) {
	if dir == "" {
		dir = goSource(ctx)
	}
	if dir == "" {
		fsys, err := fs.Sub(embedded, "tree")
		return &tree{fsys: fsys, name: "the embedded tree", only: only}, err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", dir)
	}
	return &tree{fsys: os.DirFS(dir), name: dir, prefix: strings.TrimSuffix(dir, "/") + "/", only: only}, err
}

// goSource returns the source directory of the Go installation, or "".
func goSource(ctx context.Context) string {
	out, _ := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	src := filepath.Join(cmp.Or(strings.TrimSpace(string(out)), os.Getenv("GOROOT")), "src")
	if info, err := os.Stat(src); err != nil || !info.IsDir() || !filepath.IsAbs(src) {
		return ""
	}
	return src
}

// walk calls visit with the path of each regular file that is taken, in order, and with the error
// of a directory that cannot be read. It returns the error of visit, of the root, or the cause when
// ctx ends.
func (t *tree) walk(ctx context.Context, visit func(path string, err error) error) error {
	return fs.WalkDir(t.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && p == ".":
			return err
		case err != nil:
			return visit(p, err)
		case !d.Type().IsRegular() || len(t.only) > 0 && !slices.Contains(t.only, extension(p)):
			return nil
		}
		return visit(p, nil)
	})
}

// list finds the files of a tree.
func (t *tree) list(ctx context.Context) error {
	numbers := map[string]int{}
	return t.walk(ctx, func(path string, err error) error {
		if err != nil {
			t.unlisted = append(t.unlisted, finding{path: path, err: err})
			return nil
		}
		ext := extension(path)
		k, known := numbers[ext]
		if !known {
			k = len(t.exts)
			numbers[ext] = k
			t.exts = append(t.exts, ext)
		}
		t.files = append(t.files, file{path: path, ext: k})
		return nil
	})
}

// extension returns the last dot of a name and what follows, in lower case. A dot at the start or
// at the end of the name makes no extension.
func extension(name string) string {
	base := path.Base(name)
	k := strings.LastIndexByte(base, '.')
	if k <= 0 || k == len(base)-1 {
		return "(none)"
	}
	return strings.ToLower(base[k:])
}

// texts holds the memory that files are read into.
var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// withText calls use once with the text of a file, and with the error that ended the reading early.
// The text is valid until use returns.
func withText(fsys fs.FS, path string, use func(text []byte, err error)) {
	f, err := fsys.Open(path)
	if err != nil {
		use(nil, err)
		return
	}
	defer f.Close()
	text := texts.Get().(*bytes.Buffer)
	defer texts.Put(text)
	text.Reset()
	_, err = text.ReadFrom(f)
	use(text.Bytes(), err)
}
