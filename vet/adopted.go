package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// Adopted reports slices that two containers adopt.
var Adopted = &analysis.Analyzer{
	Name: "custodyadopted",
	Doc: `report slices that two containers adopt of which one is written

Of and ListOf copy nothing. Two containers of one slice have a custody each, so the owner's use of one goes unseen while a job holds the
other. Only slices are looked at that are adopted as a whole, by two statements of one block.`,
	Run: adopted,
}

func adopted(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				return true
			}
			changed := changedIn(pass, f.Body)
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if b, ok := n.(*ast.BlockStmt); ok {
					adoptedIn(pass, b, changed)
				}
				return true
			})
			return false
		})
	}
	return nil, nil
}

// changedIn returns the variables of containers of which the function takes a view that writes.
func changedIn(pass *analysis.Pass, body ast.Node) map[*types.Var]bool {
	changed := map[*types.Var]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || s.Sel.Name == "Reader" {
			return true
		}
		if t := pass.TypesInfo.TypeOf(call); t != nil && isView(t) {
			if v, _ := root(pass, s.X); v != nil {
				changed[v] = true
			}
		}
		return true
	})
	return changed
}

func adoptedIn(pass *analysis.Pass, b *ast.BlockStmt, changed map[*types.Var]bool) {
	by := map[*types.Var]*ast.Ident{} // slices, and the first variables for their containers
	for _, s := range b.List {
		_, sure := s.(*ast.AssignStmt) // what branches do may not be done
		written(s, func(to, value ast.Expr) {
			id, ok := to.(*ast.Ident)
			if !ok {
				return
			}
			v, _ := pass.TypesInfo.ObjectOf(id).(*types.Var)
			for data, c := range by {
				if data == v || pass.TypesInfo.ObjectOf(c) == v {
					delete(by, data)
				}
			}
			data := adopts(pass, value)
			if data == nil || !sure {
				return
			}
			first := by[data]
			if first == nil {
				by[data] = id
				return
			}
			if f, _ := pass.TypesInfo.ObjectOf(first).(*types.Var); changed[f] || changed[v] {
				pass.Reportf(value.Pos(), "%s adopts slice %s, which %s has adopted: jobs on both have to be ordered, and the owner's uses go unseen", id.Name, data.Name(), first.Name)
			}
		})
	}
}

// adopts returns the slice that a container is made of, if the expression makes one.
func adopts(pass *analysis.Pass, e ast.Expr) *types.Var {
	if e == nil {
		return nil
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok || f.Name() != "Of" && f.Name() != "ListOf" || f.Signature().Recv() != nil || !from(f.Pkg(), "array") {
		return nil
	}
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := pass.TypesInfo.Uses[id].(*types.Var)
	return v
}
