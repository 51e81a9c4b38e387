package vet

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Copied reports containers that are copied by value.
var Copied = &analysis.Analyzer{
	Name: "custodycopied",
	Doc: `report containers that are copied by value

A copy has the data of the container, but its guard does not know which jobs hold the data. A
container also copies its elements, so they must be pointers to containers, not containers.`,
	Run: copied,
}

func copied(pass *analysis.Pass) (any, error) {
	value := func(what string, e ast.Expr) {
		switch ast.Unparen(e).(type) {
		case *ast.CompositeLit, *ast.CallExpr, nil:
			return // new, or reported where it is returned
		}
		if t := pass.TypesInfo.TypeOf(e); t != nil && concrete(t) && !pass.TypesInfo.Types[e].IsType() && isContainer(t) {
			pass.Reportf(e.Pos(), "%s copies container %s: use a pointer to it", what, types.ExprString(e))
		}
	}
	list := func(what string, l *ast.FieldList) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			if t := pass.TypesInfo.TypeOf(f.Type); t != nil && concrete(t) && isContainer(t) {
				pass.Reportf(f.Type.Pos(), "%s of type %s copies a container: use a pointer to it", what, types.TypeString(t, types.RelativeTo(pass.Pkg)))
			}
		}
	}
	for id, in := range pass.TypesInfo.Instances {
		if t := elements(in); t != nil {
			pass.Reportf(id.Pos(), "the elements of %s are containers of type %s, which are copied with them: use pointers to them", id.Name, types.TypeString(t, types.RelativeTo(pass.Pkg)))
		}
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, e := range n.Rhs {
					if len(n.Lhs) == len(n.Rhs) {
						if id, ok := n.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
							continue
						}
					}
					value("the assignment", e)
				}
			case *ast.ValueSpec:
				for _, e := range n.Values {
					value("the variable", e)
				}
			case *ast.ReturnStmt:
				for _, e := range n.Results {
					value("return", e)
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						e = kv.Value
					}
					value("the literal", e)
				}
			case *ast.CallExpr:
				if pass.TypesInfo.Types[n.Fun].IsBuiltin() {
					return true // len and the like copy nothing; new and make take no values
				}
				for _, e := range n.Args {
					value("the call", e)
				}
			case *ast.RangeStmt:
				if id, ok := n.Value.(*ast.Ident); ok && id.Name != "_" {
					if t := pass.TypesInfo.TypeOf(n.Value); t != nil && concrete(t) && isContainer(t) {
						pass.Reportf(n.Value.Pos(), "range copies containers to %s: range over the indices", id.Name)
					}
				}
			case *ast.FuncDecl:
				list("a receiver", n.Recv)
			case *ast.FuncType:
				list("a parameter", n.Params)
				list("a result", n.Results)
			}
			return true
		})
	}
	return nil, nil
}

// elements returns the element type of the container that a generic function or type is
// instantiated for, if that type is a container itself, and otherwise nil.
func elements(in types.Instance) types.Type {
	t := in.Type
	if f, ok := t.(*types.Signature); ok {
		if f.Results().Len() != 1 {
			return nil
		}
		t = f.Results().At(0).Type()
	}
	if !refersToContainer(t) {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for a := range in.TypeArgs.Types() {
		same := func(t types.Type) bool { return types.Identical(t, a) }
		if concrete(a) && isContainer(a) && !same(t) && (ofLibrary(t) && slices.ContainsFunc(arguments(t), same) || holds(t, nil, true, same)) {
			return a
		}
	}
	return nil
}

// arguments returns the type arguments of t, which is a named type.
func arguments(t types.Type) []types.Type {
	return slices.Collect(types.Unalias(t).(*types.Named).TypeArgs().Types())
}

// ofLibrary reports whether t is a type of the library. The type arguments of such a type are
// element types, while a generic type of a program may only point to values of its type arguments.
func ofLibrary(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	name, in := strings.CutPrefix(n.Obj().Pkg().Path(), library+"/")
	return in && !strings.Contains(name, "/") // programs may be below it
}
