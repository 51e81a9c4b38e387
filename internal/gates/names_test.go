package gates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exportedNames bounds how many names each package exports: functions, types, and methods of
// exported types. exportedNamesInAll bounds their sum.
var exportedNames = map[string]int{
	"array": 229, "counter": 127, "custodytest": 3, "fuzz": 35, "hashmap": 173, "lane": 30, "parallelfor": 100, "queue": 130, "safety": 144, "table": 122, "timeline": 3,
}

const exportedNamesInAll = 1087

func TestExportedNames(t *testing.T) {
	all := 0
	for _, pkg := range slices.Sorted(maps.Keys(exportedNames)) {
		names := namesOf(t, filepath.Join(root(), pkg))
		t.Logf("%-12s %4d exported names, at most %d", pkg, len(names), exportedNames[pkg])
		require.LessOrEqual(t, len(names), exportedNames[pkg], "package %s exports more names than it may: %s", pkg, strings.Join(names, " "))
		all += len(names)
	}
	t.Logf("%-12s %4d exported names, at most %d", "in all", all, exportedNamesInAll)
	require.LessOrEqual(t, all, exportedNamesInAll)
}

// namesOf returns the exported functions and types that the files of a folder declare at any level,
// and the exported methods of exported types, each once.
func namesOf(t *testing.T, folder string) []string {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if !d.Name.IsExported() {
					continue
				}
				if d.Recv == nil {
					found[d.Name.Name] = true
				} else if r := receiver(d.Recv.List[0].Type); ast.IsExported(r) {
					found[r+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						found[s.Name.Name] = true
					}
				}
			}
		}
	}
	var names []string
	for n := range found {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprintf("%T", e)
}
