package index

import (
	"context"
	"io/fs"

	"example.com/custody/examples/codeindex/internal/files"
)

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

// Walk lists the files of fsys that have one of the extensions, or all when none is given, as
// [files.Walk] finds them. A directory that cannot be read is noted, and left out; only when the root
// itself cannot be read, or ctx ends, the walk fails.
func Walk(ctx context.Context, fsys fs.FS, name string, only []string) (*Tree, error) {
	t := &Tree{FS: fsys, Name: name}
	numbers := map[string]int{}
	err := files.Walk(ctx, fsys, only, func(e files.Entry) error {
		if e.Err != nil {
			t.Unlisted = append(t.Unlisted, e.Err)
			return nil
		}
		ext := files.Ext(e.Path)
		k, known := numbers[ext]
		if !known {
			k = len(t.Exts)
			numbers[ext] = k
			t.Exts = append(t.Exts, ext)
		}
		t.Files = append(t.Files, File{Path: e.Path, Ext: k})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}
