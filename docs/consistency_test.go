package docs_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/docs/internal/guarantees"
	"example.com/custody/hashmap"
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// described are the packages whose types have guarantees, and values with their methods.
var described = map[string][]any{
	"array": {
		new(array.Array[int]), new(array.Double[int]), new(array.DoubleList[int]), new(array.List[int]), new(array.OffsetWriter[int]),
		new(array.ParallelWriter[int]), new(array.Parts[int]), new(array.PermutedWriter[int]), new(array.Reader[int]), new(array.Stream[int]),
		new(array.StreamKeyedWriter[int]), new(array.StreamParallelWriter[int]), new(array.StreamReader[int]), new(array.StreamRow[int]), new(array.StreamWriter[int]),
		new(array.Value[int]), new(array.ValueReader[int]), new(array.ValueWriter[int]), new(array.Writer[int]),
	},
	"counter": {
		new(counter.Counter), new(counter.ExtremumParallelWriter[int]), new(counter.ExtremumReader[int]),
		new(counter.Histogram), new(counter.HistogramParallelWriter), new(counter.HistogramReader), new(counter.HistogramWriter),
		new(counter.Local), new(counter.Max[int]), new(counter.Min[int]), new(counter.ParallelWriter), new(counter.Reader),
		new(counter.Sum[int]), new(counter.SumParallelWriter[int]), new(counter.SumReader[int]),
	},
	"lane": {new(lane.Items[int]), new(lane.Lane[int]), new(lane.Lanes[int])},
	"queue": {
		new(queue.Consumer[int]), new(queue.ParallelWriter[int]), new(queue.Producer[int]), new(queue.Queue[int]), new(queue.Reader[int]),
		new(queue.Ring[int]), new(queue.RingShared[int]), new(queue.SPSC[int]), new(queue.Shared[int]), new(queue.Window[int]),
		new(queue.Writer[int]),
	},
	"hashmap": {
		new(hashmap.Map[int, int]), new(hashmap.MultiMap[int, int]), new(hashmap.MultiParallelWriter[int, int]), new(hashmap.MultiReader[int, int]),
		new(hashmap.MultiShared[int, int]), new(hashmap.MultiWriter[int, int]), new(hashmap.ParallelMerger[int, int]),
		new(hashmap.ParallelWriter[int, int]), new(hashmap.Reader[int, int]), new(hashmap.Shared[int, int]), new(hashmap.Writer[int, int]),
	},
	"table": {
		new(table.Changes), new(table.Column[int]), new(table.DoubleColumn[int]), new(table.ID), new(table.Key[int]), new(table.Lookup), new(table.Pipeline), new(table.Problem),
		new(table.Query), new(table.Rows), new(table.Stager[int]), new(table.Table[int]), new(table.Tag),
	},
	"parallelfor": {
		new(parallelfor.Batches), new(parallelfor.Forks[int, int]), new(parallelfor.Graph), new(parallelfor.Handle), new(parallelfor.Panic), new(parallelfor.Pool), new(parallelfor.Worker),
	},
	"timeline": nil,
	"safety": {
		new(safety.Binding), new(safety.Division), new(safety.Field), new(safety.Guard), new(safety.Hold), new(safety.Leak), new(safety.Scope),
		new(safety.Borrow), new(safety.Mode), new(safety.Optional[int]), new(safety.Refused), new(safety.Site), new(safety.Ticket), new(safety.Violation),
	},
	"custodytest": nil,
}

var hold = reflect.TypeFor[*safety.Hold]()

// compiled returns the methods that the compiler knows, those of embedded types among them, except
// those that a view has of its Hold; by the names of package, type and method.
func compiled() map[string]bool {
	all := map[string]bool{}
	for pkg, values := range described {
		for _, v := range values {
			t := reflect.TypeOf(v)
			name, _, _ := strings.Cut(t.Elem().Name(), "[")
			_, view := v.(safety.View)
			for method := range t.Methods() {
				if _, plumbing := hold.MethodByName(method.Name); plumbing && view && t != hold {
					continue
				}
				all[guarantees.Spelt(pkg, name, method.Name)] = true
			}
		}
	}
	return all
}

// guaranteed returns the rows of the doc comments.
func guaranteed(t *testing.T) map[string]guarantees.Row {
	t.Helper()
	all, missing, err := guarantees.All("..")
	require.NoError(t, err)
	require.Empty(t, missing)
	return all
}

// parsed returns the files of the tests of a directory.
func parsed(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	require.NoError(t, err)
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

// testsOf returns the names of the tests and fuzz targets of a package.
func testsOf(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range parsed(t, pkg) {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && (strings.HasPrefix(d.Name.Name, "Test") || strings.HasPrefix(d.Name.Name, "Fuzz")) {
				names[d.Name.Name] = true
			}
		}
	}
	return names
}

// backing compares the lines of testdata/backing.tsv with the methods and functions that there are,
// and with the tests of packages. A line has a package, its types or the word func, their methods,
// and the tests that back what their rows guarantee.
func backing(lines string, all map[string]bool, tests func(pkg string) map[string]bool) (found []string) {
	backed := map[string]bool{}
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		cells := strings.Split(line, "\t")
		if len(cells) != 4 || slices.Contains(cells, "") {
			found = append(found, "cells are empty, missing or too many: "+line)
			continue
		}
		pkg := cells[0]
		for typ := range strings.SplitSeq(cells[1], ", ") {
			for method := range strings.SplitSeq(cells[2], ", ") {
				name := guarantees.Spelt(pkg, typ, method)
				switch {
				case !all[name]:
					found = append(found, "there is no "+name+": "+line)
				case backed[name]:
					found = append(found, name+" stands there twice: "+line)
				}
				backed[name] = true
			}
		}
		for test := range strings.SplitSeq(cells[3], ", ") {
			of, name, ok := strings.Cut(test, ".")
			if !ok {
				of, name = pkg, test
			}
			if !tests(of)[name] {
				found = append(found, "package "+of+" has no test "+name+": "+line)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !backed[name] {
			found = append(found, name+" has no test")
		}
	}
	return found
}

// Each exported method and function has a line in testdata/backing.tsv, and each test there exists.
func TestGuaranteesAreBackedByTests(t *testing.T) {
	lines, err := os.ReadFile("testdata/backing.tsv")
	require.NoError(t, err)
	all := map[string]bool{}
	for name := range guaranteed(t) {
		all[name] = true
	}
	tests := map[string]map[string]bool{}
	require.Empty(t, backing(string(lines), all, func(pkg string) map[string]bool {
		if tests[pkg] == nil {
			tests[pkg] = testsOf(t, pkg)
		}
		return tests[pkg]
	}))
}

// Each exported method that the compiler knows has a row, and each name of a row is a method's or
// function's.
func TestEachMethodHasARow(t *testing.T) {
	all, known := guaranteed(t), compiled()
	for _, name := range slices.Sorted(maps.Keys(known)) {
		require.Contains(t, all, name)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if r := all[name]; r.Type != guarantees.Functions && strings.Count(name, ".") == 2 {
			require.True(t, known[name], "%s is no method of a type in described", name)
		}
	}
	rows, wrong, err := guarantees.Rows("..")
	require.NoError(t, err)
	require.Empty(t, wrong)
	said := map[string]bool{}
	for _, r := range rows {
		for _, method := range r.Names {
			name := guarantees.Spelt(r.Package, r.Type, method)
			require.False(t, said[name], "%s has two rows", name)
			said[name] = true
			if r.Type != guarantees.Containers {
				require.Contains(t, all, name, "a row names what is no method or function")
			}
		}
	}
}

var update = flag.Bool("update", false, "write what is made of the code anew")

// generated stands on the page before what is made of the doc comments.
const generated = "<!-- made of the doc comments by go test ./docs -run TestThePageOfGuarantees -update -->\n"

// The page shows the rows of the doc comments, and explains their words.
func TestThePageOfGuarantees(t *testing.T) {
	rows, _, err := guarantees.Rows("..")
	require.NoError(t, err)
	text, err := os.ReadFile("consistency.md")
	require.NoError(t, err)
	page := string(text)
	head, _, ok := strings.Cut(page, generated)
	require.True(t, ok, "the page has the line %q", generated)
	want := head + generated + guarantees.Page(rows)
	if *update {
		require.NoError(t, os.WriteFile("consistency.md", []byte(want), 0o666))
		page = want
	}
	require.Equal(t, want, page, "run go test ./docs -run TestThePageOfGuarantees -update")
	words := explained(head)
	for _, r := range rows {
		require.Contains(t, words["consistency"], word(r.Consistency), "the consistency of %s.%s %s", r.Package, r.Type, r.Said)
		if !strings.HasPrefix(r.Progress, "as ") {
			require.Contains(t, words["progress"], word(r.Progress), "the progress of %s.%s %s", r.Package, r.Type, r.Said)
		}
	}
}

// word returns the first word of a cell: what stands before a comma, a semicolon or a colon.
func word(cell string) string {
	if i := strings.IndexAny(cell, ",;:"); i >= 0 {
		cell = cell[:i]
	}
	return cell
}

// explained returns the first cells of the tables of a page, by the head of the table. A cell may
// explain several words.
func explained(page string) map[string][]string {
	found, head := map[string][]string{}, ""
	for line := range strings.Lines(page) {
		cell, _, ok := strings.Cut(line, "|")
		cell = strings.TrimSpace(cell)
		switch {
		case !ok:
			head = ""
		case head == "":
			head = cell
		case !strings.HasPrefix(cell, "--"):
			found[head] = append(found[head], strings.Split(cell, ", ")...)
		}
	}
	return found
}

func TestWordsAreFound(t *testing.T) {
	page := "text\n\nprogress | meaning\n---|---\nlock | waits\nnear, far | b\n\nother | x\n--- | ---\nword | c\n"
	require.Equal(t, map[string][]string{"progress": {"lock", "near", "far"}, "other": {"word"}}, explained(page))
	require.Equal(t, []string{"lock", "waits", "wait-free"}, []string{word("lock"), word("waits: for it"), word("wait-free, lock beside it")})
}

// Rows are found in blocks and in sentences, and what is wrong in them.
func TestRowsInComments(t *testing.T) {
	rows, wrong := guarantees.Lines("p", "T", `T is one. It must not be copied.

Guarantees (docs/consistency.md):

	Len  constant   wait-free  O(1)  never
	X  constant  wait-free  O(1)

Each method: job reads; wait-free; O(1); allocates never.
A, B, for authors: own batch, once; lock: all; O(n), or O(1); allocates one, or none.
Not one: of these.
`)
	require.Equal(t, []string{
		"p.T: a column is not aligned: want Len  constant  wait-free  O(1)  never",
		"p.T: a row has names and four cells: \tX  constant  wait-free  O(1)",
	}, wrong)
	require.Len(t, rows, 3)
	require.Equal(t, []string{"A", "B"}, rows[2].Names)
	require.Equal(t, []string{"own batch, once", "lock: all", "O(n), or O(1)", "one, or none"},
		[]string{rows[2].Consistency, rows[2].Progress, rows[2].Cost, rows[2].Allocates})
	require.True(t, rows[2].Authors)
	require.Nil(t, rows[1].Names)
	rows, wrong = guarantees.Lines("p", "T", "T is one.\n\nGuarantees for authors:\n\n\tFind[Err], X  owner reads  lock  O(n)  one; some\n")
	require.Empty(t, wrong)
	require.Equal(t, []string{"Find", "FindErr", "X"}, rows[0].Names)
	require.True(t, rows[0].Authors)
	require.NotContains(t, guarantees.Page(rows), "Find")
}

func TestWhatIsWrongInTheBackingIsFound(t *testing.T) {
	right := "p\tfunc\tMake, X\tTestX\np\tA, B\tX\tTestX, q.TestY\np\tA\tY\tTestX\n"
	for _, c := range []struct {
		name, lines string
		found       []string
	}{
		{"right", right, nil},
		{"nothing", "", []string{"p.A.X has no test", "p.A.Y has no test", "p.B.X has no test", "p.Make has no test", "p.X has no test"}},
		{"a function twice", right + "p\tfunc\tX\tTestX\n", []string{"p.X stands there twice"}},
		{"no such function", right + "p\tfunc\tY\tTestX\n", []string{"there is no p.Y"}},
		{"no such method", right + "p\tB\tY\tTestX\n", []string{"there is no p.B.Y"}},
		{"twice in a line", right + "p\tB, B\tX\tTestX\n", []string{"p.B.X stands there twice", "p.B.X stands there twice"}},
		{"no such test", strings.Replace(right, "Y\tTestX", "Y\tTestY", 1), []string{"package p has no test TestY"}},
		{"an empty cell", right + "p\tA\t\tTestX\n", []string{"cells are empty"}},
		{"a cell too many", right + "p\tA\tX\tTestX\tx\n", []string{"cells are empty"}},
	} {
		all := map[string]bool{"p.A.X": true, "p.A.Y": true, "p.B.X": true, "p.Make": true, "p.X": true}
		tests := map[string]map[string]bool{"p": {"TestX": true}, "q": {"TestY": true}}
		found := backing(c.lines, all, func(pkg string) map[string]bool { return tests[pkg] })
		require.Len(t, found, len(c.found), c.name)
		for i, part := range c.found {
			require.Contains(t, found[i], part, c.name)
		}
	}
}
