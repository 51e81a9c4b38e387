package index

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// NoExtension is what files without an extension are counted under.
const NoExtension = "(none)"

// File is a file of a tree.
type File struct {
	// Path is the file's name in the tree, with slashes.
	Path string
	// Ext is the number of its extension in Tree.Exts.
	Ext int
}

// Tree is the files that are to be counted.
type Tree struct {
	FS fs.FS
	// Name is what the user knows the tree by.
	Name string
	// Files are the regular files in lexical order of their paths' elements.
	Files []File
	// Exts are the extensions of the files, in the order in which they first occur: in lower case,
	// with their dot.
	Exts []string
	// Unlisted are the directories that could not be read, in the order of the walk.
	Unlisted []error
}

// Walk finds the regular files below the root of fsys; symbolic links are not followed. With
// extensions given, only files that have one of them are taken. A directory that cannot be read is
// noted, and left out; only when the root itself cannot be read, or ctx ends, the walk fails.
func Walk(ctx context.Context, fsys fs.FS, name string, only []string) (*Tree, error) {
	t := &Tree{FS: fsys, Name: name}
	wanted := make([]string, 0, len(only))
	for _, e := range only {
		wanted = append(wanted, normalExt(e))
	}
	numbers := map[string]int{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && p == ".":
			return err
		case err != nil:
			t.Unlisted = append(t.Unlisted, err)
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		ext := Ext(p)
		if len(wanted) > 0 && !slices.Contains(wanted, ext) {
			return nil
		}
		k, known := numbers[ext]
		if !known {
			k = len(t.Exts)
			numbers[ext] = k
			t.Exts = append(t.Exts, ext)
		}
		t.Files = append(t.Files, File{Path: p, Ext: k})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Ext returns the extension that a file is counted under: the last dot of its name and what follows,
// in lower case. A dot at the start or the end of the name makes no extension.
func Ext(name string) string {
	base := path.Base(name)
	k := strings.LastIndexByte(base, '.')
	if k <= 0 || k == len(base)-1 {
		return NoExtension
	}
	return strings.ToLower(base[k:])
}

// normalExt is an extension as a user writes it, with or without its dot.
func normalExt(e string) string {
	e = strings.ToLower(strings.TrimSpace(e))
	if e == "" || e == NoExtension {
		return NoExtension
	}
	return "." + strings.TrimPrefix(e, ".")
}
