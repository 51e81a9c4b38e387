package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// block is a block with its source text.
type block struct {
	place
	function string
	text     string   // its first line
	guards   []string // the constant parts of the conditions of the ifs around it
}

func (b block) key() string { return b.file + " | " + b.function + " | " + b.text }

// source is a file with blocks without coverage.
type source struct {
	path  string
	lines []string
	fset  *token.FileSet
	file  *ast.File
}

func readSource(dir, path string) (*source, error) {
	text, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		return nil, err
	}
	return parseSource(path, text)
}

func parseSource(path string, text []byte) (*source, error) {
	s := &source{path: path, fset: token.NewFileSet(), lines: strings.Split(string(text), "\n")}
	var err error
	s.file, err = parser.ParseFile(s.fset, path, text, 0)
	return s, err
}

// describe returns a block with its text, function and guards.
func (s *source) describe(p place) block {
	b := block{place: p, function: "-", text: s.firstLine(p)}
	inside := func(n ast.Node) bool {
		from, to := s.fset.Position(n.Pos()), s.fset.Position(n.End())
		return !before(p.line0, p.col0, from.Line, from.Column) && !before(to.Line, to.Column, p.line0, p.col0)
	}
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && inside(f) {
			b.function = functionName(f)
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if f, ok := n.(*ast.IfStmt); ok && inside(f.Body) {
			for _, c := range conjuncts(f.Cond) {
				b.guards = append(b.guards, "if "+c)
			}
		}
		return true
	})
	return b
}

func before(line, col, line2, col2 int) bool { return line < line2 || line == line2 && col < col2 }

// firstLine returns the first line of the block that has more than braces, with single spaces.
func (s *source) firstLine(p place) string {
	for n := p.line0; n <= p.line1 && n <= len(s.lines); n++ {
		line := s.lines[n-1]
		if n == p.line1 {
			line = line[:min(p.col1-1, len(line))]
		}
		if n == p.line0 {
			line = line[min(p.col0-1, len(line)):]
		}
		if text, _, _ := strings.Cut(line, "//"); strings.Trim(text, "{} \t:") != "" {
			return strings.Join(strings.Fields(strings.TrimLeft(line, "{ \t")), " ")
		}
	}
	return strconv.Quote("")
}

// functionName returns F, T.M or (*T).M.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	x, pointer := f.Recv.List[0].Type, false
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x, pointer = y.X, true
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			if pointer {
				return "(*" + y.Name + ")." + f.Name.Name
			}
			return y.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// conjuncts returns the names, and negated names, that must be true for the condition to be true.
func conjuncts(x ast.Expr) []string {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return conjuncts(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.LAND {
			return append(conjuncts(x.X), conjuncts(x.Y)...)
		}
	case *ast.UnaryExpr:
		if names := conjuncts(x.X); x.Op == token.NOT && len(names) == 1 {
			return []string{"!" + names[0]}
		}
	case *ast.Ident:
		return []string{x.Name}
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			return []string{pkg.Name + "." + x.Sel.Name}
		}
	}
	return nil
}
