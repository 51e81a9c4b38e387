package vet

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// body is the body of a job.
type body struct {
	node   ast.Node // the function
	block  *ast.BlockStmt
	name   string     // of the job, for reports
	copied types.Type // the type of the worker's copy of the job
	self   *types.Var // the variable that points to the copy
	shared *types.Var // the receiver of a method value, which is the same in every call
	once   bool       // it is called only once
}

// bodiesDoc is the part of an analyzer's documentation that tells which functions are bodies.
const bodiesDoc = `

A body is a function argument of a loop of parallelfor or table: a function literal, or a function
or method that the package declares. The loop may also be in another function or package. So a
method named Execute, ExecuteBatch or ExecuteReduce is a body, too, if its receiver holds views and
a method expression of the package names it. Such a method of an exported type is also a body if
nothing in the package refers to it, except in package main.`

// bodies calls f once with every body of a job in the package, in the order of the text. The
// receiver of a method expression points to the worker's copy of the job. The receiver of a method
// value is captured.
func bodies(pass *analysis.Pass, f func(body)) {
	g := gathering{pass, map[*types.Func]*ast.FuncDecl{}, map[ast.Node]*body{}}
	each := func(visit func(n ast.Node)) {
		for _, file := range pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				visit(n)
				return true
			})
		}
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if m, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					g.declared[m] = d
				}
			}
		}
	}
	each(func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			g.loop(call)
		}
	})
	each(func(n ast.Node) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			g.handedOn(s)
		}
	})
	g.exported()
	byPos := func(a, b ast.Node) int { return cmp.Compare(a.Pos(), b.Pos()) }
	for _, n := range slices.SortedFunc(maps.Keys(g.found), byPos) {
		f(*g.found[n])
	}
}

// gathering finds the bodies of a package.
type gathering struct {
	*analysis.Pass
	declared map[*types.Func]*ast.FuncDecl
	found    map[ast.Node]*body
}

// add adds a body. It merges b into a body that another loop has added for the same function.
func (g *gathering) add(b body) {
	old := g.found[b.node]
	if old == nil {
		g.found[b.node] = &b
		return
	}
	old.once = old.once && b.once
	if b.self != nil {
		old.name, old.self, old.copied = b.name, b.self, b.copied
	}
	if b.shared != nil {
		old.shared = b.shared
	}
}

// loop adds the function arguments of a call that runs or schedules a job.
func (g *gathering) loop(call *ast.CallExpr) {
	callee := scheduled(g.Pass, call)
	if callee == nil {
		return
	}
	in := callee.Signature().Params()
	for k, a := range call.Args {
		if k >= in.Len() {
			return // options
		}
		function, ok := in.At(k).Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		b := body{name: "the job", once: once(callee)}
		ofJob := takesJob(callee, function)
		if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok {
			b.node, b.block = lit, lit.Body
			if ofJob {
				b.self, b.copied = selfOf(g.Pass, lit.Type.Params)
			}
			g.add(b)
			continue
		}
		f, how := g.function(a)
		d := g.declared[f]
		if d == nil {
			continue
		}
		b.node, b.block = d, d.Body
		first := d.Type.Params
		if d.Recv != nil && how == types.MethodVal {
			b.shared = pointerOf(g.Pass, d.Recv)
		} else if d.Recv != nil {
			first = d.Recv
		}
		if ofJob {
			b.self, b.copied = selfOf(g.Pass, first)
			if first == d.Recv {
				b.name = g.nameOf(b.copied)
			}
		}
		g.add(b)
	}
}

// function returns the function or method that the expression names, or nil, and how it names a
// method.
func (g *gathering) function(e ast.Expr) (*types.Func, types.SelectionKind) {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return g.function(x.X)
	case *ast.IndexListExpr:
		return g.function(x.X)
	case *ast.Ident:
		if f, ok := g.TypesInfo.Uses[x].(*types.Func); ok {
			return f.Origin(), 0
		}
	case *ast.SelectorExpr:
		if s := g.TypesInfo.Selections[x]; s != nil {
			if f, ok := s.Obj().(*types.Func); ok {
				return f.Origin(), s.Kind()
			}
		}
	}
	return nil, 0
}

// handedOn adds a method that a method expression names outside of the loops that are known.
func (g *gathering) handedOn(s *ast.SelectorExpr) {
	if f, how := g.function(s); how == types.MethodExpr && g.found[g.declared[f]] == nil {
		g.byName(g.declared[f])
	}
}

// exported adds the methods of exported types that nothing in the package refers to.
func (g *gathering) exported() {
	if g.Pkg.Name() == "main" {
		return
	}
	used := map[*types.Func]bool{}
	for _, o := range g.TypesInfo.Uses {
		if f, ok := o.(*types.Func); ok {
			used[f.Origin()] = true
		}
	}
	for f, d := range g.declared {
		if d.Recv == nil || used[f] {
			continue
		}
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Exported() {
			g.byName(d)
		}
	}
}

// byName adds the method if it has the name of a body and a receiver that holds views.
func (g *gathering) byName(d *ast.FuncDecl) {
	if d == nil || d.Recv == nil {
		return
	}
	switch d.Name.Name {
	case "Execute", "ExecuteBatch", "ExecuteReduce":
		b := body{node: d, block: d.Body, once: d.Type.Params.NumFields() == 0}
		b.self, b.copied = selfOf(g.Pass, d.Recv)
		if holdsView(b.copied) {
			b.name = g.nameOf(b.copied)
			g.add(b)
		}
	}
}

func (g *gathering) nameOf(job types.Type) string {
	return "job " + types.TypeString(job, types.RelativeTo(g.Pkg))
}

// takesJob reports whether the first parameter of a function argument of f points to the worker's
// copy of a job.
func takesJob(f *types.Func, argument *types.Signature) bool {
	if argument.Params().Len() == 0 {
		return false
	}
	p, ok := argument.Params().At(0).Type().(*types.Pointer)
	if !ok {
		return false
	}
	t, ok := p.Elem().(*types.TypeParam)
	return ok && slices.Contains(jobs(f), t.Index())
}

// jobs returns the indices of the type parameters of f that are types of jobs: those of which f has
// a value as a parameter. The others are types of elements and results.
func jobs(f *types.Func) (indices []int) {
	for in := range f.Signature().Params().Variables() {
		if t, ok := in.Type().(*types.TypeParam); ok {
			indices = append(indices, t.Index())
		}
	}
	return indices
}

// selfOf returns the first variable of a parameter list or receiver, and its type, or the type that
// it points to. A method with a value receiver is a body, too: each call has a copy of the worker's
// copy.
func selfOf(pass *analysis.Pass, list *ast.FieldList) (*types.Var, types.Type) {
	if list == nil || len(list.List) == 0 {
		return nil, nil
	}
	t := pass.TypesInfo.TypeOf(list.List[0].Type)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if names := list.List[0].Names; len(names) > 0 {
		if v, ok := pass.TypesInfo.Defs[names[0]].(*types.Var); ok {
			return v, t
		}
	}
	return nil, t
}

// pointerOf returns the receiver if it is a pointer, and otherwise nil: each call of a method value
// has a copy of a receiver that is a value.
func pointerOf(pass *analysis.Pass, recv *ast.FieldList) *types.Var {
	v, _ := selfOf(pass, recv)
	if v == nil {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
		return nil
	}
	return v
}
