package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// PlainField reports plain fields of a job that its body writes.
var PlainField = &analysis.Analyzer{
	Name: "custodyplainfield",
	Doc: `report plain fields of a job that its body writes

Every worker has a copy of the job. What a body writes to a plain field of it is lost, and what the next cell finds there
depends on which worker executes it.`,
	Run: plainField,
}

func plainField(pass *analysis.Pass) (any, error) {
	bodies(pass, func(b body) {
		if b.self == nil {
			return
		}
		if _, ok := b.copied.Underlying().(*types.Struct); !ok || !holdsView(b.copied) {
			return
		}
		written(b.block, func(to, _ ast.Expr) {
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
