package files

import (
	"context"
	"io/fs"
	"slices"
)

// Entry is what a walk comes by: a file, or a directory that could not be read.
type Entry struct {
	// Path is the name in the tree, with slashes.
	Path string
	// Err says why a directory could not be read; it is nil for a file.
	Err error
}

// Walk calls visit with the regular files below the root of fsys, in lexical order of their paths'
// elements; symbolic links are not followed. With extensions given, only files that have one of them are
// taken. A directory that cannot be read is an entry with an error, and the walk goes on. It ends early
// with the error of visit, with the cause when ctx ends, or when the root itself cannot be read.
//
// Memory: the names in one directory at each level.
func Walk(ctx context.Context, fsys fs.FS, only []string, visit func(Entry) error) error {
	wanted := make([]string, 0, len(only))
	for _, e := range only {
		wanted = append(wanted, normalExt(e))
	}
	return fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && p == ".":
			return err
		case err != nil:
			return visit(Entry{Path: p, Err: err})
		case !d.Type().IsRegular():
			return nil
		case len(wanted) > 0 && !slices.Contains(wanted, Ext(p)):
			return nil
		}
		return visit(Entry{Path: p})
	})
}
