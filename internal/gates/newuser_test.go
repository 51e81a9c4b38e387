package gates

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program is what a newcomer writes first.
const program = `package main

import (
	"context"
	"fmt"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

type double struct {
	In   array.Reader[int]
	Out  array.Writer[int]
	Even counter.ParallelWriter
}

func (d *double) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		v := 2 * d.In.At(i)
		d.Out.Set(i, v)
		if v%4 == 0 {
			d.Even.Inc()
		}
	}
}

// halve is a body of a scheduled job.
func halve(w *array.Writer[int], i int) { w.Set(i, w.At(i)/2) }

func main() {
	const n = 10000
	numbers := make([]int, n)
	parallelfor.Ranges(n, func(begin, end int) {
		for i := begin; i < end; i++ {
			numbers[i] = 2 * i
		}
	})
	in, out, even := array.Of(numbers), array.New[int](n), counter.New()
	halved := parallelfor.Schedule(n, in.Writer(), halve)
	job := double{in.Reader(), out.Writer(), even.ParallelWriter()}
	parallelfor.ForBatch(n, job, (*double).ExecuteBatch, parallelfor.After(halved))
	sum := 0
	for _, v := range out.All() {
		sum += v
	}
	backwards := array.New[int](n)
	if err := parallelfor.RunKind(context.Background(), n, backwards.Writer(), fromTheEnd{}); err != nil {
		panic(err)
	}
	fmt.Println(sum, even.Value(), backwards.At(n-1))
}

// fromTheEnd is a kind of job of the newcomer's own: it counts each batch from its end.
type fromTheEnd struct{}

func (fromTheEnd) PerIndex() bool { return false }

func (fromTheEnd) Loop(w *array.Writer[int], r *parallelfor.Batches) error {
	for r.Next() {
		for i := r.End() - 1; i >= r.Begin(); i-- {
			w.Set(i, r.End()-i)
		}
	}
	return nil
}
`

// programTest runs it as a test, which is how newcomers meet the race detector.
const programTest = `package main

import "testing"

func TestProgram(t *testing.T) { main() }
`

// testLibraries are what the library's own tests, examples and benchmarks use and its users never
// see.
var testLibraries = []string{"gopter", "testify", "porcupine", "goleak", "yaml", "xsync"}

// TestNewUser: a module elsewhere imports every public package, builds, runs, and passes under the
// race detector, with nothing but the library and the standard library in its build.
func TestNewUser(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	needsGo(t)
	dir := newModule(t, map[string]string{
		"main.go":      program,
		"main_test.go": programTest,
		"all.go":       importsOfAll(t),
	})
	env := []string{"GOFLAGS=-mod=mod -buildvcs=false " + os.Getenv("CUSTODY_GOFLAGS"), "GOPROXY=off"}
	if _, err := tryGoTool(dir, env, "list", "-deps", "./..."); err != nil {
		env = env[:1] // what the library's tests need is not here yet
	}
	require.Equal(t, "99990000 5000 1\n", goTool(t, dir, env, "run", "."))

	deps := goTool(t, dir, env, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")
	require.Empty(t, strangersIn(deps))
	require.Contains(t, strings.Fields(deps), modulePath()+"/parallelfor")

	version := goTool(t, dir, env, "version", "-m", buildIn(t, dir, env))
	require.Empty(t, strangersIn(version), "the binary tells of modules that it does not need")

	if strings.TrimSpace(goTool(t, dir, env, "env", "CGO_ENABLED")) != "1" {
		t.Log("no C compiler: not run under the race detector")
		return
	}
	out, err := tryGoTool(dir, env, "test", "-race", "./...")
	if err != nil && strings.Contains(out, "C compiler") {
		t.Log("no C compiler: not run under the race detector")
		return
	}
	require.NoError(t, err, out)
}

func TestStrangersAreFound(t *testing.T) {
	require.Empty(t, strangersIn("example.com/custody/array\nexample.com/newuser\n"))
	require.Len(t, strangersIn("example.com/custody\ngithub.com/leanovate/gopter/gen\n"), 1)
	require.Len(t, strangersIn("\tdep\tgithub.com/stretchr/testify\tv1.12.1\n"), 1)
}

// strangersIn returns the lines that name a library of tests.
func strangersIn(list string) (found []string) {
	for line := range strings.Lines(list) {
		if slices.ContainsFunc(testLibraries, func(l string) bool { return strings.Contains(line, l) }) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// newModule makes a module in a fresh directory that takes the library from this tree.
func newModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/newuser\n\ngo 1.26\n\nrequire " + modulePath() + " v0.0.0\n\nreplace " + modulePath() + " => " + root() + "\n"
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// importsOfAll is a file that imports every public package.
func importsOfAll(t *testing.T) string {
	t.Helper()
	seen := map[string]bool{}
	var text strings.Builder
	text.WriteString("package main\n\nimport (\n")
	for _, s := range sources(t, isPublic) {
		if d := s.dir(); !seen[d] {
			seen[d] = true
			text.WriteString("\t_ \"" + path.Join(modulePath(), d) + "\"\n")
		}
	}
	require.GreaterOrEqual(t, len(seen), 5)
	return text.String() + ")\n"
}

// buildIn builds the module's program and returns where it is.
func buildIn(t *testing.T, dir string, env []string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "newuser.exe")
	goTool(t, dir, env, "build", "-o", binary, ".")
	return binary
}
