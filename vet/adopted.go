package vet

import (
	"go/ast"
	"go/types"
	"maps"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// Adopted reports slices that two containers adopt, if the function takes a view other than a
// Reader of one of the two.
var Adopted = &analysis.Analyzer{
	Name: "custodyadopted",
	Doc: `report slices that two containers adopt, if one of the two is written

Of and ListOf adopt a slice without copying it. The ledger takes two containers of one slice for
unrelated, so no check notices that the owner uses one while a job holds the other. The analyzer
reports only slices that two assignments of one block adopt whole, without a Dispose of the first
container between them.`,
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

// changedIn returns the variables that hold containers of which the body takes a view other than a
// Reader.
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

// adoptedIn reports each assignment of the block that adopts a slice which an earlier assignment of
// the block has adopted. Between the two, neither the slice's variable nor that of the first
// container may be assigned again, and the first container must not be disposed of.
func adoptedIn(pass *analysis.Pass, b *ast.BlockStmt, changed map[*types.Var]bool) {
	by := map[*types.Var]*ast.Ident{} // for each adopted slice the variable of its first container
	for _, s := range b.List {
		_, sure := s.(*ast.AssignStmt) // a branch or a loop may not be executed
		for v := range disposed(pass, s) {
			maps.DeleteFunc(by, func(_ *types.Var, c *ast.Ident) bool { return pass.TypesInfo.ObjectOf(c) == v })
		}
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
				pass.Reportf(value.Pos(), "%s adopts slice %s, which %s has adopted: jobs on the two must be ordered, and no check sees the owner use one while a job holds the other", id.Name, data.Name(), first.Name)
			}
		})
	}
}

// disposed returns the variables whose containers the statement disposes of, outside function
// literals and deferred calls.
func disposed(pass *analysis.Pass, s ast.Stmt) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		case *ast.SelectorExpr:
			if n.Sel.Name == "Dispose" || n.Sel.Name == "DisposeAfter" {
				v, _ := root(pass, n.X)
				vars[v] = true
			}
		}
		return true
	})
	return vars
}

// adopts returns the variable of the slice that the expression adopts by array.Of or array.ListOf,
// or nil.
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
