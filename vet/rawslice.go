package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// RawSlice reports slices of a container's elements that are used while a job holds the container.
var RawSlice = &analysis.Analyzer{
	Name: "custodyrawslice",
	Doc: `report slices of a container that are used while a job holds it

Slice is checked once, when it is called. Who keeps what it returned, or the slice that a container adopted, and uses it
after a job was scheduled with the container and before anything was completed, goes round the checks.`,
	Run: rawSlice,
}

func rawSlice(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					newRaw(pass).walk(n.Body)
				}
			case *ast.FuncLit:
				newRaw(pass).walk(n.Body)
			}
			return true
		})
	}
	return nil, nil
}

// raw goes through a function in the order of its text.
type raw struct {
	*analysis.Pass
	of   map[*types.Var]string // slices, and the containers that they are the elements of
	held map[string]string     // containers that a job holds, and the function that scheduled it
}

func newRaw(pass *analysis.Pass) *raw {
	return &raw{Pass: pass, of: map[*types.Var]string{}, held: map[string]string{}}
}

func (r *raw) walk(block ast.Node) {
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // another function, at another time
		case *ast.AssignStmt:
			for _, e := range n.Rhs {
				r.walk(e)
			}
			for i, to := range n.Lhs {
				id, ok := to.(*ast.Ident)
				if !ok {
					r.walk(to)
					continue
				}
				v, _ := r.TypesInfo.ObjectOf(id).(*types.Var)
				if v == nil || len(n.Lhs) != len(n.Rhs) {
					continue
				}
				delete(r.of, v)
				if c := r.sliced(n.Rhs[i]); c != "" {
					r.of[v] = c
				}
				if s := r.adopted(n.Rhs[i]); s != nil {
					r.of[s] = id.Name
				}
			}
			return false
		case *ast.CallExpr:
			if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && s.Sel.Name == "Complete" {
				if t := r.TypesInfo.TypeOf(s.X); t != nil && isHandle(t) {
					clear(r.held)
					return true
				}
			}
			f := scheduled(r.Pass, n)
			if f == nil || !later(f) {
				return true
			}
			for _, a := range n.Args {
				r.walk(a)
			}
			for _, a := range n.Args {
				ast.Inspect(a, func(n ast.Node) bool {
					if c := r.viewed(n); c != "" {
						r.held[c] = f.Name()
					}
					return true
				})
			}
			return false
		case *ast.Ident:
			v, _ := r.TypesInfo.Uses[n].(*types.Var)
			if c, ok := r.of[v]; ok {
				if by, ok := r.held[c]; ok {
					r.Reportf(n.Pos(), "%s has the elements of container %s, which the job of %s holds: complete it first", n.Name, c, by)
				}
			}
		}
		return true
	})
}

// sliced returns the container whose elements the expression is.
func (r *raw) sliced(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Slice" {
		return ""
	}
	return r.container(s.X)
}

// adopted returns the slice that a container is made of.
func (r *raw) adopted(e ast.Expr) *types.Var {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Of" || !refersToContainer(r.TypesInfo.TypeOf(call)) {
		return nil
	}
	v, _ := root(r.Pass, call.Args[0])
	return v
}

// viewed returns the container of which the node takes a view.
func (r *raw) viewed(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if t := r.TypesInfo.TypeOf(call); t == nil || !isView(t) {
		return ""
	}
	return r.container(s.X)
}

// container returns the words for a container, and "" for what is none.
func (r *raw) container(e ast.Expr) string {
	if t := r.TypesInfo.TypeOf(e); t == nil || !refersToContainer(t) || isView(t) {
		return ""
	}
	return types.ExprString(e)
}
