package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Kept reports views that a body lets out of its job.
var Kept = &analysis.Analyzer{
	Name: "custodykept",
	Doc: `report views that a body lets out of its job

A view works only in the batch for which it was bound, on the goroutine that executes that batch.
It is stale where the body stores it outside, sends it, or lets another goroutine use it.` + bodiesDoc,
	Run: kept,
}

func kept(pass *analysis.Pass) (any, error) {
	bodies(pass, func(b body) {
		isOne := func(e ast.Expr) bool {
			if e == nil {
				return false
			}
			switch ast.Unparen(e).(type) {
			case *ast.CompositeLit, *ast.CallExpr:
				return false // a new view, of a container that the body may use
			}
			t := pass.TypesInfo.TypeOf(e)
			return t != nil && concrete(t) && holdsView(t) && !refersToContainer(t)
		}
		address := func(e ast.Expr) ast.Expr {
			if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
				return u.X
			}
			return e
		}
		written(b.block, func(to, value ast.Expr) {
			if call, ok := value.(*ast.CallExpr); ok && isAppend(pass, call) {
				for _, a := range call.Args[1:] {
					if isOne(address(a)) {
						value = a
					}
				}
			}
			if value == nil || !isOne(address(value)) {
				return
			}
			if v, _ := root(pass, to); v != nil && b.captured(v) {
				pass.Reportf(value.Pos(), "%s keeps a view in %s, where it is stale once the batch ends", b.name, types.ExprString(to))
			}
		})
		ast.Inspect(b.block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt:
				if isOne(address(n.Value)) {
					pass.Reportf(n.Value.Pos(), "%s sends a view away, which is stale once the batch ends", b.name)
				}
			case *ast.GoStmt:
				lets := b.uses(pass, ast.Unparen(n.Call.Fun))
				for _, a := range n.Call.Args { // they are evaluated in the body
					lets = lets || isOne(address(a))
				}
				if lets {
					pass.Reportf(n.Pos(), "%s lets another goroutine use its views: they are stale once the batch ends", b.name)
				}
			}
			return true
		})
	})
	return nil, nil
}

// uses reports whether a function literal uses a view of the job's copy, or all of the copy.
func (b body) uses(pass *analysis.Pass, fun ast.Expr) (found bool) {
	lit, ok := fun.(*ast.FuncLit)
	if !ok || b.self == nil || !holdsView(b.copied) {
		return false
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // a plain field is no view
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && pass.TypesInfo.Uses[id] == b.self {
				t := pass.TypesInfo.TypeOf(n)
				_, method := t.Underlying().(*types.Signature)
				found = found || method || holdsView(t)
				return false
			}
		case *ast.Ident:
			found = found || pass.TypesInfo.Uses[n] == b.self
		}
		return true
	})
	return found
}

func isAppend(pass *analysis.Pass, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "append" || len(call.Args) == 0 {
		return false
	}
	_, builtin := pass.TypesInfo.Uses[id].(*types.Builtin)
	return builtin
}
