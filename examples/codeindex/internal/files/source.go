package files

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

//go:embed all:tree
var small embed.FS

// smallName is what the embedded tree is called.
const smallName = "the embedded tree"

// Source is a tree of files.
type Source struct {
	FS fs.FS
	// Name is what the user knows the tree by.
	Name string
	// Prefix is what a path in the tree is preceded by where the user is to find the file.
	Prefix string
}

// Open returns the tree to take: dir, or when that is empty the source tree of the Go installation, or
// when there is none a small tree that is part of the program. It fails when dir is no directory.
func Open(ctx context.Context, dir string) (Source, error) {
	if dir != "" {
		return directory(dir)
	}
	for _, root := range goRoots(ctx) {
		if s, err := directory(filepath.Join(root, "src")); err == nil {
			return s, nil
		}
	}
	return Embedded()
}

// Embedded returns the tree that is part of the program.
func Embedded() (Source, error) {
	fsys, err := fs.Sub(small, "tree")
	return Source{FS: fsys, Name: smallName}, err
}

func directory(dir string) (Source, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return Source{}, err
	}
	if !info.IsDir() {
		return Source{}, fmt.Errorf("%s is not a directory", dir)
	}
	return Source{FS: os.DirFS(dir), Name: dir, Prefix: strings.TrimSuffix(dir, "/") + "/"}, nil
}

// goRoots returns where the Go installation may be, likeliest first.
func goRoots(ctx context.Context) (roots []string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output(); err == nil {
		roots = append(roots, strings.TrimSpace(string(out)))
	}
	//lint:ignore SA1019 it is the last resort, without a go command
	roots = append(roots, os.Getenv("GOROOT"), runtime.GOROOT())
	kept := roots[:0]
	for _, r := range roots {
		if r != "" {
			kept = append(kept, r)
		}
	}
	return kept
}
