package gates

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/svg"
)

// TestPictures: the texts of a picture do not overlap and do not leave it, in any usual font, and
// have their colours for light and for dark.
func TestPictures(t *testing.T) {
	hold(t, unreadable, sources(t, func(s *source) bool { return path.Ext(s.path) == ".svg" }))
	picture := func(x, y float64) *source {
		p := svg.New(100, 40, "")
		p.Text("", svg.Normal, 5, 15, svg.Start, "first")
		p.Text("", svg.Normal, x, y, svg.Start, "second")
		var b bytes.Buffer
		_, err := p.WriteTo(&b)
		require.NoError(t, err)
		return &source{path: "a.svg", text: b.Bytes()}
	}
	require.Empty(t, unreadable(picture(5, 32)))
	require.Len(t, unreadable(picture(20, 20)), 1, "on the first")
	require.Len(t, unreadable(picture(80, 32)), 1, "leaves the picture")
	require.Len(t, unreadable(&source{path: "a.svg", text: []byte(`<svg viewBox="0 0 9 9"></svg>`)}), 1, "one scheme")
	require.Len(t, unreadable(&source{path: "a.svg", text: []byte(`<svg>`)}), 1)
}

func unreadable(s *source) (found []string) {
	text := s.text
	if text == nil {
		var err error
		if text, err = os.ReadFile(filepath.Join(root(), filepath.FromSlash(s.path))); err != nil {
			return []string{err.Error()}
		}
	}
	lines, err := svg.Overlaps(bytes.NewReader(text))
	if err != nil {
		return []string{s.path + ": " + err.Error()}
	}
	for _, line := range lines {
		found = append(found, s.path+": "+line)
	}
	if !bytes.Contains(text, []byte("prefers-color-scheme")) {
		found = append(found, s.path+" has one scheme of colours")
	}
	return found
}
