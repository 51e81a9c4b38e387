package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Kept reports views that leave their job.
var Kept = &analysis.Analyzer{
	Name: "custodykept",
	Doc: `report views that a body lets out of its job

A view works in the cell it was bound for, on the goroutine that executes it. One that is stored outside, sent away or
given to another goroutine is stale there.`,
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
				return false // a new one, of a container of the body's
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
			if value == nil || !isOne(address(value)) {
				return
			}
			if v, _ := root(pass, to); v != nil && b.captured(v) {
				pass.Reportf(value.Pos(), "%s keeps a view in %s, where it is stale once the cell ends", b.name, types.ExprString(to))
			}
		})
		ast.Inspect(b.block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt:
				if isOne(address(n.Value)) {
					pass.Reportf(n.Value.Pos(), "%s sends a view away, which is stale once the cell ends", b.name)
				}
			case *ast.GoStmt:
				if id := b.uses(pass, n.Call); id != nil {
					pass.Reportf(n.Pos(), "%s lets another goroutine use its views by %s: they are stale once the cell ends", b.name, id.Name)
				}
			}
			return true
		})
	})
	return nil, nil
}

// uses returns where the node uses the job's copy.
func (b body) uses(pass *analysis.Pass, n ast.Node) (found *ast.Ident) {
	if b.self == nil || !holdsView(b.copied) {
		return nil
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil && pass.TypesInfo.Uses[id] == b.self {
			found = id
		}
		return true
	})
	return found
}
