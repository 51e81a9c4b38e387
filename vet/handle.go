package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// Handle reports handles that the program drops, so that it cannot complete their jobs.
var Handle = &analysis.Analyzer{
	Name: "custodyhandle",
	Doc: `report handles that are dropped

Only Complete gives the containers of a scheduled job back to their owner. A program that drops the
handle cannot call Complete, so every later use of the containers is a violation. The analyzer does
not look at jobs without views, nor at calls with options that the text does not show. It also
leaves out packages that use AutoOrder: there a later job may run after the dropped one, and the
completion of the later job completes both.`,
	Run: handle,
}

func handle(pass *analysis.Pass) (any, error) {
	drop := func(e ast.Expr) {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return
		}
		f := scheduled(pass, call)
		if f == nil || !later(f) || f.Name() == "Combine" || !carriesView(pass, call) {
			return
		}
		if !ordersItself(pass) && !unknown(pass, call) {
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

// carriesView reports whether an argument of the call holds a view.
func carriesView(pass *analysis.Pass, call *ast.CallExpr) bool {
	for _, a := range call.Args {
		if t := pass.TypesInfo.TypeOf(a); t != nil && concrete(t) && holdsView(t) {
			return true
		}
	}
	return false
}

// ordersItself reports whether the package has jobs in AutoOrder.
func ordersItself(pass *analysis.Pass) bool {
	for _, o := range pass.TypesInfo.Uses {
		if f, ok := o.(*types.Func); ok && f.Name() == "AutoOrder" && from(f.Pkg(), "parallelfor") {
			return true
		}
	}
	return false
}

// unknown reports whether the call has options that the text does not show.
func unknown(pass *analysis.Pass, call *ast.CallExpr) bool {
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
		if f, ok := typeutil.Callee(pass.TypesInfo, option).(*types.Func); !ok || !from(f.Pkg(), "parallelfor") {
			return true
		}
	}
	return false
}
