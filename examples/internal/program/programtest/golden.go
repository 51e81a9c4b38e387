package programtest

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Update says that what a test compares with a file is to be written to the file.
var Update = flag.Bool("update", false, "write what the program prints and draws to the files that it is compared with")

// Golden fails unless the file has that text.
func Golden(t testing.TB, file, text string) {
	t.Helper()
	if *Update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "with -update the test writes %s anew", filepath.Base(file))
}

// Drawn fails unless the file has the picture, pixel by pixel, that draw writes to a file of the
// name that it gets.
func Drawn(t testing.TB, file string, draw func(file string)) {
	t.Helper()
	drawn := file
	if !*Update {
		drawn = filepath.Join(t.TempDir(), filepath.Base(file))
	}
	draw(drawn)
	require.True(t, bytes.Equal(pixels(t, file), pixels(t, drawn)), "with -update the test draws %s anew", file)
}

func pixels(t testing.TB, file string) []uint8 {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	p, err := png.Decode(f)
	require.NoError(t, err)
	return p.(*image.Paletted).Pix
}
