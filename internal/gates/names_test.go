package gates

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exportedNames bounds how many names each package exports: functions, types, and methods of
// exported types. exportedNamesInAll bounds their sum.
var exportedNames = map[string]int{
	"array": 170, "counter": 86, "custodytest": 3, "fuzz": 24, "hashmap": 114, "lane": 24, "parallelfor": 96,
	"queue": 95, "safety": 120, "safety/atom": 15, "table": 100, "timeline": 3,
}

const exportedNamesInAll = 849

func TestExportedNames(t *testing.T) {
	found := map[string]map[string]bool{}
	for _, s := range sources(t, func(s *source) bool { return isPublic(s) || s.isGo() && !s.isTest() && s.dir() == "fuzz" }) {
		if found[s.dir()] == nil {
			found[s.dir()] = map[string]bool{}
		}
		for _, name := range exportedBy(s.file) {
			found[s.dir()][name] = true // once, though several levels declare it
		}
	}
	all := 0
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		names := slices.Sorted(maps.Keys(found[pkg]))
		t.Logf("%-12s %4d exported names, at most %d", pkg, len(names), exportedNames[pkg])
		require.LessOrEqual(t, len(names), exportedNames[pkg], "package %s exports more names than it may: %s", pkg, strings.Join(names, " "))
		all += len(names)
	}
	t.Logf("%-12s %4d exported names, at most %d", "in all", all, exportedNamesInAll)
	require.LessOrEqual(t, all, exportedNamesInAll)
}

func TestExportedNamesAreFound(t *testing.T) {
	require.Equal(t, []string{"A", "A.Get", "B", "B.Set", "F"}, exportedBy(sample(t, "p/p.go", `package p
type A[K, V any] struct{}
type B int
type c int
func (a *A[K, V]) Get() {}
func (B) Set() {}
func (B) set() {}
func (c) Get() {}
func F() {}
func f() {}
var X int
`).file))
}

// exportedBy returns the names that a file exports, methods as Type.Method.
func exportedBy(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case !d.Name.IsExported():
			case d.Recv == nil:
				names = append(names, d.Name.Name)
			default:
				if of := typeName(d.Recv.List[0].Type); ast.IsExported(of) {
					names = append(names, of+"."+d.Name.Name)
				}
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
					names = append(names, s.Name.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
