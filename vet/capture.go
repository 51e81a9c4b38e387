package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Capture reports containers and plain variables that a body of a job uses without a view.
var Capture = &analysis.Analyzer{
	Name: "custodycapture",
	Doc: `report containers and plain variables that the body of a job uses without a view

The ledger does not know that a body uses a container that it captures, so the body needs a view of
it. Calls of a body that write one captured plain variable race. The analyzer does not report writes
of bodies that lock or are called only once, writes under a condition, and writes to an element of a
captured slice whose index differs from call to call.` + bodiesDoc,
	Run: capture,
}

func capture(pass *analysis.Pass) (any, error) {
	bodies(pass, func(b body) {
		told := map[*types.Var]bool{}
		use := func(e ast.Expr) {
			name := types.ExprString(e)
			pass.Reportf(e.Pos(), "%s uses container %s itself: carry a view of it, such as what its Reader, Writer or ParallelWriter returns", b.name, name)
		}
		fields := map[string]bool{}
		ast.Inspect(b.block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				field, v := fieldOf(pass, n)
				if v == nil || !b.captured(v) || told[v] {
					return true
				}
				if field == nil {
					return false
				}
				if name := types.ExprString(field); !fields[name] {
					fields[name] = true
					use(field)
				}
				return false
			case *ast.Ident:
				v, ok := pass.TypesInfo.Uses[n].(*types.Var)
				if ok && b.captured(v) && !told[v] && refersToContainer(v.Type()) {
					told[v] = true
					use(n)
				}
			}
			return true
		})
		if b.once || locks(pass, b.block) {
			return
		}
		picked := conditional(b.block)
		written(b.block, func(to, _ ast.Expr) {
			if picked(to) {
				return
			}
			v, _ := root(pass, to)
			if v == nil || !b.captured(v) || told[v] || indexed(pass, b, to) {
				return
			}
			told[v] = true
			pass.Reportf(to.Pos(), "every call of the body of %s may write %s: they race. Write to a container through a view, or reduce", b.name, types.ExprString(to))
		})
	})
	return nil, nil
}

// fieldOf returns the variable v with which a path of fields like x.y.z begins. v is nil if it is a
// container of its own, or if s is no such path. field is the part of the path that leads to a
// container, or nil if there is none or a tag leaves its use to the program.
func fieldOf(pass *analysis.Pass, s *ast.SelectorExpr) (field ast.Expr, v *types.Var) {
	shared := false
	var e ast.Expr = s
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.StarExpr:
			e = x.X
			continue
		case *ast.SelectorExpr:
			selected := pass.TypesInfo.Selections[x]
			if selected == nil {
				v, _ = pass.TypesInfo.Uses[x.Sel].(*types.Var)
				break
			}
			if selected.Kind() != types.FieldVal {
				return nil, nil
			}
			if t := pass.TypesInfo.TypeOf(x); (e == s || guarded(t)) && refersToContainer(t) && !isView(t) {
				field = x
			}
			shared = shared || unguarded(selected)
			e = x.X
			continue
		case *ast.Ident:
			v, _ = pass.TypesInfo.Uses[x].(*types.Var)
		}
		break
	}
	switch {
	case v == nil || guarded(v.Type()):
		return nil, nil
	case shared:
		return nil, v
	}
	return field, v
}

// unguarded reports whether the tag of a selected field leaves its use to the program.
func unguarded(s *types.Selection) bool {
	t := s.Recv()
	for _, k := range s.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		u, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		if shares(u.Tag(k)) {
			return true
		}
		t = u.Field(k).Type()
	}
	return false
}

// guarded reports whether t, or the type that it points to, is a container of its own: a type of
// the library, or a struct with a guard or an embedded container. Other structs that hold a guard
// have containers in their fields.
func guarded(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if !isContainer(t) {
		return false
	}
	u, ok := t.Underlying().(*types.Struct)
	if !ok || ofLibrary(t) {
		return ok
	}
	for f := range u.Fields() {
		if isNamed(f.Type(), "safety", "Guard") || f.Embedded() && guarded(f.Type()) {
			return true
		}
	}
	return false
}

// indexed reports whether e is, or lies in, an element of a slice or array whose index may differ
// from call to call. Each call may then write an element of its own.
func indexed(pass *analysis.Pass, b body, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			if _, isMap := pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Map); isMap {
				return false
			}
			differs := false
			ast.Inspect(x.Index, func(n ast.Node) bool {
				if _, ok := n.(*ast.CallExpr); ok {
					differs = true // unknown
				}
				if id, ok := n.(*ast.Ident); ok {
					if v, ok := pass.TypesInfo.Uses[id].(*types.Var); ok && !b.captured(v) {
						differs = true
					}
				}
				return true
			})
			if differs {
				return true
			}
			e = x.X
		default:
			return false
		}
	}
}

// locks reports whether the block calls a method of package sync, which may order the writes.
func locks(pass *analysis.Pass, block ast.Node) (found bool) {
	ast.Inspect(block, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			f, ok := pass.TypesInfo.Uses[s.Sel].(*types.Func)
			found = found || ok && f.Pkg() != nil && f.Pkg().Path() == "sync"
		}
		return !found
	})
	return found
}

// conditional returns a function that reports whether an expression is under a condition inside the
// block.
func conditional(block ast.Node) func(e ast.Expr) bool {
	var under []ast.Node
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			under = append(under, n.Body)
			if n.Else != nil {
				under = append(under, n.Else)
			}
		case *ast.CaseClause, *ast.CommClause:
			under = append(under, n)
		}
		return true
	})
	return func(e ast.Expr) bool {
		for _, n := range under {
			if n.Pos() <= e.Pos() && e.End() <= n.End() {
				return true
			}
		}
		return false
	}
}
