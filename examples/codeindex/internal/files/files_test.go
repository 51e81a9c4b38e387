package files

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExt(t *testing.T) {
	for name, want := range map[string]string{
		"a.go": ".go", "d/A.GO": ".go", "Makefile": NoExtension, ".gitignore": NoExtension, "a.tar.gz": ".gz",
		"d.x/file": NoExtension, "a.": NoExtension, "d/.b.c": ".c",
	} {
		assert.Equal(t, want, Ext(name), name)
	}
}

func TestSourceTakesTheDirectoryOrRefusesIt(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(context.Background(), dir)
	require.NoError(t, err)
	assert.Equal(t, dir, s.Name)
	assert.Equal(t, dir+"/", s.Prefix)
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = Open(context.Background(), file)
	assert.ErrorContains(t, err, "is not a directory")
	_, err = Open(context.Background(), filepath.Join(dir, "missing"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestSourceWithoutADirectoryFindsSomethingToCount(t *testing.T) {
	s, err := Open(context.Background(), "")
	require.NoError(t, err)
	assert.NotEmpty(t, s.Name)
	entries, err := fs.ReadDir(s.FS, ".")
	require.NoError(t, err)
	assert.NotEmpty(t, entries)
}

func TestReadEndsWhenItIsTold(t *testing.T) {
	text := make([]byte, 3*BlockSize+5)
	fsys := fstest.MapFS{"f": {Data: text}}
	got := 0
	require.NoError(t, Read(fsys, "f", func(p []byte) bool { got += len(p); return true }))
	assert.Len(t, text, got)
	got = 0
	require.NoError(t, Read(fsys, "f", func(p []byte) bool { got += len(p); return false }))
	assert.Equal(t, BlockSize, got)
	assert.ErrorIs(t, Read(fsys, "g", nil), fs.ErrNotExist)
}

func TestAWalkEndsWithTheErrorOfItsVisitor(t *testing.T) {
	calls := 0
	err := Walk(context.Background(), fstest.MapFS{"a": {}, "b/c": {}}, nil, func(Entry) error { calls++; return os.ErrProcessDone })
	assert.ErrorIs(t, err, os.ErrProcessDone)
	assert.Equal(t, 1, calls)
}
