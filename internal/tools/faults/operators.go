package main

import (
	"go/ast"
	"go/token"
	"strconv"
)

// Operators recognize operations by name: they take any method Load, Lock or Unpark for what its
// name says. A mutant that does not compile is not counted.

// hints are calls that have an effect only with the race detector. In other builds there is nothing
// to break.
var hints = map[string]bool{
	"Acquire": true, "ReleaseMerge": true, "Hide": true, "Show": true, "ReadRange": true, "WriteRange": true,
}

// visit applies the operators to one node.
func (f *file) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		f.list(n.List)
	case *ast.CaseClause:
		f.list(n.Body)
	case *ast.CommClause:
		f.list(n.Body)
	case *ast.CallExpr:
		f.call(n)
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.IfStmt:
		f.add("negate", f.put(n.Cond, "!("+f.of(n.Cond)+")"))
	}
}

// list applies the operators for statements.
func (f *file) list(stmts []ast.Stmt) {
	looked := false // after a lock or a load
	for i, s := range stmts {
		if i > 0 && touches(stmts[i-1], true) && touches(s, true) && !ends(s) {
			f.add("swap", f.put(stmts[i-1], f.of(s)), f.put(s, f.of(stmts[i-1])))
		}
		switch s := s.(type) {
		case *ast.IfStmt:
			f.recheck(s, looked)
		case *ast.ExprStmt:
			f.statement(s)
		case *ast.AssignStmt:
			f.assign(s)
		case *ast.IncDecStmt:
			f.add("bump", f.put(s, "_ = "+f.of(s.X)))
		case *ast.DeferStmt:
			f.add("defer", f.put(s, ""))
		}
		looked = looked || calls(s, true, "Lock", "Load", "hold")
	}
}

// recheck drops an if statement that leaves, if it checks a value that may have changed before a
// lock or a load.
func (f *file) recheck(s *ast.IfStmt, looked bool) {
	if s.Else != nil || !(looked || calls(s.Cond, false, "Load") || s.Init != nil && calls(s.Init, false, "Load")) {
		return
	}
	if k := len(s.Body.List); k > 0 && ends(s.Body.List[k-1]) {
		kept := "_ = " + f.of(s.Cond)
		if s.Init != nil {
			kept = "{ " + f.of(s.Init) + "; " + kept + " }"
		}
		f.add("recheck", f.put(s, kept))
	}
}

// statement drops a call that is a statement.
func (f *file) statement(s *ast.ExprStmt) {
	c, ok := s.X.(*ast.CallExpr)
	if !ok {
		return
	}
	switch name := callee(c); {
	case hints[name], name == "Lock", name == "Unlock", name == "panic":
	case name == "Store", name == "Add":
		f.add("store", f.put(s, ""))
	case name == "clear":
		f.add("clear", f.put(s, ""))
	default:
		f.add("call", f.put(s, ""))
	}
}

// assign drops assignments that clear and assignments that count. It also reverses the order in
// which one statement reads several values.
func (f *file) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN, token.OR_ASSIGN:
		f.add("bump", f.put(s, "_ = "+f.of(s.Rhs[0]))) // so that the operands count as used
		return
	case token.ASSIGN:
		for i := range s.Lhs {
			if len(s.Lhs) == len(s.Rhs) && forgets(s.Lhs[i], s.Rhs[i], f) {
				f.add("clear", f.put(s.Rhs[i], f.of(s.Lhs[i])))
			}
		}
	}
	for i := 1; i < len(s.Rhs) && len(s.Lhs) == len(s.Rhs); i++ {
		if touches(&ast.ExprStmt{X: s.Rhs[i-1]}, false) && touches(&ast.ExprStmt{X: s.Rhs[i]}, false) {
			f.add("swap", f.put(s.Lhs[i-1], f.of(s.Lhs[i])), f.put(s.Lhs[i], f.of(s.Lhs[i-1])),
				f.put(s.Rhs[i-1], f.of(s.Rhs[i])), f.put(s.Rhs[i], f.of(s.Rhs[i-1])))
		}
	}
}

// forgets reports whether an assignment clears its left operand.
func forgets(to, from ast.Expr, f *file) bool {
	switch x := from.(type) {
	case *ast.Ident:
		return x.Name == "nil" || x.Name == "zero"
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.SliceExpr:
		lit, ok := x.High.(*ast.BasicLit)
		return ok && x.Low == nil && lit.Value == "0" && f.of(x.X) == f.of(to)
	}
	return false
}

// call splits a CompareAndSwap into a load and a store.
func (f *file) call(c *ast.CallExpr) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if ok && s.Sel.Name == "CompareAndSwap" && len(c.Args) == 2 {
		on, old, to := f.of(s.X), f.of(c.Args[0]), f.of(c.Args[1])
		f.add("cas", f.put(c, "func() bool { if "+on+".Load() != "+old+" { return false }; "+on+".Store("+to+"); return true }()"))
	}
}

// weaker has the operator to which a comparison is weakened.
var weaker = map[token.Token]string{
	token.EQL: ">=", token.NEQ: "<", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
}

// binary applies the operators for expressions with two operands.
func (f *file) binary(b *ast.BinaryExpr) {
	switch b.Op {
	case token.LAND, token.LOR:
		if !isLevel(b.Y) {
			f.add("operand", f.put(b, f.of(b.X)))
		}
		if !isLevel(b.X) {
			f.add("operand", f.put(b, f.of(b.Y)))
		}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if isNil(b.X) || isNil(b.Y) {
			return
		}
		f.add("compare", f.put(b, f.of(b.X)+" "+weaker[b.Op]+" "+f.of(b.Y)))
	case token.ADD, token.SUB:
		lit, ok := b.Y.(*ast.BasicLit)
		if ok && lit.Kind == token.INT {
			f.add("bump", f.put(b, f.of(b.X)))
			if n, err := strconv.Atoi(lit.Value); err == nil {
				f.add("off", f.put(b, f.of(b.X)+" "+b.Op.String()+" "+strconv.Itoa(n+1)))
			}
		}
	}
}

// unlocked drops all locking and unlocking of one lock in a function.
func (f *file) unlocked(fn *ast.FuncDecl) {
	edits := map[string][]edit{}
	both := map[string]map[string]bool{}
	var order []string
	note := func(s ast.Node, c *ast.CallExpr) {
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Lock" && sel.Sel.Name != "Unlock" {
			return
		}
		lock := f.of(sel.X)
		if both[lock] == nil {
			both[lock] = map[string]bool{}
			order = append(order, lock)
		}
		both[lock][sel.Sel.Name] = true
		edits[lock] = append(edits[lock], f.put(s, "_ = &"+lock))
		if _, ok := sel.X.(*ast.CallExpr); ok {
			edits[lock][len(edits[lock])-1].text = "_ = " + lock
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.ExprStmt:
			if c, ok := s.X.(*ast.CallExpr); ok {
				note(s, c)
			}
		case *ast.DeferStmt:
			note(s, s.Call)
		}
		return true
	})
	for _, lock := range order {
		if both[lock]["Lock"] && both[lock]["Unlock"] {
			f.add("lock", edits[lock]...)
		}
	}
}

// touches reports whether a simple statement has an operation that other goroutines can observe: on
// an atomic or, with locks, on a lock.
func touches(s ast.Stmt, locks bool) bool {
	switch s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt:
	default:
		return false
	}
	return calls(s, false, "Load", "Store", "Add", "Swap", "CompareAndSwap") || locks && calls(s, false, "Lock", "Unlock", "Broadcast", "Unpark", "wake")
}

// calls reports whether the node contains a call of one of the names. With shallow, blocks inside
// of the node do not count.
func calls(n ast.Node, shallow bool, names ...string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, block := n.(*ast.BlockStmt); block && shallow {
			return false
		}
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok {
			for _, name := range names {
				found = found || callee(c) == name
			}
		}
		return !found
	})
	return found
}

// callee returns the last name of the called function, or "".
func callee(c *ast.CallExpr) string {
	switch x := c.Fun.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// ends reports whether control does not continue after the statement.
func ends(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// isLevel reports whether the expression is a constant of the build. A build without a check of it
// is another build, not a fault.
func isLevel(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.UnaryExpr:
		return isLevel(x.X)
	case *ast.SelectorExpr:
		return isLevel(x.Sel)
	case *ast.Ident:
		return x.Name == "Enabled" || x.Name == "Strict"
	}
	return false
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}
