package docs_test

import (
	"go/ast"
	"go/doc"
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

// described are the packages that the page has a section of, and what has their methods.
var described = map[string][]any{
	"array": {
		new(array.Array[int]), new(array.Double[int]), new(array.DoubleList[int]), new(array.List[int]), new(array.OffsetWriter[int]),
		new(array.ParallelWriter[int]), new(array.Parts[int]), new(array.PermutedWriter[int]), new(array.Reader[int]), new(array.Stream[int]),
		new(array.StreamParallelWriter[int]), new(array.StreamReader[int]), new(array.StreamRow[int]), new(array.StreamWriter[int]),
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
		new(parallelfor.Batches), new(parallelfor.Graph), new(parallelfor.Handle), new(parallelfor.Panic), new(parallelfor.Pool), new(parallelfor.Worker),
	},
	"timeline": nil,
	"safety": {
		new(safety.Binding), new(safety.Division), new(safety.Guard), new(safety.Hold), new(safety.Leak), new(safety.Scope),
		new(safety.Borrow), new(safety.Mode), new(safety.Optional[int]), new(safety.Refused), new(safety.Site), new(safety.Ticket), new(safety.Violation),
	},
	"custodytest": nil,
}

// methods are the exported ones of types, by the names of package, type and method, and where each of them stands in the page; and the functions, as
// methods of functions.
type methods map[string]map[string]map[string]string

// spelt returns how a method or function is called in a report.
func spelt(pkg, typ, name string) string {
	if typ == guarantees.Functions {
		return pkg + "." + name
	}
	return pkg + "." + typ + "." + name
}

var hold = reflect.TypeFor[*safety.Hold]()

// compiled returns the methods that the compiler knows, those of embedded types among them, except
// those that a view has of its Hold.
func compiled() methods {
	all := methods{}
	for pkg, values := range described {
		all[pkg] = map[string]map[string]string{}
		for _, v := range values {
			t := reflect.TypeOf(v)
			name, _, _ := strings.Cut(t.Elem().Name(), "[")
			all[pkg][name] = map[string]string{}
			_, view := v.(safety.View)
			for method := range t.Methods() {
				if _, plumbing := hold.MethodByName(method.Name); plumbing && view && t != hold {
					continue
				}
				all[pkg][name][method.Name] = ""
			}
		}
	}
	return all
}

// known returns the methods that the compiler knows, and the functions that the packages declare.
func known(t *testing.T) methods {
	t.Helper()
	all := compiled()
	for pkg := range described {
		all[pkg][guarantees.Functions] = map[string]string{}
		for _, name := range functionsOf(documented(t, pkg)) {
			all[pkg][guarantees.Functions][name] = ""
		}
	}
	return all
}

// documented returns what is exported of a package.
func documented(t *testing.T, pkg string) *doc.Package {
	t.Helper()
	fset, files := parsed(t, pkg, false)
	p, err := doc.NewFromFiles(fset, files, "example.com/custody/"+pkg)
	require.NoError(t, err)
	return p
}

// functionsOf returns the names of all exported functions, those that go/doc puts below the types that they return among them.
func functionsOf(p *doc.Package) (names []string) {
	add := func(list []*doc.Func) {
		for _, f := range list {
			names = append(names, f.Name)
		}
	}
	add(p.Funcs)
	for _, typ := range p.Types {
		add(typ.Funcs)
	}
	slices.Sort(names)
	return names
}

// parsed returns the files of a directory, tests or all else.
func parsed(t *testing.T, dir string, tests bool) (fset *token.FileSet, files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	require.NoError(t, err)
	fset = token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") == tests {
			f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, f)
		}
	}
	return fset, files
}

// testsOf returns the names of the tests and fuzz targets of a package.
func testsOf(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	_, files := parsed(t, pkg, true)
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && (strings.HasPrefix(d.Name.Name, "Test") || strings.HasPrefix(d.Name.Name, "Fuzz")) {
				names[d.Name.Name] = true
			}
		}
	}
	return names
}

// wrong compares a page with the methods and functions that there are, and the tests of packages.
func wrong(page string, all methods, tests func(pkg string) map[string]bool) (found []string) {
	for _, r := range guarantees.Rows(page) {
		pkg, line, list := r.Package, r.Line, r.Cells
		if len(list) != len(guarantees.Columns) || slices.Contains(list, "") {
			found = append(found, "cells are empty, missing or too many: "+line)
			continue
		}
		types, names, by := guarantees.Quoted(list[0]), guarantees.Quoted(list[1]), guarantees.Quoted(list[len(list)-1])
		if types == nil || names == nil || by == nil {
			found = append(found, "types, methods and tests stand in backquotes, with commas between them: "+line)
		}
		for _, typ := range types {
			for _, name := range names {
				at, ok := all[pkg][typ][name]
				switch {
				case !ok:
					found = append(found, "there is no "+spelt(pkg, typ, name)+": "+line)
				case at != "":
					found = append(found, spelt(pkg, typ, name)+" stands there twice: "+line+"; and "+at)
				default:
					all[pkg][typ][name] = line
				}
			}
		}
		for _, test := range by {
			of, name, ok := strings.Cut(test, ".")
			if !ok {
				of, name = pkg, test
			}
			if !tests(of)[name] {
				found = append(found, "package "+of+" has no test "+name+": "+line)
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(all)) {
		for _, typ := range slices.Sorted(maps.Keys(all[pkg])) {
			for _, name := range slices.Sorted(maps.Keys(all[pkg][typ])) {
				if all[pkg][typ][name] == "" {
					found = append(found, spelt(pkg, typ, name)+" is missing")
				}
			}
		}
	}
	return found
}

// The page has each exported method and function once, no other one, and a test for each row.
func TestThePageOfGuarantees(t *testing.T) {
	page, err := os.ReadFile("consistency.md")
	require.NoError(t, err)
	tests := map[string]map[string]bool{}
	require.Empty(t, wrong(string(page), known(t), func(pkg string) map[string]bool {
		if tests[pkg] == nil {
			tests[pkg] = testsOf(t, pkg)
		}
		return tests[pkg]
	}))
}

// The types that the page is compared with are those of the packages: all that have exported methods.
func TestNoTypeWithMethodsIsForgotten(t *testing.T) {
	all := compiled()
	for pkg := range described {
		for _, typ := range documented(t, pkg).Types {
			for _, m := range typ.Methods {
				require.Contains(t, all[pkg], typ.Name)
				require.Contains(t, all[pkg][typ.Name], m.Name, "%s.%s", pkg, typ.Name)
			}
		}
	}
}

// Functions are found wherever go/doc puts them, whatever they return, and nothing else is.
func TestNoFunctionIsForgotten(t *testing.T) {
	const source = `package p
type T struct{}
type G[V any] struct{}
type t struct{}
type I interface{ M() }
func (*T) Method() {}
func (G[V]) Method() {}
func New() *T { return nil }
func Many() ([]T, error) { return nil, nil }
func Of[V any](v V) G[V] { return G[V]{} }
func Hidden() *t { return nil }
func Elsewhere() error { return nil }
func Plain[V any]() {}
func hidden() {}
var Value = func() {}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	p, err := doc.NewFromFiles(fset, []*ast.File{f}, "example.com/p")
	require.NoError(t, err)
	require.Equal(t, []string{"Elsewhere", "Hidden", "Many", "New", "Of", "Plain"}, functionsOf(p))
	all := known(t)
	for pkg, names := range map[string][]string{
		"parallelfor": {"For", "Schedule", "Record", "Labels", "After"}, "safety": {"Dump", "Named", "Caller"}, "custodytest": {"Equivalent"},
		"table": {"For", "Over", "Transfer"}, "lane": {"Of"},
	} {
		for _, name := range names {
			require.Contains(t, all[pkg][guarantees.Functions], name)
		}
	}
}

func TestWhatIsWrongInThePageIsFound(t *testing.T) {
	head := "## p\n\n| " + strings.Join(guarantees.Columns, " | ") + " |\n|---|---|---|---|---|---|---|---|\n"
	row := func(typ, names, test string) string {
		return "| " + typ + " | " + names + " | a | b | c | d | e | " + test + " |\n"
	}
	right := row("`func`", "`Make`, `X`", "`TestX`") + row("`A`, `B`", "`X`", "`TestX`, `q.TestY`") + row("`A`", "`Y`", "`TestX`")
	for _, c := range []struct {
		name, page string
		found      []string
	}{
		{"right", head + right, nil},
		{"a table of other columns", "| `A` | `X` |\n" + head + right, nil},
		{"nothing", "", []string{"p.A.X is missing", "p.A.Y is missing", "p.B.X is missing", "p.Make is missing", "p.X is missing"}},
		{"no functions", head + right[strings.Index(right, "| `A`"):], []string{"p.Make is missing", "p.X is missing"}},
		{"a function twice", head + right + row("`func`", "`X`", "`TestX`"), []string{"p.X stands there twice"}},
		{"no such function", head + right + row("`func`", "`Y`", "`TestX`"), []string{"there is no p.Y"}},
		{"a function as a method", head + right + row("`A`", "`Make`", "`TestX`"), []string{"there is no p.A.Make"}},
		{"a function of another package", head + right + strings.ReplaceAll(head, "## p", "## q") + row("`func`", "`Make`", "`q.TestY`"), []string{"there is no q.Make"}},
		{"twice", head + right + row("`B`", "`X`", "`TestX`"), []string{"p.B.X stands there twice"}},
		{"twice in a row", head + right + row("`B`, `B`", "`X`", "`TestX`"), []string{"p.B.X stands there twice", "p.B.X stands there twice"}},
		{"no such method", head + right + row("`B`", "`Y`", "`TestX`"), []string{"there is no p.B.Y"}},
		{"no such type", head + right + row("`C`", "`X`", "`TestX`"), []string{"there is no p.C.X"}},
		{"no such test", head + right[:len(right)-len("`TestX` |\n")] + "`TestY` |\n", []string{"package p has no test TestY"}},
		{"no test", head + right + row("`B`", "`X`", "-"), []string{"types, methods and tests", "p.B.X stands there twice"}},
		{"an empty cell", head + right + row("`B`", "`X`", ""), []string{"cells are empty"}},
		{"a cell too many", head + right + row("`B`", "`X`", "`TestX` | f"), []string{"cells are empty"}},
	} {
		all := methods{"p": {"A": {"X": "", "Y": ""}, "B": {"X": ""}, guarantees.Functions: {"Make": "", "X": ""}}}
		tests := map[string]map[string]bool{"p": {"TestX": true}, "q": {"TestY": true}}
		found := wrong(c.page, all, func(pkg string) map[string]bool { return tests[pkg] })
		require.Len(t, found, len(c.found), c.name)
		for i, part := range c.found {
			require.Contains(t, found[i], part, c.name)
		}
	}
}
