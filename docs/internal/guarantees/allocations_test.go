//go:build !race && !custody_explore

package guarantees_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/docs/internal/guarantees"
	"example.com/custody/safety"
)

// times is how often a call is made for its allocations to be counted, and as often before.
const times = 8

// attempts is how often that is done at most: another goroutine may allocate meanwhile.
const attempts = 10

// counted are the functions and methods whose allocations are counted in a test.
type counted struct {
	t     *testing.T
	want  map[string]int // what the rows promise: how often a call allocates at most
	names map[string]bool
}

// of returns what counts for a type's methods, or a package's functions: names, with commas between
// them, and what calls them.
func (c *counted) of(typ string) func(names string, call func()) {
	return func(names string, call func()) {
		c.t.Helper()
		c.note(typ, names)
		n := allocated(call, c.want[typ+"."+names]*times)
		if names == "All" && testing.CoverMode() != "" {
			return // what counts statements is not inlined as often, and then some iterators are made anew
		}
		for name := range strings.SplitSeq(names, ", ") {
			if most := c.want[typ+"."+name] * times; int(n) > most {
				c.t.Errorf("%s.%s: %v allocations by %d calls, more than %d", typ, name, n, times, most)
			}
		}
	}
}

// note keeps that something is counted.
func (c *counted) note(typ, names string) {
	c.t.Helper()
	for name := range strings.SplitSeq(names, ", ") {
		if c.names[typ+"."+name] {
			c.t.Errorf("%s.%s is counted twice", typ, name)
		}
		c.names[typ+"."+name] = true
	}
}

// loop counts for whole jobs of package parallelfor, where they are not made anew.
func (c *counted) loop(typ, names string, job func()) {
	c.t.Helper()
	for name := range strings.SplitSeq(names, ", ") {
		if _, promised := c.want[typ+"."+name]; anew && promised {
			c.note(typ, name)
		}
	}
	if !anew {
		c.of(typ)(names, job)
	}
}

// allocated returns how often so many calls allocate, once as many have been made, or at most most
// if it is that in one of the attempts.
func allocated(call func(), most int) (n float64) {
	for range attempts {
		n = testing.AllocsPerRun(1, func() {
			for range times {
				call()
			}
		})
		if int(n) <= most {
			break
		}
	}
	return n
}

// never is false, which the compiler does not know.
var never bool

var escaped any

// used is done with what a call returns, as a caller that keeps it would.
func used[T any](v T) {
	if never {
		escaped = v
	}
}

func usedTwo[A, B any](a A, b B) {
	used(a)
	used(b)
}

// each returns a call of something that was made for it: of what ends it, for one.
func each[T any](made func() T, call func(T)) func() {
	all := make([]T, 2*times*attempts)
	for i := range all {
		all[i] = made()
	}
	return func() {
		v := all[0]
		all = all[1:]
		call(v)
	}
}

// promised returns how often each call allocates of which a row says that it never does, or once:
// also of whatever has no part of a cell that speaks of single ones; and once it is warm, unless
// jobs are made anew.
func promised(all map[string]guarantees.Row, anew bool) map[string]int {
	names, same := map[string]int{}, map[string]string{}
	for name, r := range all {
		method := name[strings.LastIndex(name, ".")+1:]
		often := 0
		if strings.HasPrefix(r.Allocates, "once warm one") {
			often = 1
		}
		if of, ok := strings.CutPrefix(r.Allocates, "as of "); ok {
			same[name] = r.Package + "." + of + "." + method
		}
		whole := strings.HasPrefix(r.Allocates, "never") || strings.HasPrefix(r.Allocates, "once warm ") && !anew
		parts := strings.Split(r.Allocates, "; ")
		some := !slices.ContainsFunc(parts, func(part string) bool { return !about(part, r.Names...) })
		if whole || some && !slices.ContainsFunc(parts, func(part string) bool { return about(part, method) }) {
			names[name] = often
		}
	}
	for name, as := range same {
		if often, ok := names[as]; ok {
			names[name] = often
		}
	}
	return names
}

// about reports whether a part of a cell is said of one of the names alone: of those before a
// colon.
func about(part string, names ...string) bool {
	of, _, _ := strings.Cut(part, ":")
	return slices.ContainsFunc(strings.Split(of, ", "), func(name string) bool { return slices.Contains(names, name) })
}

// anew says that jobs are made anew in this build.
const anew = safety.Strict

// What a row says never allocates is called here, all of it and nothing else, and does not. The
// checks of builds with the race detector and of explored ones do allocate.
func TestWhatNeverAllocates(t *testing.T) {
	all, missing, err := guarantees.All("../../..")
	require.NoError(t, err)
	require.Empty(t, missing)
	want := promised(all, anew)
	c := &counted{t, want, map[string]bool{}}
	for _, count := range []func(*counted){countArrays, countArrayViews, countCounters, countCounterViews, countQueues, countHashmaps, countHashmapViews, countLanes, countTables, countLoops, countSafety} {
		count(c)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !c.names[name] {
			t.Errorf("%s never allocates, says its row, and no test counts that", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.names)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is counted, and its row does not say that it never allocates", name)
		}
	}
}

// What is counted under a name calls what has the name.
func TestWhatIsCountedIsCalled(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	calls := 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING && isFunc(call.Args[1]) {
				names, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				for method := range strings.SplitSeq(names, ", ") {
					require.True(t, selects(call.Args[1], method), "%s: %s", name, method)
					calls++
				}
			}
			return true
		})
	}
	require.Greater(t, calls, 100)
}

// isFunc reports whether an argument is a function, or makes one.
func isFunc(arg ast.Expr) (yes bool) {
	ast.Inspect(arg, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		yes = yes || is
		return !yes
	})
	return yes
}

// selects reports whether something of that name is used, of a package or a value.
func selects(arg ast.Expr, name string) (yes bool) {
	ast.Inspect(arg, func(n ast.Node) bool {
		s, is := n.(*ast.SelectorExpr)
		yes = yes || is && s.Sel.Name == name
		return !yes
	})
	return yes
}

var kept *int

// The count sees what is allocated, and only at each call.
func TestAllocationsAreSeen(t *testing.T) {
	require.EqualValues(t, times, allocated(func() { kept = new(int) }, 0))
	require.EqualValues(t, 0, allocated(func() {
		if kept == nil {
			kept = new(int)
		}
	}, 0))
	n := 0
	require.EqualValues(t, 1, allocated(func() {
		if n++; n%times == 0 {
			kept = new(int)
		}
	}, 0))
}

func TestPromises(t *testing.T) {
	all := map[string]guarantees.Row{}
	row := func(typ, allocates string, names ...string) {
		for _, name := range names {
			all[guarantees.Spelt("p", typ, name)] = guarantees.Row{Package: "p", Type: typ, Names: names, Allocates: allocates}
		}
	}
	row(guarantees.Functions, "one", "New")
	row(guarantees.Functions, "never; more while it is on", "F", "G")
	row("A", "never", "X")
	row("A", "Z: one, if it is short", "Y", "Z")
	row("A", "V: one; then some", "V")
	row("C", "as of A", "X", "Y", "Z", "W")
	row("C", "as of the loops", "V")
	row("C", "once warm never", "U")
	row("C", "once warm one", "T")
	want := []string{"p.A.X", "p.A.Y", "p.C.X", "p.C.Y", "p.F", "p.G"}
	require.Equal(t, want, slices.Sorted(maps.Keys(promised(all, true))))
	require.Equal(t, slices.Sorted(slices.Values(append(want, "p.C.T", "p.C.U"))), slices.Sorted(maps.Keys(promised(all, false))))
}
