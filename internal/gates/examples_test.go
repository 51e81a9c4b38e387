package gates

import (
	"go/ast"
	"go/doc"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// isModuleTest reports whether the file is one of the library's tests, which have its examples.
func isModuleTest(s *source) bool { return s.isGo() && s.isTest() && s.inModule() }

// TestExamplesAreRun: an example says what it prints. One that does not is compiled and never run,
// and one that prints nothing shows nothing.
func TestExamplesAreRun(t *testing.T) {
	hold(t, notRun, sources(t, isModuleTest))
	trip(t, notRun, "p/p_test.go", "package p\nfunc ExampleA() { f() }\nfunc ExampleB() {\n\tf()\n\t// Output: 1\n}")
	trip(t, notRun, "p/p_test.go", "package p\nfunc Example() {\n\tf()\n\t// Output:\n}")
	trip(t, notRun, "p/p_test.go", "package p\nfunc ExampleA_b() {\n\tf()\n\t// Output: 1\n\n\t// More.\n}")
	require.Empty(t, notRun(sample(t, "p/p_test.go", `package p
func Example() {
	f()
	// Output: 1
}
func ExampleA_b() {
	f()
	// Unordered output:
	// 1
	// 2
}
func Examples() {}
func TestA(t *testing.T) {}
`)))
}

func notRun(s *source) (found []string) {
	for _, e := range doc.Examples(s.file) {
		if e.Output == "" {
			found = append(found, s.path+" Example"+e.Name+" does not end with a comment that says its output")
		}
	}
	return found
}

// shownElsewhere are the exported types without an example of their own: "by" names the type whose
// example uses it, anything else says why it needs none.
var shownElsewhere = map[string]string{
	"atom.Bool":      "a type of sync/atomic",
	"atom.Int32":     "a type of sync/atomic",
	"atom.Int64":     "a type of sync/atomic",
	"atom.Uint32":    "a type of sync/atomic",
	"atom.Uint64":    "a type of sync/atomic",
	"atom.Pointer":   "a type of sync/atomic",
	"atom.Mutex":     "a type of sync",
	"atom.RWMutex":   "a type of sync",
	"atom.WaitGroup": "a type of sync",
	"atom.Cond":      "a type of sync",
	"array.Stats":    "what List.Stats and Stream.Stats return, and their examples show",
	"counter.Number": "a constraint",
	"hashmap.Stats":  "what the Stats of maps return, and their examples show",

	"parallelfor.RecordedBatch": "a part of what Graph.Jobs returns",
	"parallelfor.RecordedJob":   "what Graph.Jobs returns, and the examples of Record and timeline.DOT draw",
	"parallelfor.RecordedStay":  "a part of what Graph.Jobs returns",
	"queue.Stats":               "what Queue.Stats returns, and its example shows",
	"safety.Mode":               "an enumeration",
	"safety.Option":             "a setting, shown by what takes it",
	"table.Any":                 "by table.Query",
	"table.AnyColumn":           "a constraint",
	"table.ID":                  "by table.Stager",
	"table.Problem":             "what a Report has, and the example of Table shows",
	"table.Report":              "what Table.Apply returns, and its example shows",
	"table.Rows":                "by table.Table",
	"table.Stats":               "what Table.Stats returns, and its example shows",
	"table.Tag":                 "by table.Query",
}

// catalogue is what the packages export, and what their examples show.
type catalogue struct {
	types  map[string]bool            // "array.Reader"
	makers map[string]string          // "array.New" -> "array.Array"
	asked  map[string]bool            // the interfaces: what shows one is what takes it, as much as one that has the methods
	givers map[string]map[string]bool // "array.Reader" -> what returns one or a slice of them: "Reader"
	takers map[string]map[string]bool // "parallelfor.Kind" -> what has a parameter or a type parameter of it: "RunKind"
	shown  map[string]map[string]bool // "array.Array" -> the names that the examples of it use
}

func newCatalogue() *catalogue {
	return &catalogue{
		types: map[string]bool{}, makers: map[string]string{}, asked: map[string]bool{},
		givers: map[string]map[string]bool{}, takers: map[string]map[string]bool{}, shown: map[string]map[string]bool{},
	}
}

// TestExportedTypesHaveExamples: a newcomer can copy a use of every type. The example of a function
// that returns the type counts.
func TestExportedTypesHaveExamples(t *testing.T) {
	c := newCatalogue()
	for _, s := range sources(t, isPublic) {
		c.readTypes(s)
	}
	for _, s := range sources(t, isModuleTest) {
		c.readExamples(s)
	}
	report(t, c.missing(shownElsewhere))
}

func TestExamplesAreFound(t *testing.T) {
	c := newCatalogue()
	c.readTypes(sample(t, "p/p.go", `package p
type A int
type B[T any] struct{}
type C int
type d int
type I interface{ M() }
func New() *B[int] { return nil }
func (b *B[T]) Out() []C { return nil }
func Take[T I](x T, a A) {}
`))
	require.Equal(t, map[string]bool{"p.A": true, "p.B": true, "p.C": true, "p.I": true}, c.types)
	c.readExamples(sample(t, "p/p_test.go", `package p_test
import (
	"fmt"
	"p"
)
var (
	a p.A
	b p.B
	_ p.C
)
func ExampleA_second() { fmt.Print(a) }
func ExampleNew() { p.New().Out() }
func ExampleI() { p.Take(0, 1) }
func Example() { fmt.Print(b) }
func ExampleD() {}
`))
	require.Empty(t, c.missing(map[string]string{"p.C": "by p.B"}))
	require.NotContains(t, c.shown["p.B"], "C", "no reader sees it")
	for _, list := range []map[string]string{
		{},
		{"p.C": "by p.D"},
		{"p.C": "a constraint", "p.A": "a constraint"},
		{"p.C": "a constraint", "p.D": "a constraint"},
	} {
		require.Len(t, c.missing(list), 1, list)
	}
	delete(c.shown["p.B"], "Out")
	require.Len(t, c.missing(map[string]string{"p.C": "by p.B"}), 1, "the example does not use it")
	c.shown["p.B"]["C"] = true
	require.Empty(t, c.missing(map[string]string{"p.C": "by p.B"}))
	for name, shown := range map[string]string{"p.A": "A", "p.B": "New", "p.I": "Take"} {
		delete(c.shown[name], shown)
		require.Len(t, c.missing(map[string]string{"p.C": "by p.B"}), 1, "the example of %s does not show it", name)
		c.shown[name][shown] = true
	}
	c.shown["p.A"] = map[string]bool{"Take": true}
	require.Len(t, c.missing(map[string]string{"p.C": "by p.B"}), 1, "who takes a value has one already")
}

// missing compares the types with the list.
func (c *catalogue) missing(list map[string]string) (found []string) {
	const file = " the list in internal/gates/examples_test.go"
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		by, elsewhere := strings.CutPrefix(list[name], "by ")
		switch {
		case c.shown[name] != nil && list[name] != "":
			found = append(found, name+" has an example: take it off"+file)
		case c.shown[name] != nil && !c.uses(name, name):
			found = append(found, name+" has an example that shows neither it nor what returns one")
		case c.shown[name] != nil:
		case list[name] == "":
			found = append(found, name+" has no example, nor is it on"+file)
		case elsewhere && !c.uses(by, name):
			found = append(found, name+" is to be shown by the example of "+by+", which does not use it")
		}
	}
	for name := range list {
		if !c.types[name] {
			found = append(found, name+" does not exist: take it off"+file)
		}
	}
	return found
}

// uses reports whether the examples of one type name the other, what returns it, or what takes it
// if it is an interface.
func (c *catalogue) uses(by, name string) bool {
	used := c.shown[by]
	if used[name[strings.Index(name, ".")+1:]] {
		return true
	}
	for other := range used {
		if c.givers[name][other] || c.asked[name] && c.takers[name][other] {
			return true
		}
	}
	return false
}

// readTypes notes the exported types of a file, and which functions and methods return or take
// them.
func (c *catalogue) readTypes(s *source) {
	pkg := s.file.Name.Name + "."
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && d.Tok == token.TYPE && ts.Name.IsExported() {
					c.types[pkg+ts.Name.Name] = true
					_, c.asked[pkg+ts.Name.Name] = ts.Type.(*ast.InterfaceType)
				}
			}
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			note(c.takers, pkg, d.Type.TypeParams, d.Name.Name)
			note(c.takers, pkg, d.Type.Params, d.Name.Name)
			if d.Type.Results != nil {
				first := d.Type.Results.List[:1]
				note(c.givers, pkg, &ast.FieldList{List: first}, d.Name.Name)
				if d.Recv == nil {
					c.makers[pkg+d.Name.Name] = pkg + typeName(first[0].Type)
				}
			}
		}
	}
}

// note notes a function for the types of some of its parameters or results.
func note(of map[string]map[string]bool, pkg string, list *ast.FieldList, function string) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		x := f.Type
		if some, ok := x.(*ast.ArrayType); ok {
			x = some.Elt
		}
		name := pkg + typeName(x)
		if of[name] == nil {
			of[name] = map[string]bool{}
		}
		of[name][function] = true
	}
}

// typeName returns T of T, *T and T[...].
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	}
	return ""
}

// readExamples notes which types the examples of a file show, and the names that a reader of each
// sees: it is shown with what it uses of its file, if it needs nothing of another one.
func (c *catalogue) readExamples(s *source) {
	pkg := strings.TrimSuffix(s.file.Name.Name, "_test") + "."
	for _, e := range doc.Examples(s.file) {
		name, _, _ := strings.Cut(e.Name, "_")
		name = pkg + name
		if !c.types[name] {
			name = c.makers[name]
		}
		if !c.types[name] {
			continue
		}
		if c.shown[name] == nil {
			c.shown[name] = map[string]bool{}
		}
		code := e.Code
		if e.Play != nil {
			code = e.Play
		}
		ast.Inspect(code, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				c.shown[name][sel.Sel.Name] = true
			}
			return true
		})
	}
}
