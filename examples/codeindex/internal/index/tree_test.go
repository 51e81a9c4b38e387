package index

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/examples/codeindex/internal/files"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWalkListsRegularFilesInOrderAndNumbersTheirExtensions(t *testing.T) {
	fsys := fstest.MapFS{
		"b.go": {}, "a/z.s": {}, "a/b.go": {}, "c": {}, "link.go": {Mode: fs.ModeSymlink}, "d/e/f.S": {},
	}
	tree := walk(t, fsys)
	assert.Equal(t, []File{{"a/b.go", 0}, {"a/z.s", 1}, {"b.go", 0}, {"c", 2}, {"d/e/f.S", 1}}, tree.Files)
	assert.Equal(t, []string{".go", ".s", files.NoExtension}, tree.Exts)

	tree = walk(t, fsys, "GO", " .s")
	assert.Len(t, tree.Files, 4)
	tree = walk(t, fsys, files.NoExtension)
	assert.Equal(t, []File{{"c", 0}}, tree.Files)
}

func TestWalkNotesDirectoriesThatCannotBeRead(t *testing.T) {
	tree := walk(t, brokenfs.FS{MapFS: fstest.MapFS{"a.go": {}, "nolist/b.go": {}, "z.go": {}}})
	assert.Len(t, tree.Files, 2)
	require.Len(t, tree.Unlisted, 1)
	assert.ErrorIs(t, tree.Unlisted[0], brokenfs.Err)
}

func TestWalkFailsWhenTheRootCannotBeRead(t *testing.T) {
	_, err := Walk(context.Background(), os.DirFS(filepath.Join(t.TempDir(), "missing")), "missing", nil)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
