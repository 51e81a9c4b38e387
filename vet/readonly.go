package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// ReadOnly reports that the elements are written which a view handed out to be read.
var ReadOnly = &analysis.Analyzer{
	Name: "custodyreadonly",
	Doc: `report writes to slices that a Reader handed out

What Slice, Slices, Items, Offsets or Values of a view that reads returns is the container's own memory, and so is a row of a Stream, which
other jobs and cells read at the same time. Writing to it goes round the checks. Slices are followed through the variables of one function that have no other values.`,
	Run: readOnly,
}

func readOnly(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				r := lent{Pass: pass, of: map[*types.Var]string{}}
				r.follow(f, r.others(f))
				r.report(f.Body)
			}
		}
	}
	return nil, nil
}

// lent has the variables whose values are slices that a view handed out, and the words for who did.
type lent struct {
	*analysis.Pass
	of map[*types.Var]string
}

// others returns the variables that have values besides those that they are seen to be assigned: parameters, receivers and results, of function literals
// too, and those whose address is taken.
func (r *lent) others(f *ast.FuncDecl) map[*types.Var]bool {
	other := map[*types.Var]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				if v, ok := r.TypesInfo.Defs[id].(*types.Var); ok {
					other[v] = true
				}
			}
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
				if v, ok := r.TypesInfo.Uses[id].(*types.Var); ok {
					other[v] = true
				}
			}
		}
		return true
	})
	return other
}

// follow finds the variables, those of variables too. The others have other values.
func (r *lent) follow(f *ast.FuncDecl, other map[*types.Var]bool) {
	for before := -1; before < len(r.of); {
		before = len(r.of)
		set := func(to ast.Expr, by string) {
			id, ok := to.(*ast.Ident)
			if !ok {
				return
			}
			v, ok := r.TypesInfo.ObjectOf(id).(*types.Var)
			switch {
			case !ok || other[v]:
			case by == "":
				other[v] = true
				delete(r.of, v)
			default:
				r.of[v] = by
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					by := ""
					if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
						by = r.source(n.Rhs[i])
					}
					if by == "" && before == 0 && n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
						continue
					}
					set(to, by)
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if len(n.Values) == len(n.Names) {
						set(id, r.source(n.Values[i]))
					}
				}
			case *ast.RangeStmt:
				if n.Value != nil {
					set(n.Value, r.pieces(n.X))
				}
			}
			return true
		})
	}
}

// source returns who handed out the slice that the expression is, or "".
func (r *lent) source(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := r.TypesInfo.Uses[e].(*types.Var)
		return r.of[v]
	case *ast.SliceExpr:
		return r.source(e.X)
	case *ast.CallExpr:
		if t := r.TypesInfo.TypeOf(e); t != nil {
			if _, ok := t.Underlying().(*types.Slice); ok {
				return r.reader(e)
			}
		}
	}
	return ""
}

// pieces returns who hands out the slices that a range over the expression has as its second value, or "".
func (r *lent) pieces(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || s.Sel.Name != "Slices" && s.Sel.Name != "All" {
		return ""
	}
	return r.reader(call)
}

// own says which methods of views hand out slices of the container's memory, and not elements that may be slices; by the name of
// the view, which may be any but of a Stream.
func own(view, method string) bool {
	switch method {
	case "Slice", "Slices", "Items", "Offsets", "Values":
		return true
	case "At", "All":
		return view == "StreamReader"
	}
	return false
}

// reader returns the words for the view that only reads whose method the call calls, or "".
func (r *lent) reader(call *ast.CallExpr) string {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || r.TypesInfo.Selections[s] == nil {
		return ""
	}
	t := r.TypesInfo.TypeOf(s.X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !strings.HasSuffix(n.Obj().Name(), "Reader") || !own(n.Obj().Name(), s.Sel.Name) || !isView(n) {
		return ""
	}
	return types.ExprString(call.Fun)
}

// inPlace are the functions of the standard library that change the elements of their first argument.
var inPlace = map[string]string{
	"slices": " Sort SortFunc SortStableFunc Reverse Compact CompactFunc Delete DeleteFunc Insert Replace ",
	"sort":   " Slice SliceStable Ints Strings Float64s ",
}

func (r *lent) report(body ast.Node) {
	wrong := func(e ast.Expr, by, what string) {
		r.Reportf(e.Pos(), "%s the elements that %s returned, which are the container's and only lent to be read: take a Writer, or write to a copy", what, by)
	}
	written(body, func(to, _ ast.Expr) {
		if x := element(r.Pass, to); x != nil {
			if by := r.source(x.X); by != "" {
				wrong(to, by, "the assignment writes")
			}
		}
	})
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if by := r.source(call.Args[0]); by != "" && r.changes(call) {
			wrong(call.Args[0], by, types.ExprString(call.Fun)+" writes")
		}
		return true
	})
}

// element returns the element of a slice in whose own memory lies what is assigned to.
func element(pass *analysis.Pass, e ast.Expr) *ast.IndexExpr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if t := pass.TypesInfo.TypeOf(x.X); t == nil || pass.TypesInfo.Selections[x] == nil {
				return nil
			} else if _, ok := t.Underlying().(*types.Pointer); ok {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			switch pass.TypesInfo.TypeOf(x.X).Underlying().(type) {
			case *types.Slice:
				return x
			case *types.Array:
				e = x.X
			default:
				return nil
			}
		default:
			return nil
		}
	}
}

// changes says whether the call changes the elements of its first argument. An append does if that was cut: what a view
// hands out has no room beyond its end.
func (r *lent) changes(call *ast.CallExpr) bool {
	if r.TypesInfo.Types[call.Fun].IsBuiltin() {
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		cut, isCut := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
		return id.Name == "copy" || id.Name == "clear" || id.Name == "append" && isCut && cut.High != nil && cut.Max == nil && len(call.Args) > 1
	}
	f, ok := typeutil.Callee(r.TypesInfo, call).(*types.Func)
	return ok && f.Pkg() != nil && f.Signature().Recv() == nil && strings.Contains(inPlace[f.Pkg().Path()], " "+f.Name()+" ")
}
