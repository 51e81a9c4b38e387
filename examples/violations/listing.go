package main

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// The sources that the misuses are written in.
//
//go:embed custody.go containers.go views.go nested.go jobs.go
var sources embed.FS

// listing is what the program prints of its own source.
type listing struct {
	files *token.FileSet
	text  map[string][]byte // by file name
	funcs map[string]*ast.FuncDecl
	types map[string][]ast.Node // a type's declaration and its methods
}

func newListing() (*listing, error) {
	l := &listing{files: token.NewFileSet(), text: map[string][]byte{}, funcs: map[string]*ast.FuncDecl{}, types: map[string][]ast.Node{}}
	entries, err := sources.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		src, err := sources.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(l.files, e.Name(), src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		l.text[e.Name()] = src
		l.collect(file)
	}
	return l, nil
}

// collect notes the declarations of a file.
func (l *listing) collect(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				l.funcs[d.Name.Name] = d
				continue
			}
			if star, ok := d.Recv.List[0].Type.(*ast.StarExpr); ok {
				name := star.X.(*ast.Ident).Name
				l.types[name] = append(l.types[name], d)
			}
		case *ast.GenDecl:
			if d.Tok != token.TYPE {
				continue
			}
			name := d.Specs[0].(*ast.TypeSpec).Name.Name
			l.types[name] = append([]ast.Node{d}, l.types[name]...)
		}
	}
}

// source returns the source of a node as it is written, comments included.
func (l *listing) source(n ast.Node) string {
	from, to := l.files.Position(n.Pos()), l.files.Position(n.End())
	return string(l.text[from.Filename][from.Offset:to.Offset])
}

// comment returns what the function of that name says of itself.
func (l *listing) comment(name string) (string, error) {
	f := l.funcs[name]
	if f == nil || f.Doc == nil {
		return "", fmt.Errorf("no commented function %s", name)
	}
	return f.Doc.Text(), nil
}

// code returns the body of the function of that name, after the declarations of the job types that it
// uses.
func (l *listing) code(name string) (string, error) {
	f := l.funcs[name]
	if f == nil {
		return "", fmt.Errorf("no function %s", name)
	}
	var parts []string
	shown := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !shown[id.Name] {
			shown[id.Name] = true
			for _, d := range l.types[id.Name] {
				parts = append(parts, l.source(d))
			}
		}
		return true
	})
	body := strings.TrimPrefix(l.source(f.Body), "{\n")
	body = strings.TrimSuffix(body, "}")
	parts = append(parts, outdent(body))
	return strings.TrimRight(strings.Join(parts, "\n\n"), "\n"), nil
}

// outdent takes a tab from the start of each line.
func outdent(s string) string {
	s = strings.TrimPrefix(s, "\t")
	return strings.ReplaceAll(s, "\n\t", "\n")
}

// indent puts a prefix before each line that is not empty.
func indent(prefix, s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for k, line := range lines {
		if line != "" {
			lines[k] = prefix + line
		}
	}
	return strings.Join(lines, "\n")
}
