package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// Handle reports handles that nobody can complete.
var Handle = &analysis.Analyzer{
	Name: "custodyhandle",
	Doc: `report handles that are dropped

Only Complete gives the containers of a scheduled job back to their owner. Who drops the handle cannot call it, and every
use of the containers from then on is a violation. Jobs in AutoOrder are left out: a later one runs after them, and who
completes that completes them.`,
	Run: handle,
}

func handle(pass *analysis.Pass) (any, error) {
	drop := func(e ast.Expr) {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return
		}
		if t := pass.TypesInfo.TypeOf(call); t != nil && isHandle(t) && !mayBeOrdered(pass, call) {
			pass.Reportf(call.Pos(), "the handle of the job is dropped, so nobody can complete it: its containers never come back")
		}
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				drop(n.X)
			case *ast.GoStmt:
				drop(n.Call)
			case *ast.DeferStmt:
				drop(n.Call)
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if id, ok := to.(*ast.Ident); ok && id.Name == "_" && len(n.Lhs) == len(n.Rhs) {
						drop(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return nil, nil
}

// mayBeOrdered says whether an option of the call is AutoOrder, or one that cannot be known here.
func mayBeOrdered(pass *analysis.Pass, call *ast.CallExpr) bool {
	if call.Ellipsis.IsValid() {
		return true
	}
	for _, a := range call.Args {
		if t := pass.TypesInfo.TypeOf(a); t == nil || !isNamed(t, "parallelfor", "Option") {
			continue
		}
		option, ok := ast.Unparen(a).(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := typeutil.Callee(pass.TypesInfo, option).(*types.Func)
		if !ok || !from(f.Pkg(), "parallelfor") || f.Name() == "AutoOrder" {
			return true
		}
	}
	return false
}
