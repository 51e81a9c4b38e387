package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const many = `//go:build !never

package a

import (
	"fmt"
	"strings"
	"testing"
	r "math/rand/v2"
)

// number is a type with a method.
type number int

func (n number) String() string { return fmt.Sprint(int(n)) }

const (
	first = iota
	second
)

func help(n number) string { return n.String() }

func TestOne(t *testing.T) { _ = help(second) }

// TestTwo is about strings.
func TestTwo(t *testing.T) { _ = strings.Repeat("a", r.IntN(2)) }

func BenchmarkOne(b *testing.B) { help(0) }
`

func TestPrunedKeepsWhatTheTestsNeedOnItsLines(t *testing.T) {
	dir := module(t, map[string]string{
		"a_test.go":    many,
		"b_test.go":    "package a\n\nimport \"os\"\n\nfunc init() { other() }\n\nfunc TestB() { os.Exit(1) }\n",
		"c_test.go":    "package a\n\nfunc other() {}\n",
		"main_test.go": "package a\n\nfunc TestMain(m *testing.M) { m.Run() }\n",
	})
	lines := func(run string) (out []string) {
		files, err := pruned(dir, run)
		require.NoError(t, err)
		require.Len(t, files, 4)
		text := string(files[filepath.Join(dir, "a_test.go")])
		require.Equal(t, strings.Count(many, "\n"), strings.Count(text, "\n"))
		before := strings.Split(many, "\n")
		for i, line := range strings.Split(text, "\n") {
			if strings.TrimSpace(line) != "" {
				require.Equal(t, strings.TrimSpace(before[i]), strings.TrimSpace(line), "each is where it was")
				out = append(out, strings.TrimSpace(line))
			}
		}
		require.Equal(t, []string{"package a", "func init() { other() }"}, blankless(string(files[filepath.Join(dir, "b_test.go")])))
		require.Contains(t, string(files[filepath.Join(dir, "c_test.go")]), "func other() {}")
		require.Contains(t, string(files[filepath.Join(dir, "main_test.go")]), "func TestMain(")
		return out
	}
	one := strings.Join(lines("^TestOne$/sub"), "\n")
	for _, has := range []string{"//go:build !never", `"fmt"`, `"testing"`, "// number is", "func (n number)", "first = iota", "func help", "func TestOne"} {
		require.Contains(t, one, has)
	}
	for _, not := range []string{"strings", "rand", "Two", "Benchmark"} {
		require.NotContains(t, one, not)
	}
	two := strings.Join(lines("Two"), "\n")
	for _, has := range []string{`"strings"`, `r "math/rand/v2"`, `"testing"`, "// TestTwo is", "func TestTwo"} {
		require.Contains(t, two, has)
	}
	for _, not := range []string{"fmt", "number", "iota", "help", "TestOne"} {
		require.NotContains(t, two, not)
	}
}

// blankless returns the lines that are not blank.
func blankless(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func TestPrunedRefusesWhatIsNotGo(t *testing.T) {
	_, err := pruned(module(t, map[string]string{"a_test.go": "package"}), "Test")
	require.Error(t, err)
	_, err = pruned(t.TempDir(), "(")
	require.Error(t, err)
}

func TestTops(t *testing.T) {
	for run, want := range map[string][]string{
		"TestA":                 {"TestA"},
		"^TestA$/x|TestB/y/z|C": {"^TestA$", "TestB", "C"},
		"Test(A|B)/(x|y)|[|/]":  {"Test(A|B)", "[|/]"},
	} {
		require.Equal(t, want, tops(run), run)
	}
}

// What the library hides from the race detector is shown in a trial in which all of it is visible;
// what its tests hide is not.
func TestWhatTestsHideStaysHidden(t *testing.T) {
	const hidden = "package safety\n\nimport \"testing\"\n\n//go:norace\nfunc %s(t *testing.T) {}\n"
	root := module(t, map[string]string{
		"safety/a.go":      fmt.Sprintf(hidden, "A"),
		"safety/a_test.go": fmt.Sprintf(hidden, "TestA"),
	})
	folder := t.TempDir()
	name, err := overlay(root, folder, nil, trial{pkg: "./safety", tags: "custody_explore", race: true, run: "TestA"}, true)
	require.NoError(t, err)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var o struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(text, &o))
	require.Len(t, o.Replace, 2)
	for of, by := range o.Replace {
		text, err := os.ReadFile(by)
		require.NoError(t, err)
		require.Equal(t, strings.HasSuffix(of, "_test.go"), strings.Contains(string(text), "//go:norace"), of)
	}
}
