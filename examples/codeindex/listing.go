package main

import (
	"context"
	"time"

	"example.com/custody/examples/codeindex/internal/files"
	"example.com/custody/examples/codeindex/internal/index"
)

// listing is the tree that the options name, with the files that they select.
type listing struct {
	*index.Tree
	prefix string        // of a path, where the user is to find the file
	took   time.Duration // to list them
}

func list(ctx context.Context, o options) (listing, error) {
	source, err := files.Open(ctx, o.dir)
	if err != nil {
		return listing{}, err
	}
	began := time.Now()
	tree, err := index.Walk(ctx, source.FS, source.Name, o.exts)
	return listing{tree, source.Prefix, time.Since(began)}, err
}
