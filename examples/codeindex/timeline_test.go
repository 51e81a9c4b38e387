package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTimelineHasTheBatchesOfTheRun(t *testing.T) {
	dir, to := sample(t), t.TempDir()
	for mode, batches := range map[string]int{"-repeat 1": 3, "-words -repeat 1": 3, "-query a*": 3, "-grep a": 1, "-stats": 3} {
		for _, workers := range []string{"1", "2", "8"} {
			write := func(ext string) string {
				file := filepath.Join(to, "run"+ext)
				var stderr bytes.Buffer
				args := append([]string{"-dir", dir, "-workers", workers, "-batch", "1", "-timeline", file}, strings.Fields(mode)...)
				require.Zero(t, run(context.Background(), args, io.Discard, &stderr), stderr.String())
				assert.Contains(t, stderr.String(), "timeline: "+file+"\n")
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				return string(text)
			}
			assert.GreaterOrEqual(t, strings.Count(write(".svg"), "<rect "), batches, mode)
			assert.True(t, json.Valid([]byte(write(".json"))), mode)
			assert.Regexp(t, `^digraph jobs \{`, write(".dot"))
		}
	}
}

func TestTimelinesThatAreRefused(t *testing.T) {
	dir := sample(t)
	nowhere := filepath.Join(dir, "missing", "x.svg")
	codeindex.Says(t, exitUsage, "codeindex: -timeline x.png: the name ends in .svg, .json or .dot\n", "-timeline", "x.png", "-dir", dir)
	codeindex.Says(t, exitUsage, "codeindex: -timeline draws jobs, and -sequential runs none\n", "-timeline", "x.svg", "-sequential", "-dir", dir)
	_, stderr := codeindex.Exits(t, exitFailed, "-timeline", nowhere, "-repeat", "1", "-dir", dir)
	assert.Contains(t, stderr, "codeindex: open "+nowhere)
	_, stderr = codeindex.Exits(t, exitTrouble, "-timeline", nowhere, "-grep", "a", "-dir", dir)
	assert.Contains(t, stderr, "codeindex: open "+nowhere)
}
