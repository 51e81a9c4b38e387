package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Local reports positions in a batch that index all elements.
var Local = &analysis.Analyzer{
	Name: "custodylocal",
	Doc: `report positions in the Slice of a Writer that index the Slice of a Reader

The Slice of an array's Writer is the batch, and that of a Reader all elements: a position in the one is
not a position in the other. The analyzer looks at functions whose last parameters are the begin and the
end of a batch. It reports the key of a range over the one slice, or over its length, that indexes the
other. Slice()[begin:end] of a Reader has the same positions as the batch.`,
	Run: local,
}

func local(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if f, ok := pass.TypesInfo.Defs[n.Name].(*types.Func); ok && n.Body != nil && takesBatch(f.Signature()) {
					newPositions(pass, n.Body).report(n.Body)
				}
			case *ast.FuncLit:
				if f, ok := pass.TypesInfo.TypeOf(n).(*types.Signature); ok && takesBatch(f) {
					newPositions(pass, n.Body).report(n.Body)
				}
			}
			return true
		})
	}
	return nil, nil
}

// takesBatch reports whether the last two parameters of a function are ints.
func takesBatch(f *types.Signature) bool {
	in := f.Params()
	isInt := func(back int) bool {
		return in.Len() >= back && types.Identical(in.At(in.Len()-back).Type(), types.Typ[types.Int])
	}
	return isInt(1) && isInt(2)
}

// positions has the variables of a function whose only value is the Slice of a view.
type positions struct {
	*analysis.Pass
	of map[*types.Var]*ast.CallExpr // nil: the variable has other values
}

func newPositions(pass *analysis.Pass, block ast.Node) *positions {
	p := &positions{pass, map[*types.Var]*ast.CallExpr{}}
	set := func(to, value ast.Expr) {
		id, ok := ast.Unparen(to).(*ast.Ident)
		if !ok {
			return
		}
		v, _ := pass.TypesInfo.ObjectOf(id).(*types.Var)
		_, again := p.of[v]
		p.of[v], _ = ast.Unparen(value).(*ast.CallExpr)
		if again {
			p.of[v] = nil
		}
	}
	written(block, set)
	ast.Inspect(block, func(n ast.Node) bool {
		if n, ok := n.(*ast.ValueSpec); ok && len(n.Values) == len(n.Names) {
			for i, id := range n.Names {
				set(id, n.Values[i])
			}
		}
		return true
	})
	return p
}

// sliceOf returns the view of an array, of type Reader or Writer, whose Slice the expression is, or
// nil.
func (p *positions) sliceOf(e ast.Expr, view string) ast.Expr {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		v, _ := p.TypesInfo.Uses[id].(*types.Var)
		if p.of[v] == nil {
			return nil
		}
		e = p.of[v]
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Slice" {
		return nil
	}
	t := p.TypesInfo.TypeOf(s.X)
	if t == nil {
		return nil
	}
	if at, ok := t.Underlying().(*types.Pointer); ok {
		t = at.Elem()
	}
	if !isNamed(t, "array", view) {
		return nil
	}
	return s.X
}

func (p *positions) report(block ast.Node) {
	ast.Inspect(block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return true
		}
		over := loop.X
		if call, ok := ast.Unparen(over).(*ast.CallExpr); ok && len(call.Args) == 1 && types.ExprString(call.Fun) == "len" {
			over = call.Args[0]
		}
		id, ok := loop.Key.(*ast.Ident)
		batch := p.sliceOf(over, "Writer")
		if !ok || batch == nil {
			return true
		}
		key := p.TypesInfo.ObjectOf(id)
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			x, ok := n.(*ast.IndexExpr)
			if !ok {
				return true
			}
			all := p.sliceOf(x.X, "Reader")
			if id, ok := ast.Unparen(x.Index).(*ast.Ident); ok && all != nil && p.TypesInfo.Uses[id] == key {
				p.Reportf(x.Pos(), "%s is a position in the batch that %s.Slice() has, and %s.Slice() has all elements: index %[3]s.Slice()[begin:end]",
					id.Name, types.ExprString(batch), types.ExprString(all))
			}
			return true
		})
		return true
	})
}
