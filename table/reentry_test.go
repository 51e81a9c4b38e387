package table_test

import (
	"errors"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// exported returns the exported functions and methods of the package, and the functions of the
// program that it calls: parameters, fields of structs, and bodies of ranges.
func exported(t *testing.T) (calls, callbacks []string) {
	for _, f := range lawtest.Sources(t, ".") {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				of := receiver(d)
				if !d.Name.IsExported() || of != "" && !ast.IsExported(strings.TrimSuffix(of, ".")) {
					continue
				}
				calls = append(calls, of+d.Name.Name)
				for _, p := range d.Type.Params.List {
					if _, ok := p.Type.(*ast.FuncType); ok {
						callbacks = append(callbacks, of+d.Name.Name+" "+p.Names[0].Name)
					}
				}
				if d.Type.Results != nil && strings.HasPrefix(lawtest.TypeName(d.Type.Results.List[0].Type), "iter.Seq") {
					callbacks = append(callbacks, of+d.Name.Name+" body")
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					ts, _ := s.(*ast.TypeSpec)
					if ts == nil || !ts.Name.IsExported() {
						continue
					}
					if st, ok := ts.Type.(*ast.StructType); ok {
						for _, field := range st.Fields.List {
							if _, ok := field.Type.(*ast.FuncType); ok && field.Names[0].IsExported() {
								callbacks = append(callbacks, ts.Name.Name+" "+field.Names[0].Name)
							}
						}
					}
				}
			}
		}
	}
	slices.Sort(calls)
	slices.Sort(callbacks)
	return slices.Compact(calls), slices.Compact(callbacks)
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	return lawtest.TypeName(d.Recv.List[0].Type) + "."
}

// A function of the program that the package calls may call anything in the package: the call
// succeeds, or is a violation. A call that would change the table during another call is refused,
// and the text names both calls. Afterwards the table is whole.
func TestWhatAFunctionThatIsCalledMayCall(t *testing.T) {
	lawtest.CheckedOnly(t)
	calls, callbacks := exported(t)
	names := slices.Sorted(maps.Keys(operations))
	require.Equal(t, calls, names, "every function and method of the package is an operation here")
	var known []string
	for _, c := range guests {
		known = append(known, c.of)
	}
	slices.Sort(known)
	require.Equal(t, callbacks, slices.Compact(known), "every function that the package calls is called here")
	for _, c := range guests {
		for _, name := range names {
			if do := operations[name]; do != nil {
				t.Run(c.of+c.where+"/"+name, func(t *testing.T) { checkGuest(t, c, name, do) })
			}
		}
	}
}

func checkGuest(t *testing.T, c guest, name string, do func(w *house)) {
	w := newHouse(c.bare)
	var inner error
	var asked atomic.Int32
	w.inside = func() {
		if asked.Add(1) == 1 {
			inner = lawtest.Failure(func() error { do(w); return nil })
		}
	}
	outer := lawtest.Failure(func() error { c.call(w); return nil })
	require.NotZero(t, asked.Load(), "it was not called")
	for _, err := range []error{inner, outer} {
		var v *safety.Violation
		require.True(t, err == nil || errors.As(err, &v), "%v", err)
	}
	if c.running != "" && slices.Contains(changing, name) {
		require.ErrorIs(t, inner, safety.ErrConflict)
		require.ErrorContains(t, inner, name+` was called on table.Table[example.com/custody/table_test.lodger] "house" while `)
		require.ErrorContains(t, inner, " while "+c.running+" runs "+c.name)
		require.NoError(t, outer)
	} else if !c.job {
		require.NotErrorIs(t, inner, safety.ErrConflict)
		require.NotErrorIs(t, outer, safety.ErrConflict)
	}
	w.end(t)
}
