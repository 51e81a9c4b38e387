package gates

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExportedNamesAreDocumented: every exported identifier of a public package says what it is.
func TestExportedNamesAreDocumented(t *testing.T) {
	hold(t, undocumented, sources(t, isPublic))
	for _, text := range []string{
		"package p\nfunc F() {}",
		"package p\ntype T struct{}",
		"package p\ntype t struct{}\nfunc (t) M() {}",
		"package p\nconst C = 1",
		"package p\nvar V = 1",
		"package p\nvar (\n\t// A is one.\n\tA = 1\n\tB = 2\n)",
		"package p\n// T is.\ntype T struct {\n\tF int\n}",
		"package p\n// T is.\ntype T interface {\n\t// M does.\n\tM()\n\n\tN()\n}",
		"package p\n// Something else.\nfunc F() {}",
		"package p\n// Something else.\ntype T int",
	} {
		trip(t, undocumented, "p/p.go", text)
	}
	require.Empty(t, undocumented(sample(t, "p/p.go", `package p
// The kinds.
const (
	A = 1
	B = 2
)
// A T is something.
type T struct {
	F, G int // the numbers
	h int
}
// M does something.
func (t *T) M() {}
`)))
}

func undocumented(s *source) (found []string) {
	missing := func(n ast.Node, name string) {
		found = append(found, s.at(n)+" "+name+" has no comment that begins with its name")
	}
	named := func(doc *ast.CommentGroup, name string) bool {
		if doc == nil {
			return false
		}
		return regexp.MustCompile(`^(A |An |The )?` + regexp.QuoteMeta(name) + `\b`).MatchString(doc.Text())
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && !named(d.Doc, d.Name.Name) {
				missing(d, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if !spec.Name.IsExported() {
						continue
					}
					if !named(d.Doc, spec.Name.Name) && !named(spec.Doc, spec.Name.Name) {
						missing(spec, spec.Name.Name)
					}
					found = append(found, undocumentedParts(s, spec)...)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
							missing(name, name.Name)
						}
					}
				}
			}
		}
	}
	return found
}

// undocumentedParts looks at the fields of a struct and the methods of an interface. A comment on the
// line counts, and one in front of a group of lines counts for the group. The one method of an interface
// is described by the interface's comment, and a field called like its type by the type's.
func undocumentedParts(s *source, spec *ast.TypeSpec) (found []string) {
	var fields *ast.FieldList
	switch x := spec.Type.(type) {
	case *ast.StructType:
		fields = x.Fields
	case *ast.InterfaceType:
		fields = x.Methods
	default:
		return nil
	}
	methods := 0
	for _, f := range fields.List {
		methods += len(f.Names)
	}
	if _, ok := spec.Type.(*ast.InterfaceType); ok && methods == 1 {
		return nil
	}
	above, grouped := 0, false
	for _, f := range fields.List {
		line := s.fset.Position(f.Pos()).Line
		grouped = f.Doc != nil || f.Comment != nil || grouped && line == above+1
		above = s.fset.Position(f.End()).Line
		for _, name := range f.Names {
			if name.IsExported() && !grouped && name.Name != typeName(f.Type) {
				found = append(found, s.at(name)+" "+spec.Name.Name+"."+name.Name+" has no comment")
			}
		}
	}
	return found
}

// shownElsewhere are the exported types without an example of their own: "by" names the type whose
// example uses it, anything else says why it needs none.
var shownElsewhere = map[string]string{
	"array.ListStats":         "what List.Stats returns, and its example shows",
	"array.StreamStats":       "what Stream.Stats returns, and its example shows",
	"counter.Number":          "a constraint",
	"counter.Stats":           "what Counter.Stats returns, and its example shows",
	"hashmap.MultiStats":      "what MultiMap.Stats returns, and the example of Map.Stats shows its like",
	"hashmap.Stats":           "what Map.Stats returns, and its example shows",
	"parallelfor.PerBatch":    "a constraint",
	"parallelfor.PerBatchErr": "a constraint",
	"parallelfor.PerIndex":    "a constraint",
	"parallelfor.PerIndexErr": "a constraint",
	"parallelfor.Single":      "a constraint",
	"parallelfor.SingleErr":   "a constraint",
	"parallelfor.Stats":       "what Pool.Stats returns, and its example shows",
	"queue.Stats":             "what Queue.Stats returns, and its example shows",
	"safety.Mode":             "an enumeration",
	"safety.Option":           "a setting, shown by what takes it",
	"safety.TestingT":         "what VerifyNoLeaks takes, and its example shows",
	"table.Any":               "by table.Query",
	"table.AnyColumn":         "a constraint",
	"table.ColumnOption":      "a setting, shown by what takes it",
	"table.ID":                "by table.Stager",
	"table.Option":            "a setting, shown by what takes it",
	"table.Problem":           "what a Report has, and the example of Table shows",
	"table.Report":            "what Table.Apply returns, and its example shows",
	"table.Rows":              "by table.Table",
	"table.Stages":            "by table.Pipeline",
	"table.Stats":             "what Table.Stats returns, and its example shows",
	"table.Tag":               "by table.Query",
}

// catalogue is what the packages export, and what their examples show.
type catalogue struct {
	types  map[string]bool            // "array.Reader"
	makers map[string]string          // "array.New" -> "array.Array"
	givers map[string]map[string]bool // "array.Reader" -> what returns one: "Reader"
	shown  map[string]map[string]bool // "array.Array" -> the names that files with an example of it use
}

func newCatalogue() *catalogue {
	return &catalogue{map[string]bool{}, map[string]string{}, map[string]map[string]bool{}, map[string]map[string]bool{}}
}

// TestExportedTypesHaveExamples: a newcomer can copy a use of every type. The example of a function that
// returns the type counts.
func TestExportedTypesHaveExamples(t *testing.T) {
	c := newCatalogue()
	for _, s := range sources(t, isPublic) {
		c.readTypes(s)
	}
	for _, s := range sources(t, func(s *source) bool { return s.isGo() && s.isTest() && s.inModule() }) {
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
func New() *B[int] { return nil }
func (b *B[T]) Out() C { return 0 }
`))
	require.Equal(t, map[string]bool{"p.A": true, "p.B": true, "p.C": true}, c.types)
	c.readExamples(sample(t, "p/p_test.go", `package p_test
func ExampleA_second() {}
func ExampleNew() { p.New().Out() }
func Example() {}
func ExampleD() {}
`))
	require.Empty(t, c.missing(map[string]string{"p.C": "by p.B"}))
	for _, list := range []map[string]string{
		{},
		{"p.C": "by p.D"},
		{"p.C": "a constraint", "p.A": "a constraint"},
		{"p.C": "a constraint", "p.D": "a constraint"},
	} {
		require.Len(t, c.missing(list), 1, list)
	}
	for _, file := range c.shown {
		delete(file, "Out")
	}
	require.Len(t, c.missing(map[string]string{"p.C": "by p.B"}), 1, "the example does not use it")
}

// missing compares the types with the list.
func (c *catalogue) missing(list map[string]string) (found []string) {
	const file = " the list in internal/gates/docs_test.go"
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		by, elsewhere := strings.CutPrefix(list[name], "by ")
		switch {
		case c.shown[name] != nil && list[name] != "":
			found = append(found, name+" has an example: take it off"+file)
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

// uses says whether a file with an example of one type names the other, or what returns it.
func (c *catalogue) uses(by, name string) bool {
	used := c.shown[by]
	if used[name[strings.Index(name, ".")+1:]] {
		return true
	}
	for giver := range c.givers[name] {
		if used[giver] {
			return true
		}
	}
	return false
}

// readTypes notes the exported types of a file, and which functions and methods return them.
func (c *catalogue) readTypes(s *source) {
	pkg := s.file.Name.Name + "."
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && d.Tok == token.TYPE && ts.Name.IsExported() {
					c.types[pkg+ts.Name.Name] = true
				}
			}
		case *ast.FuncDecl:
			if !d.Name.IsExported() || d.Type.Results == nil {
				continue
			}
			name := pkg + typeName(d.Type.Results.List[0].Type)
			if d.Recv == nil {
				c.makers[pkg+d.Name.Name] = name
			}
			if c.givers[name] == nil {
				c.givers[name] = map[string]bool{}
			}
			c.givers[name][d.Name.Name] = true
		}
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

// readExamples notes which types the examples of a file show, and the names it uses.
func (c *catalogue) readExamples(s *source) {
	pkg := strings.TrimSuffix(s.file.Name.Name, "_test") + "."
	names := map[string]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			names[sel.Sel.Name] = true
		}
		return true
	})
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		rest, ok := strings.CutPrefix(f.Name.Name, "Example")
		if !ok || rest == "" {
			continue
		}
		name, _, _ := strings.Cut(rest, "_")
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
		maps.Copy(c.shown[name], names)
	}
}
