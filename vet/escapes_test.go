package vet_test

import (
	"encoding/json"
	"go/ast"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"example.com/custody/vet"
)

// escapes is the program that commits what docs/escapes.md lists.
const escapes = "./docs/testdata/escapes"

// TestEscapes: what the essay's table says that the analyzers report of each escape they do, and
// nothing else.
func TestEscapes(t *testing.T) {
	run := exec.Command("go", "run", escapes)
	run.Dir = ".."
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Name, Vet string }
	if err := json.Unmarshal(out, &rows); err != nil || len(rows) == 0 {
		t.Fatal(len(rows), err)
	}
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: ".."}, escapes)
	if err != nil || len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatal(list, err)
	}
	graph, err := checker.Analyze(vet.Analyzers, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	parts := partsOf(list[0].Syntax)
	for _, root := range graph.Roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
		for _, d := range root.Diagnostics {
			for _, p := range parts {
				if p.node.Pos() <= d.Pos && d.Pos < p.node.End() {
					p.found = append(p.found, root.Analyzer.Name)
				}
			}
		}
	}
	for _, row := range rows {
		all := map[string]bool{}
		parts[row.Name].gather(parts, map[*part]bool{}, all)
		if got := strings.Join(slices.Sorted(maps.Keys(all)), ", "); got != row.Vet {
			t.Errorf("%s is reported by %q, and the table says %q", row.Name, got, row.Vet)
		}
	}
}

// part is a function of the program, or the method of a type, under the type's name.
type part struct {
	node  *ast.FuncDecl
	uses  []string
	found []string // the analyzers that report it
}

func partsOf(files []*ast.File) map[string]*part {
	parts := map[string]*part{}
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				switch t := f.Recv.List[0].Type.(type) {
				case *ast.StarExpr:
					name = t.X.(*ast.Ident).Name
				case *ast.Ident:
					name = t.Name
				}
			}
			p := &part{node: f}
			ast.Inspect(f, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name != name {
					p.uses = append(p.uses, id.Name)
				}
				return true
			})
			parts[name] = p
		}
	}
	return parts
}

// gather adds what reports the part, or one that it uses.
func (p *part) gather(parts map[string]*part, seen map[*part]bool, all map[string]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	for _, name := range p.found {
		all[name] = true
	}
	for _, name := range p.uses {
		parts[name].gather(parts, seen, all)
	}
}
