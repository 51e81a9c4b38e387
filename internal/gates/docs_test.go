package gates

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPackagesAreDocumented: every package says what it is, and one of several files says it in
// doc.go.
func TestPackagesAreDocumented(t *testing.T) {
	report(t, unsaid(sources(t, func(s *source) bool { return s.isGo() && !s.isTest() && !strings.Contains(s.path, "/testdata/") })))
	said, bare := "// Package p is one.\npackage p\n", "package p\n"
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{"a/a.go": said}, nil},
		{map[string]string{"a/a.go": bare}, []string{"a: no package comment"}},
		{map[string]string{"a/a.go": "// Copyright.\n\npackage p\n"}, []string{"a: no package comment"}},
		{map[string]string{"a/doc.go": said, "a/b.go": bare}, nil},
		{map[string]string{"a/a.go": said, "a/b.go": bare}, []string{"a: the package comment stands in a.go, not in doc.go"}},
		{map[string]string{"a/doc.go": said, "a/b.go": said}, []string{"a: the package comment stands in b.go, not in doc.go"}},
		{map[string]string{"a/a.go": bare, "b/b.go": bare}, []string{"a: no package comment", "b: no package comment"}},
	} {
		var files []*source
		for _, name := range slices.Sorted(maps.Keys(c.files)) {
			files = append(files, sample(t, name, c.files[name]))
		}
		require.Equal(t, c.want, unsaid(files), c.files)
	}
}

func unsaid(files []*source) (found []string) {
	count, comments := map[string]int{}, map[string][]string{}
	for _, s := range files {
		dir, name := path.Split(s.path)
		count[dir]++
		if s.file.Doc != nil {
			comments[dir] = append(comments[dir], name)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(count)) {
		if len(comments[dir]) == 0 {
			found = append(found, path.Clean(dir)+": no package comment")
		}
		for _, name := range comments[dir] {
			if count[dir] > 1 && name != "doc.go" {
				found = append(found, path.Clean(dir)+": the package comment stands in "+name+", not in doc.go")
			}
		}
	}
	return found
}

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

// undocumentedParts looks at the fields of a struct and the methods of an interface. A comment on
// the line counts, and one in front of a group of lines counts for the group. The one method of an
// interface is described by the interface's comment, and a field called like its type by the
// type's.
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
