package grep

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/custody/examples/codeindex/internal/files"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// grepped is what GNU grep prints for the text files of a directory, files in the order of a walk. The flags
// have it look at what a query looks at, byte by byte.
func grepped(t *testing.T, pattern, dir string, flags ...string) string {
	t.Helper()
	args := append([]string{"-rnIE", "--null"}, flags...)
	cmd := exec.Command("grep", append(args, "-e", pattern, dir)...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "GREP_OPTIONS=", "GREP_COLORS=")
	out, err := cmd.Output()
	if exit := new(exec.ExitError); err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "no line matches: %s", exit.Stderr)
	}
	type line struct{ path, rest []byte }
	var lines []line
	for l := range bytes.Lines(out) {
		path, rest, found := bytes.Cut(l, []byte{0})
		require.True(t, found, "%q", l)
		lines = append(lines, line{path, rest})
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return slices.CompareFunc(bytes.Split(a.path, []byte("/")), bytes.Split(b.path, []byte("/")), bytes.Compare)
	})
	var b bytes.Buffer
	for _, l := range lines {
		b.Write(l.path)
		b.WriteByte(':')
		b.Write(l.rest)
	}
	return b.String()
}

func needGrep(t *testing.T) {
	t.Helper()
	version, err := exec.Command("grep", "--version").Output()
	if err != nil || !strings.Contains(string(version), "GNU grep)") {
		t.Skip("there is no GNU grep")
	}
}

func TestGrepPrintsTheSame(t *testing.T) {
	needGrep(t)
	embedded, err := filepath.Abs("../files/tree")
	require.NoError(t, err)
	for _, tree := range []struct {
		dir   string
		exts  []string
		flags []string
		some  string // what has to be found there
	}{
		{embedded, nil, nil, "main.go.txt:5:func main() {\n"},
		{embedded, []string{"txt"}, []string{"--include=*.txt"}, "main.go.txt:5:func main() {\n"},
		{onDisk(t, odd(1<<20)), nil, nil, "blanks in/dirs too.go:2: func blank\n"},
		{onDisk(t, odd(1<<20)), []string{"go"}, []string{"--include=*.go", "--include=*.GO"}, "no newline.go:3:func last\n"},
	} {
		for n, pattern := range []string{"func", "^func", "Errorf|a1[.]b", ".", "", "nowhere", "^$", "^[^a-z]*$"} {
			source, err := files.Open(context.Background(), tree.dir)
			require.NoError(t, err)
			q := Query{Source: source, Exts: tree.exts, Pattern: regexp.MustCompile(pattern)}
			want := grepped(t, pattern, tree.dir, tree.flags...)
			if pattern == "func" {
				require.Contains(t, want, tree.dir+"/"+tree.some)
			}
			for name, search := range both {
				var out, errs bytes.Buffer
				require.NoError(t, search(context.Background(), q, NewPrinter(&out, &errs, source.Prefix)))
				if got := out.String(); got != want {
					t.Errorf("%s: %q in %s: %s", name, pattern, tree.dir, firstDifference(want, got))
				}
				if n == 0 && errs.Len() > 0 {
					assert.Contains(t, errs.String(), "/nul.go: binary file matches\n")
					assert.NotContains(t, errs.String(), "not read")
				}
			}
		}
	}
}

// firstDifference shows where two texts part.
func firstDifference(want, got string) string {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for k := range min(len(w), len(g)) {
		if w[k] != g[k] {
			return "got " + short(g[k]) + ", want " + short(w[k])
		}
	}
	return "one is the beginning of the other"
}

func short(s string) string { return s[:min(len(s), 200)] }
