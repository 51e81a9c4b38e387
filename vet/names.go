package vet

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// library is the path of custody's module.
const library = "example.com/custody"

// from reports whether the package is the one of custody with that name.
func from(p *types.Package, name string) bool { return p != nil && p.Path() == library+"/"+name }

// isNamed reports whether t is the named type of that package of custody.
func isNamed(t types.Type, pkg, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && from(n.Obj().Pkg(), pkg)
}

func isHandle(t types.Type) bool { return isNamed(t, "parallelfor", "Handle") }

// isContainer reports whether a value of type t is a container: it holds a guard in its own memory,
// or is a column of a table, whose guard is that of its elements.
func isContainer(t types.Type) bool {
	return holds(t, nil, false, func(t types.Type) bool { return isNamed(t, "safety", "Guard") || isNamed(t, "table", "base") })
}

// refersToContainer reports whether t is a container or a pointer to one.
func refersToContainer(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return isContainer(t)
}

// isView reports whether t is the type of a view: it has the Hold's method access, by itself or by
// what it embeds.
func isView(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return false
	}
	all := types.NewMethodSet(types.NewPointer(t))
	for m := range all.Methods() {
		if f, ok := m.Obj().(*types.Func); ok && f.Name() == "access" && from(f.Pkg(), "safety") {
			return true
		}
	}
	return false
}

// holdsView reports whether a copy of a value of type t lets its holder use a view. That is so if t
// is a view, a pointer to a type that holds one, or a struct, array or slice with one inside.
func holdsView(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return holds(t, nil, true, isView)
}

// holds reports whether is returns true for t or for the type of a field or element inside a value
// of type t. With slices, the elements of slices count, too.
func holds(t types.Type, within []types.Type, slices bool, is func(types.Type) bool) bool {
	for _, w := range within {
		if types.Identical(w, t) {
			return false
		}
	}
	if is(t) {
		return true
	}
	within = append(within, t)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), within, slices, is) {
				return true
			}
		}
	case *types.Array:
		return holds(u.Elem(), within, slices, is)
	case *types.Slice:
		return slices && holds(u.Elem(), within, slices, is)
	}
	return false
}

// shares reports whether the tag of a field leaves its use to the program.
func shares(tag string) bool { return reflect.StructTag(tag).Get("custody") == "unguarded" }

// scheduled returns the function of package parallelfor or table that the call calls to run or
// schedule a job. It returns nil for other calls, including those that return options.
func scheduled(pass *analysis.Pass, call *ast.CallExpr) *types.Func {
	f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok || !from(f.Pkg(), "parallelfor") && !overRows(f) || f.Signature().Recv() != nil {
		return nil
	}
	out := f.Signature().Results()
	if out.Len() == 1 && isNamed(out.At(0).Type(), "parallelfor", "Option") {
		return nil
	}
	return f
}

// overRows reports whether the function runs a loop over the rows of a table.
func overRows(f *types.Func) bool {
	if in := f.Signature().Params(); from(f.Pkg(), "table") {
		for k := range min(in.Len(), 2) { // a context may come first
			if isNamed(in.At(k).Type(), "table", "Rows") {
				return true
			}
		}
	}
	return false
}

// later reports whether the function returns before its job has run.
func later(f *types.Func) bool {
	out := f.Signature().Results()
	return out.Len() == 1 && isHandle(out.At(0).Type())
}

// once reports whether the function calls its body once.
func once(f *types.Func) bool {
	switch f.Name() {
	case "Do", "DoErr", "Go", "GoErr", "ScheduleDo", "ScheduleDoErr":
		return true
	}
	return false
}

// captured reports whether the variable comes from outside of the body.
func (b body) captured(v *types.Var) bool {
	return v == b.shared && v != nil || !v.IsField() && (v.Pos() < b.node.Pos() || v.Pos() > b.node.End())
}

// root returns the variable with which an expression like x.y[i].z begins. own reports whether the
// whole expression lies in the variable's own memory: it goes through fields and elements of
// arrays, not through pointers, slices or maps.
func root(pass *analysis.Pass, e ast.Expr) (v *types.Var, own bool) {
	own = true
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ = pass.TypesInfo.ObjectOf(x).(*types.Var)
			return v, own
		case *ast.SelectorExpr:
			if _, ok := pass.TypesInfo.Selections[x]; !ok { // a variable of another package
				v, _ = pass.TypesInfo.ObjectOf(x.Sel).(*types.Var)
				return v, own
			}
			if _, ok := pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Pointer); ok {
				own = false
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Array); !ok {
				own = false
			}
			e = x.X
		case *ast.StarExpr:
			own = false
			e = x.X
		default:
			return nil, false
		}
	}
}

// written calls f with every operand to which a statement inside the block assigns, and with the
// assigned value. The value is nil unless the assignment has one value for each operand.
func written(block ast.Node, f func(to, value ast.Expr)) {
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					f(to, n.Rhs[i])
				} else {
					f(to, nil)
				}
			}
		case *ast.IncDecStmt:
			f(n.X, nil)
		case *ast.RangeStmt:
			if n.Key != nil {
				f(n.Key, nil)
			}
			if n.Value != nil {
				f(n.Value, nil)
			}
		}
		return true
	})
}

// concrete reports whether t is known and no type parameter.
func concrete(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return t != nil && !param
}
