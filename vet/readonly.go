package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// ReadOnly reports writes to the elements of slices that a Reader returned.
var ReadOnly = &analysis.Analyzer{
	Name: "custodyreadonly",
	Doc: `report writes to slices that a Reader returned

Slice, Slices, Items, Offsets and Values of a Reader, the rows of a StreamReader, and At and Groups of a
MultiReader return the container's own memory, which other batches and jobs may read at the same time.
No check sees a write to it. The analyzer follows slices through conversions and the variables of one
function that are assigned nothing else. It does not follow pointers to elements, nor what other
functions do with a slice, except those of packages slices and sort that write their first argument.`,
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

// lent has the variables whose only values are slices that a Reader returned, each with the text of
// the call that returned them, such as j.In.Slice.
type lent struct {
	*analysis.Pass
	of map[*types.Var]string
}

// others returns the variables that may have values besides those that the function assigns to
// them: parameters, receivers and results, also those of function literals, variables whose address
// is taken, and variables of the package.
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
		case *ast.Ident:
			if v, ok := r.TypesInfo.Uses[n].(*types.Var); ok && v.Parent() == r.Pkg.Scope() {
				other[v] = true
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

// follow fills r.of. It repeats until nothing changes, because a variable may be assigned from
// another. A variable that is in other, or that is assigned any other value, is left out.
func (r *lent) follow(f *ast.FuncDecl, other map[*types.Var]bool) {
	for before := -1; before != len(r.of); {
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
					if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
						by = r.value(n.Rhs, i, len(n.Lhs))
					}
					if by == "" && before == 0 && n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
						continue
					}
					set(to, by)
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if len(n.Values) > 0 {
						set(id, r.value(n.Values, i, len(n.Names)))
					}
				}
			case *ast.RangeStmt:
				if n.Key != nil {
					set(n.Key, "")
				}
				if n.Value != nil {
					set(n.Value, r.pieces(n.X))
				}
			}
			return true
		})
	}
}

// value returns the text of the call that returned the slice which an assignment of values assigns
// to its i-th variable, or "". variables is the number of variables.
func (r *lent) value(values []ast.Expr, i, variables int) string {
	if len(values) == variables {
		return r.source(values[i])
	}
	if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok && i == 1 { // a key and its values
		return r.reader(call)
	}
	return ""
}

// source returns the text of the call that returned the slice which the expression denotes, or "".
func (r *lent) source(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := r.TypesInfo.Uses[e].(*types.Var)
		return r.of[v]
	case *ast.SliceExpr:
		return r.source(e.X)
	case *ast.CallExpr:
		if t := r.TypesInfo.TypeOf(e); t != nil {
			if _, ok := t.Underlying().(*types.Slice); !ok {
				return ""
			}
			if r.TypesInfo.Types[e.Fun].IsType() {
				return r.source(e.Args[0])
			}
			return r.reader(e)
		}
	}
	return ""
}

// pieces returns the text of the call that returned the slices which a range over the expression
// has as second values, or "".
func (r *lent) pieces(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || s.Sel.Name != "Slices" && s.Sel.Name != "All" && s.Sel.Name != "Groups" {
		return ""
	}
	return r.reader(call)
}

// own reports whether a method of a Reader returns slices of the container's own memory. At does so
// on a StreamReader and a MultiReader, All on a StreamReader alone; on another view they return
// elements, which may be slices themselves.
func own(view, method string) bool {
	switch method {
	case "Slice", "Slices", "Items", "Offsets", "Values":
		return true
	case "At":
		return view == "StreamReader" || view == "MultiReader"
	case "All":
		return view == "StreamReader"
	case "Groups":
		return view == "MultiReader"
	}
	return false
}

// reader returns the text of the call, such as j.In.Slice, if it calls a method of a Reader of the
// library that returns the container's own memory, and otherwise "". The Reader of a program's own
// container may return copies.
func (r *lent) reader(call *ast.CallExpr) string {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || r.TypesInfo.Selections[s] == nil {
		return ""
	}
	f, ok := r.TypesInfo.Selections[s].Obj().(*types.Func)
	if !ok {
		return ""
	}
	for _, t := range []types.Type{r.TypesInfo.Selections[s].Recv(), f.Signature().Recv().Type()} {
		// A Reader may have a method of a type that it embeds, and a job one of an embedded Reader.
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		n, ok := types.Unalias(t).(*types.Named)
		if ok && ofLibrary(n) && strings.HasSuffix(n.Obj().Name(), "Reader") && own(n.Obj().Name(), s.Sel.Name) && isView(n) {
			return types.ExprString(call.Fun)
		}
	}
	return ""
}

// inPlace are functions of the standard library that change the elements of their first argument.
var inPlace = map[string]string{
	"slices": " Sort SortFunc SortStableFunc Reverse Compact CompactFunc Delete DeleteFunc Insert Replace ",
	"sort":   " Slice SliceStable Sort Stable Ints Strings Float64s ",
}

func (r *lent) report(body ast.Node) {
	wrong := func(e ast.Expr, by, what string) {
		r.Reportf(e.Pos(), "%s the elements that %s returned, which are the container's own memory and may only be read: take a Writer, or write to a copy", what, by)
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

// element returns the slice element whose memory holds the operand that is assigned to, or nil:
// s[i] for s[i], s[i].f and s[i].a[k].
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

// changes reports whether the call changes the elements of its first argument. An append changes
// them only if that argument is a slice expression with a smaller length, because a Reader returns
// slices without spare capacity.
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
