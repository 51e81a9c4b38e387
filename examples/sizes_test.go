package examples_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(b)
}

func lines(t *testing.T, name string) int { return strings.Count(text(t, name), "\n") }

// larger are the programs with a core of a file of its own, and how long that may be.
var larger = map[string]int{
	"codeindex": 150, "components": 150, "eventsim": 100, "fixedupdate": 100, "locate": 140, "projectiles": 150,
	"rasterizer": 80, "router": 150, "spatialhash": 150,
}

func TestProgramsAreShortAndListed(t *testing.T) {
	readme := text(t, "README.md")
	dirs, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, d := range dirs {
		name := d.Name()
		switch most := larger[name]; {
		case !d.IsDir() || slices.Contains([]string{"frame", "internal", "stack", "violations"}, name):
		case most == 0:
			assert.LessOrEqual(t, lines(t, name+"/main.go"), 80, name)
			assert.Contains(t, readme, "["+name+"]("+name+"/")
		default:
			n := lines(t, name+"/core.go")
			assert.LessOrEqual(t, n, most, name)
			assert.Contains(t, readme, fmt.Sprintf("[%d lines](%s/core.go)", n, name))
		}
	}
	index := 0
	files, err := filepath.Glob("codeindex/*.go")
	require.NoError(t, err)
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			index += lines(t, f)
		}
	}
	assert.LessOrEqual(t, index, 1500)
}

func TestDocumentsAreShort(t *testing.T) {
	words := 0
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			words += len(strings.Fields(text(t, name)))
		}
		return err
	}))
	assert.LessOrEqual(t, words, 1200)
}
