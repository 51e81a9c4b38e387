package index

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

// Source returns the tree to count: dir, or when that is empty the source tree of the Go installation,
// or when there is none a small tree that is part of the program.
func Source(ctx context.Context, dir string) (fsys fs.FS, name string, err error) {
	if dir != "" {
		if err := isDirectory(dir); err != nil {
			return nil, "", err
		}
		return os.DirFS(dir), dir, nil
	}
	for _, root := range goRoots(ctx) {
		src := filepath.Join(root, "src")
		if isDirectory(src) == nil {
			return os.DirFS(src), src, nil
		}
	}
	fsys, err = fs.Sub(small, "tree")
	return fsys, smallName, err
}

func isDirectory(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	return nil
}

// goRoots returns where the Go installation may be, likeliest first.
func goRoots(ctx context.Context) (roots []string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output(); err == nil {
		roots = append(roots, strings.TrimSpace(string(out)))
	}
	roots = append(roots, os.Getenv("GOROOT"), runtime.GOROOT()) //nolint:staticcheck // last resort, without a go command
	kept := roots[:0]
	for _, r := range roots {
		if r != "" {
			kept = append(kept, r)
		}
	}
	return kept
}
