package gates

import (
	"fmt"
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
)

// isHarness reports whether the file belongs to the harness that tests import.
func isHarness(s *source) bool { return s.isGo() && !s.isTest() && s.dir() == "fuzz" }

// TestOnlyTestsImportTheHarness: package fuzz needs the libraries of tests, so nothing else imports
// it.
func TestOnlyTestsImportTheHarness(t *testing.T) {
	hold(t, importsHarness, sources(t, func(s *source) bool { return s.isGo() && !s.isTest() }))
	text := fmt.Sprintf("package p\nimport _ %q", modulePath()+"/fuzz")
	trip(t, importsHarness, "array/a.go", text)
	trip(t, importsHarness, "internal/x/a.go", text)
	trip(t, importsHarness, "examples/x/main.go", text)
}

func importsHarness(s *source) (found []string) {
	for _, p := range s.imports() {
		if p == modulePath()+"/fuzz" {
			found = append(found, s.path+" imports the harness, and is no test")
		}
	}
	return found
}

// TestTheHarnessIsDocumented: users read its documentation as that of any other package, and it
// shows them nothing that they cannot import.
func TestTheHarnessIsDocumented(t *testing.T) {
	hold(t, undocumented, sources(t, isHarness))
	hold(t, showsInternals, sources(t, isHarness))
	internal := fmt.Sprintf("package fuzz\nimport \"%s/internal/spec\"\n", modulePath())
	trip(t, showsInternals, "fuzz/a.go", internal+"func F(in spec.QueueIn) {}")
	trip(t, showsInternals, "fuzz/a.go", internal+"type T struct { In spec.QueueIn }")
	require.Empty(t, showsInternals(sample(t, "fuzz/a.go", internal+"func f(in spec.QueueIn) {}\nfunc F() { f(spec.QueueIn{}) }\ntype t struct { in spec.QueueIn }")))
}

// showsInternals looks for names of internal packages in the signatures of exported functions and
// in exported types.
func showsInternals(s *source) (found []string) {
	ours := map[string]bool{}
	for _, p := range s.imports() {
		if under(p, modulePath()+"/internal") {
			ours[p[len(modulePath()+"/internal/"):]] = true
		}
	}
	look := func(n ast.Node, name string) {
		ast.Inspect(n, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && ours[x.Name] {
					found = append(found, s.at(sel)+" "+name+" shows a name of package "+x.Name+", which users cannot import")
				}
			}
			return true
		})
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Recv == nil {
				look(d.Type, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.IsExported() {
					look(ts.Type, ts.Name.Name)
				}
			}
		}
	}
	return found
}
