package brokenfs

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing/fstest"
)

// Err is why something cannot be read.
var Err = errors.New("broken")

// readable is how many bytes can be read of a file whose name contains "noread".
const readable = 10

// FS has the given files. Those whose names contain "noopen" cannot be opened, of those whose names contain "noread" only
// the first ten bytes can be read, and directories whose names end with "nolist" cannot be listed.
type FS struct{ fstest.MapFS }

// Open implements fs.FS.
func (b FS) Open(name string) (fs.File, error) {
	if strings.Contains(name, "noopen") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: Err}
	}
	f, err := b.MapFS.Open(name)
	if err == nil && strings.Contains(name, "noread") {
		return &file{f, readable}, nil
	}
	return f, err
}

// ReadDir implements fs.ReadDirFS.
func (b FS) ReadDir(name string) ([]fs.DirEntry, error) {
	if strings.HasSuffix(name, "nolist") {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: Err}
	}
	return b.MapFS.ReadDir(name)
}

type file struct {
	fs.File
	left int
}

func (f *file) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, Err
	}
	n, err := f.File.Read(p[:min(len(p), f.left)])
	f.left -= n
	if err == io.EOF {
		return n, Err
	}
	return n, err
}
