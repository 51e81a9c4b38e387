package gates

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// modulePath is how the module calls itself, read from go.mod.
var modulePath = sync.OnceValue(func() string {
	b, err := os.ReadFile(filepath.Join(root(), "go.mod"))
	if err != nil {
		panic(err)
	}
	rest, _ := strings.CutPrefix(string(b), "module ")
	name, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(name)
})

// root is the directory of the module.
var root = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return filepath.Dir(filepath.Dir(dir))
})

// source is one file of the tree. Paths have slashes and are relative to the module's directory.
type source struct {
	path string
	text []byte
	file *ast.File // of a Go file
	fset *token.FileSet
}

// dir is the package's directory, "." for the root.
func (s *source) dir() string { return path.Dir(s.path) }

func (s *source) isGo() bool   { return s.file != nil }
func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// inModule reports whether the file belongs to the library's module and not to one in a directory
// of it.
func (s *source) inModule() bool {
	return !under(s.path, "examples") && !under(s.path, "bench") && !under(s.path, "vet")
}

// at names a place in the file.
func (s *source) at(n ast.Node) string {
	return s.path + ":" + strconv.Itoa(s.fset.Position(n.Pos()).Line)
}

// imports lists what a Go file imports.
func (s *source) imports() (paths []string) {
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err)
		}
		paths = append(paths, p)
	}
	return paths
}

// under reports whether the file lies in the directory.
func under(file, dir string) bool { return strings.HasPrefix(file, dir+"/") }

// tree reads every file of the project. Directories that begin with a dot are not part of it, save
// for .ci, nor are results of benchmarks. Only Go, Markdown and CI files are read.
var tree = sync.OnceValues(func() ([]*source, error) {
	var all []*source
	err := filepath.WalkDir(root(), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root(), name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && rel != "." && rel != ".ci"
			if hidden || rel == "bench/results" || d.Name() == "vendor" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		s := &source{path: rel}
		switch {
		case strings.HasSuffix(rel, ".go"):
			if s.text, err = os.ReadFile(name); err != nil {
				return err
			}
			s.fset = token.NewFileSet()
			if s.file, err = parser.ParseFile(s.fset, rel, s.text, parser.ParseComments); err != nil {
				return err
			}
		case strings.HasSuffix(rel, ".md") || under(rel, ".ci"):
			if s.text, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		all = append(all, s)
		return nil
	})
	return all, err
})

// sources returns the files of the project that keep wants. It skips the test with -race.
func sources(t testing.TB, keep func(s *source) bool) (kept []*source) {
	t.Helper()
	lawtest.WithoutRace(t)
	all, err := tree()
	require.NoError(t, err)
	for _, s := range all {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	require.NotEmpty(t, kept, "the gate looks at no file")
	return kept
}

// sample parses a source that a gate is tried on.
func sample(t testing.TB, name, text string) *source {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	require.NoError(t, err)
	return &source{path: name, text: []byte(text), file: f, fset: fset}
}

// gate looks at one file and says what is wrong with it.
type gate func(s *source) []string

// hold fails the test with everything that the gate finds.
func hold(t *testing.T, g gate, files []*source) {
	t.Helper()
	var found []string
	for _, s := range files {
		found = append(found, g(s)...)
	}
	report(t, found)
}

// report fails the test with what was found.
func report(t *testing.T, found []string) {
	t.Helper()
	if len(found) > 0 {
		slices.Sort(found)
		t.Errorf("%d found:\n\t%s", len(found), strings.Join(found, "\n\t"))
	}
}

// trip runs the gate over a source that breaks its rule once, and fails when the gate finds no
// break or more than one.
func trip(t *testing.T, g gate, name, text string) {
	t.Helper()
	found := g(sample(t, name, text))
	require.Len(t, found, 1, "the gate must find the one break in:\n%s", text)
}

// isDriver reports whether the file's synchronisation goes through internal/atom. That of the whole
// library does, except in tests, in internal/atom itself and in what stands behind it.
func isDriver(s *source) bool {
	if !s.isGo() || s.isTest() || !s.inModule() || strings.Contains(s.path, "/testdata/") {
		return false
	}
	for _, d := range []string{"internal/atom", "internal/explore", "internal/sched", "internal/gates", "internal/lawtest", "internal/tools", "fuzz", "docs"} {
		if under(s.path, d) {
			return false
		}
	}
	return true
}

// isPublic reports whether the file belongs to a package that users import.
func isPublic(s *source) bool {
	return isDriver(s) && !under(s.path, "internal")
}

// goTool runs the go command for the machine it runs on, in the module's directory or dir.
func goTool(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	out, err := tryGoTool(dir, env, args...)
	require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), out)
	return out
}

func tryGoTool(dir string, env []string, args ...string) (string, error) {
	if dir == "" {
		dir = root()
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	for _, e := range os.Environ() {
		switch name, _, _ := strings.Cut(e, "="); name {
		case "GOOS", "GOARCH", "GOFLAGS", "GOWORK", "PWD", "GOCOVERDIR":
		default:
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, "PWD="+dir, "GOWORK=off", "GOFLAGS=-buildvcs=false "+os.Getenv("CUSTODY_GOFLAGS"))
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("go %s: %w", args[0], err)
	}
	return out.String(), nil
}

// needsGo skips the test where there is no go command to run, as in a test binary taken elsewhere.
func needsGo(t testing.TB) {
	t.Helper()
	if safety.Strict || !safety.Enabled || atom.Explored {
		t.Skip("it is the same tree at every level: ordinary builds look")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
}
