package gates

import (
	"flag"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updatePadding = flag.Bool("update-padding", false, "write testdata/padding.txt anew")

const paddingFile = "testdata/padding.txt"

// TestScalingNeedsPadding: what different processors write lies in cache lines of its own. The file
// lists the structs with padding, and the fields of each between two pads, which may share a line.
// A pad that goes, or a field that joins others, changes the list.
func TestScalingNeedsPadding(t *testing.T) {
	var found []string
	for _, s := range sources(t, func(s *source) bool { return isDriver(s) }) {
		found = append(found, padded(s)...)
	}
	slices.Sort(found)
	text := strings.Join(found, "\n") + "\n"
	if *updatePadding {
		require.NoError(t, os.WriteFile(paddingFile, []byte(text), 0o644))
	}
	listed, err := os.ReadFile(paddingFile)
	require.NoError(t, err)
	require.Equal(t, string(listed), text, "fields share a cache line, or do not any more: go test ./internal/gates -run Padding -update-padding")
}

func TestPaddingIsFound(t *testing.T) {
	require.Equal(t, []string{"p.s: a b | c |"}, padded(sample(t, "p/p.go", `package p
type s[T any] struct {
	a, b int
	_ pad.Bytes
	c T
	_ pad.Bytes
}
type plain struct{ a int }
func f() { var _ struct { pad.Bytes; x int } }
`))[:1])
	require.Equal(t, []string{"p.(func f): | x"}, padded(sample(t, "p/p.go", "package p\nfunc f() { var _ struct { pad.Bytes; x int } }")))
}

// padded returns the structs of a file that have padding: package and name, and the fields, with |
// where there is a pad.
func padded(s *source) (found []string) {
	for _, d := range s.file.Decls {
		name := "(func)"
		if f, ok := d.(*ast.FuncDecl); ok {
			name = "(func " + f.Name.Name + ")"
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				name = n.Name.Name
			case *ast.StructType:
				if fields, pads := fieldsOf(n); pads > 0 {
					found = append(found, s.file.Name.Name+"."+name+": "+fields)
				}
			}
			return true
		})
	}
	return found
}

func fieldsOf(n *ast.StructType) (text string, pads int) {
	var b strings.Builder
	for i, f := range n.Fields.List {
		if i > 0 {
			b.WriteByte(' ')
		}
		sel, ok := f.Type.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Bytes" {
			b.WriteByte('|')
			pads++
			continue
		}
		var names []string
		for _, name := range f.Names {
			names = append(names, name.Name)
		}
		if names == nil {
			names = []string{"embedded"}
		}
		b.WriteString(strings.Join(names, " "))
	}
	return b.String(), pads
}
