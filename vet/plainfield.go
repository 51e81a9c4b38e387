package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// PlainField reports plain fields of a job in which its body accumulates.
var PlainField = &analysis.Analyzer{
	Name: "custodyplainfield",
	Doc: `report plain fields of a job in which its body accumulates

Every worker has a copy of the job. A value that calls of the body accumulate in a plain field of
the copy is lost, and the value that a call finds there depends on the worker that executes it. The
analyzer does not report a field that a call only sets: the call may use it as scratch space.` + bodiesDoc,
	Run: plainField,
}

func plainField(pass *analysis.Pass) (any, error) {
	bodies(pass, func(b body) {
		if b.self == nil || b.once {
			return
		}
		if _, ok := b.copied.Underlying().(*types.Struct); !ok || !holdsView(b.copied) {
			return
		}
		carried(b.block, func(to ast.Expr) {
			path := to
			for {
				switch x := ast.Unparen(path).(type) {
				case *ast.IndexExpr:
					if _, ok := pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Array); !ok {
						return
					}
					path = x.X
					continue
				case *ast.SelectorExpr:
					if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && pass.TypesInfo.Uses[id] == b.self {
						if t := pass.TypesInfo.TypeOf(to); t != nil && !holdsView(t) {
							pass.Reportf(to.Pos(), "%s writes %s, a plain field: it is the worker's copy, and lost. Write through a view", b.name, types.ExprString(to))
						}
						return
					}
					if _, ok := pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Pointer); ok {
						return
					}
					path = x.X
					continue
				}
				return
			}
		})
	})
	return nil, nil
}

// carried calls f with each operand whose new value depends on its old one: by the operator of the
// assignment, or because the assigned value contains the operand.
func carried(block ast.Node, f func(to ast.Expr)) {
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			f(n.X)
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				same := n.Tok != token.ASSIGN && n.Tok != token.DEFINE
				if n.Tok == token.ASSIGN && len(n.Rhs) == len(n.Lhs) {
					ast.Inspect(n.Rhs[i], func(n ast.Node) bool {
						e, ok := n.(ast.Expr)
						same = same || ok && types.ExprString(e) == types.ExprString(to)
						return !same
					})
				}
				if same {
					f(to)
				}
			}
		}
		return true
	})
}
