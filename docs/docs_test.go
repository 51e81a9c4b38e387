// Package docs_test builds the code in the essays, and runs what of it are tests.
package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// blocks returns the blocks of Go code in a text.
func blocks(text string) (found []string) {
	for {
		_, rest, ok := strings.Cut(text, "\n```go\n")
		if !ok {
			return found
		}
		code, rest, ok := strings.Cut(rest, "\n```\n")
		if !ok {
			return append(found, "a block that does not end")
		}
		found, text = append(found, code+"\n"), rest
	}
}

func TestBlocks(t *testing.T) {
	require.Empty(t, blocks("no code\n```\nfunc\n```\n"))
	require.Equal(t, []string{"a\nb\n", "c\n"}, blocks("x\n```go\na\nb\n```\ny\n```go\nc\n```\n"))
	require.Len(t, blocks("x\n```go\na\n"), 1)
}

// pkg is where an overlay puts the code of an essay: in the module, so that it may import what is
// internal to it.
const pkg = "./testdata/essay"

// overlay puts the blocks into pkg, in place of what is there. It returns the name of the overlay's
// file.
func overlay(t *testing.T, code []string) (file string) {
	t.Helper()
	dir, err := filepath.Abs(pkg)
	require.NoError(t, err)
	replace := map[string]string{filepath.Join(dir, "essay.go"): ""}
	for i, block := range code {
		kind := ""
		if strings.Contains(block, "\nfunc Test") || strings.Contains(block, "\nfunc Example") {
			kind = "_test"
		}
		base := fmt.Sprintf("block%d%s.go", i+1, kind)
		real := filepath.Join(t.TempDir(), base)
		require.NoError(t, os.WriteFile(real, []byte(block), 0o666))
		replace[filepath.Join(dir, base)] = real
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	return file
}

// needsGo skips a test that builds packages: in short mode, where there is no go command, and with
// -race.
func needsGo(t *testing.T) {
	t.Helper()
	lawtest.WithoutRace(t)
	if testing.Short() {
		t.Skip("builds packages")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
}

// goTool runs the go command and returns what it printed.
func goTool(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false "+os.Getenv("CUSTODY_GOFLAGS"))
	out, err := c.CombinedOutput()
	return string(out), err
}

// tagged are the essays whose code needs a build tag.
var tagged = map[string]string{"explorer.md": "custody_explore"}

// excerpts are the essays that show parts of packages which have tests of their own, and where
// these are.
var excerpts = map[string][]string{"custom-container.md": {"../examples/stack", "../examples/customcontainer/internal/tally"}}

// missing returns the blocks that are not, line for line, part of a Go file in the directories.
func missing(t *testing.T, code []string, dirs []string) (found []string) {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		more, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, more)
		files = append(files, more...)
	}
	var all strings.Builder
	all.WriteString("\n")
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.WriteString(string(text) + "\n")
	}
	for _, block := range code {
		if !strings.Contains(all.String(), "\n"+block) {
			found = append(found, block)
		}
	}
	return found
}

func TestExcerptsAreOfTheirPackage(t *testing.T) {
	for essay, dirs := range excerpts {
		text, err := os.ReadFile(essay)
		require.NoError(t, err)
		code := blocks(string(text))
		require.NotEmpty(t, code)
		require.Empty(t, missing(t, code, dirs), "%s shows what is not in %s", essay, dirs)
		for _, block := range code {
			changed := strings.TrimSuffix(block, "\n") + " //\n"
			require.Len(t, missing(t, []string{changed, "/" + block}, dirs), 2)
		}
	}
}

// The page on containers of one's own shows every method of the interfaces that it needs: as one of
// a type of the page, with its signature. Code that lacks one compiles, and is refused or wrong.
func TestThePageShowsWhatDriversCall(t *testing.T) {
	text, err := os.ReadFile("custom-container.md")
	require.NoError(t, err)
	code := strings.Join(blocks(string(text)), "\n")
	for _, of := range []reflect.Type{
		reflect.TypeFor[safety.Binder](), reflect.TypeFor[interface{ Claim(c *safety.Claim) }](), reflect.TypeFor[safety.RangeView](),
		reflect.TypeFor[safety.SpanView](), reflect.TypeFor[safety.Phased](),
	} {
		for m := range of.Methods() {
			method := regexp.MustCompile(`(?m)^func \(\w+ \*\w+(\[T\])?\) ` + m.Name + `\(`)
			require.True(t, method.MatchString(code), "%s has the method %s", of, m.Name)
		}
	}
}

// What the other essays show as Go is whole files, which build, pass vet, and pass as tests.
func TestCodeOfEssays(t *testing.T) {
	needsGo(t)
	essays, err := filepath.Glob("*.md")
	require.NoError(t, err)
	require.NotEmpty(t, essays)
	for _, essay := range essays {
		t.Run(essay, func(t *testing.T) {
			text, err := os.ReadFile(essay)
			require.NoError(t, err)
			code := blocks(string(text))
			if len(code) == 0 || excerpts[essay] != nil {
				return
			}
			file := overlay(t, code)
			flags := []string{"-overlay", file, "-tags", tagged[essay]}
			out, err := goTool(t, append(append([]string{"vet"}, flags...), pkg)...)
			require.NoError(t, err, "%s", out)
			binary := filepath.Join(t.TempDir(), "essay.test")
			out, err = goTool(t, append(append([]string{"test", "-c", "-o", binary}, flags...), pkg)...)
			require.NoError(t, err, "%s", out)
			if _, err := os.Stat(binary); err != nil {
				return // it has no tests
			}
			c := exec.Command(binary, "-test.v")
			c.Dir = t.TempDir()
			c.Env = append(os.Environ(), "CUSTODY_SCHEDULES=none", "CUSTODY_REPLAY=")
			ran, err := c.CombinedOutput()
			require.NoError(t, err, "%s", ran)
			require.Contains(t, string(ran), "--- PASS")
		})
	}
}

// Code that does not build is noticed.
func TestBadCodeIsNoticed(t *testing.T) {
	needsGo(t)
	file := overlay(t, []string{"package bad\n\nfunc f() int { return \"\" }\n"})
	out, err := goTool(t, "vet", "-overlay", file, pkg)
	require.Error(t, err)
	require.Contains(t, out, "cannot use")
}
