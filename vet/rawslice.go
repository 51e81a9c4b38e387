package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// RawSlice reports uses of the elements of a container's slice while a job holds the container.
var RawSlice = &analysis.Analyzer{
	Name: "custodyrawslice",
	Doc: `report uses of the elements of a container's slice while a job holds the container

Slice checks custody only when it is called. No check sees a later use of the elements of the slice
that it returned, or of a slice that the container adopted. The analyzer reports such a use after a
job with the container was scheduled and before any job was completed, if the use or the job writes.
It looks only at schedules in the same function that are sure to come before the use.`,
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

// raw visits a function in the order of its text.
type raw struct {
	*analysis.Pass
	of   map[*types.Var]string // slices, with the texts of the containers that have the elements
	held map[string]hold       // by the text of the container
}

// hold describes the job that holds a container.
type hold struct {
	by     string // the function that scheduled it
	writes bool
}

func newRaw(pass *analysis.Pass) *raw {
	return &raw{Pass: pass, of: map[*types.Var]string{}, held: map[string]hold{}}
}

func (r *raw) walk(n ast.Node) {
	if n != nil {
		ast.Inspect(n, r.visit)
	}
}

// branch visits a statement that may not be executed. A job that it schedules may not hold its
// containers afterwards.
func (r *raw) branch(n ast.Node) {
	before := map[string]bool{}
	for c := range r.held {
		before[c] = true
	}
	r.walk(n)
	for c := range r.held {
		if !before[c] {
			delete(r.held, c)
		}
	}
}

func (r *raw) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false // another function, at another time
	case *ast.IfStmt:
		if n.Init != nil {
			r.walk(n.Init)
		}
		r.walk(n.Cond)
		r.branch(n.Body)
		if n.Else != nil {
			r.branch(n.Else)
		}
		return false
	case *ast.ForStmt:
		if n.Init != nil {
			r.walk(n.Init)
		}
		if n.Cond != nil {
			r.walk(n.Cond)
		}
		r.branch(n.Body)
		if n.Post != nil {
			r.branch(n.Post)
		}
		return false
	case *ast.RangeStmt:
		r.use(n.X, false)
		r.branch(n.Body)
		return false
	case *ast.CaseClause:
		for _, e := range n.List {
			r.walk(e)
		}
		for _, s := range n.Body {
			r.branch(s)
		}
		return false
	case *ast.CommClause:
		for _, s := range n.Body {
			r.branch(s)
		}
		return false
	case *ast.ValueSpec:
		for _, e := range n.Values {
			r.walk(e)
		}
		for i, id := range n.Names {
			if len(n.Values) == len(n.Names) {
				r.assign(id, n.Values[i])
			}
		}
		return false
	case *ast.AssignStmt:
		for _, e := range n.Rhs {
			r.walk(e)
		}
		for i, to := range n.Lhs {
			if id, ok := to.(*ast.Ident); ok {
				var value ast.Expr
				if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					value = n.Rhs[i]
				}
				r.assign(id, value)
				continue
			}
			if x, ok := to.(*ast.IndexExpr); ok {
				r.use(x.X, true)
				r.walk(x.Index)
				continue
			}
			r.walk(to)
		}
		return false
	case *ast.IncDecStmt:
		if x, ok := n.X.(*ast.IndexExpr); ok {
			r.use(x.X, true)
			return false
		}
	case *ast.IndexExpr:
		r.use(n.X, false)
	case *ast.CallExpr:
		return r.call(n)
	}
	return true
}

// call records what a call schedules or completes, and reports whether its operands must still be
// visited.
func (r *raw) call(n *ast.CallExpr) bool {
	if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		if t := r.TypesInfo.TypeOf(s.X); t != nil && isHandle(t) {
			if name := s.Sel.Name; name != "Finished" && name != "Err" && name != "String" {
				clear(r.held) // by Complete, above all
			}
			return true
		}
	}
	f := scheduled(r.Pass, n)
	if f == nil || !later(f) {
		for _, a := range n.Args {
			t := r.TypesInfo.TypeOf(a)
			if t != nil && (isHandle(t) || f != nil && isNamed(t, "parallelfor", "Option")) {
				clear(r.held) // it may be completed there, or a job that runs after it
			}
		}
		return true
	}
	for _, a := range n.Args {
		r.walk(a)
	}
	for _, a := range n.Args {
		ast.Inspect(a, func(n ast.Node) bool {
			if c, reads := r.viewed(n); c != "" {
				r.held[c] = hold{by: f.Name(), writes: !reads}
			}
			return true
		})
	}
	return false
}

// use reports a use of elements of a container that a job holds.
func (r *raw) use(e ast.Expr, write bool) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		r.walk(e)
		return
	}
	v, _ := r.TypesInfo.Uses[id].(*types.Var)
	c, ok := r.of[v]
	if !ok {
		return
	}
	if h, ok := r.held[c]; ok && (write || h.writes) {
		r.Reportf(id.Pos(), "%s has the elements of container %s, which the job of %s holds: complete it first", id.Name, c, h.by)
	}
}

// assign records that the variable has another value. A nil value is unknown.
func (r *raw) assign(id *ast.Ident, value ast.Expr) {
	begins := func(c string) bool { return c == id.Name || strings.HasPrefix(c, id.Name+".") }
	for c := range r.held {
		if begins(c) {
			delete(r.held, c)
		}
	}
	for v, c := range r.of {
		if begins(c) {
			delete(r.of, v)
		}
	}
	v, _ := r.TypesInfo.ObjectOf(id).(*types.Var)
	if v == nil {
		return
	}
	delete(r.of, v)
	if value == nil {
		return
	}
	if c := r.sliced(value); c != "" {
		r.of[v] = c
	}
	if s := adopts(r.Pass, value); s != nil {
		r.of[s] = id.Name
	}
}

// sliced returns the text of the container whose elements the expression denotes, or "".
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

// viewed returns the text of the container of which the node takes a view, and reports whether the
// view only reads.
func (r *raw) viewed(n ast.Node) (container string, reads bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	if t := r.TypesInfo.TypeOf(call); t == nil || !isView(t) {
		return "", false
	}
	return r.container(s.X), s.Sel.Name == "Reader"
}

// container returns the text of the expression if it denotes a container, and "" otherwise.
func (r *raw) container(e ast.Expr) string {
	if t := r.TypesInfo.TypeOf(e); t == nil || !refersToContainer(t) || isView(t) {
		return ""
	}
	return types.ExprString(e)
}
