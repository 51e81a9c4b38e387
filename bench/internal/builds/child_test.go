package builds

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/rows"
)

func TestServeSaysItsBuildAndAnswersEveryNumberWithATime(t *testing.T) {
	for _, side := range []string{rows.Ours, goroutines} {
		var out strings.Builder
		require.NoError(t, Serve(steps, side, strings.NewReader("1\n3\n"), &out))
		lines := strings.Fields(out.String())
		require.Len(t, lines, 3)
		assert.Contains(t, flags, lines[0])
		for _, l := range lines[1:] {
			assert.Regexp(t, `^[1-9]\d*$`, l)
		}
	}
}

func TestServeRefusesWhatItDoesNotKnow(t *testing.T) {
	assert.Error(t, Serve("nothing of the kind", rows.Ours, strings.NewReader(""), &strings.Builder{}))
	assert.Error(t, Serve(steps, rows.Ours, strings.NewReader("many\n"), &strings.Builder{}))
}

// Both sides check what they have made.
func TestComparedWorksAreRight(t *testing.T) {
	for _, name := range slices.Concat(Checking.works, Racing.works) {
		require.Contains(t, works, name)
		w := works[name]()
		assert.Positive(t, w.units)
		for range 3 {
			w.ours()
		}
		if slices.Contains(Racing.works, name) {
			for range 3 {
				w.goroutines()
			}
		}
	}
}

func TestAChildOfAnotherBuildIsRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, buildChild(dir, "unchecked"))
	c, err := startChild(dir, "unchecked", steps, rows.Ours)
	require.NoError(t, err)
	c.stop()
	require.NoError(t, os.Rename(filepath.Join(dir, "unchecked"), filepath.Join(dir, "race")))
	_, err = startChild(dir, "race", steps, rows.Ours)
	assert.ErrorContains(t, err, `"unchecked" instead of "race"`)
}
