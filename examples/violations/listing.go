package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// The sources that the misuses are written in.
//
//go:embed custody.go owner.go containers.go fields.go views.go lengths.go arguments.go nested.go authors.go
//go:embed parts.go disposal.go borrows.go queues.go maps.go lists.go tables.go keys.go changes.go computations.go strict.go jobs.go fixes.go
var sources embed.FS

// files returns their names.
func files() (names []string) {
	entries, err := sources.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// listing is the program's own source, to be printed.
type listing struct {
	files   *token.FileSet
	text    map[string][]byte // by file name
	funcs   map[string]*ast.FuncDecl
	helpers map[string][]ast.Node // what misuses use: a type's declaration and its methods, or a func
}

func newListing() (*listing, error) {
	l := &listing{files: token.NewFileSet(), text: map[string][]byte{}, funcs: map[string]*ast.FuncDecl{}, helpers: map[string][]ast.Node{}}
	for _, name := range files() {
		src, err := sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(l.files, name, src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		l.text[name] = src
		l.collect(file)
	}
	for name, f := range l.funcs {
		if f.Doc == nil {
			l.helpers[name] = []ast.Node{f}
		}
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
			of := d.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if id, ok := of.(*ast.Ident); ok {
				l.helpers[id.Name] = append(l.helpers[id.Name], d)
			}
		case *ast.GenDecl:
			if d.Tok != token.TYPE {
				continue
			}
			name := d.Specs[0].(*ast.TypeSpec).Name.Name
			l.helpers[name] = append([]ast.Node{d}, l.helpers[name]...)
		}
	}
}

// source returns the source of a node as it is written, comments included.
func (l *listing) source(n ast.Node) string {
	from, to := l.files.Position(n.Pos()), l.files.Position(n.End())
	return string(l.text[from.Filename][from.Offset:to.Offset])
}

// comment returns the comment of the function of that name.
func (l *listing) comment(name string) (string, error) {
	f := l.funcs[name]
	if f == nil || f.Doc == nil {
		return "", fmt.Errorf("no commented function %s in the sources that listing.go embeds", name)
	}
	return f.Doc.Text(), nil
}

// code returns the body of the function of that name, after the declarations that it uses, each
// after those that it uses itself.
func (l *listing) code(name string) (string, error) {
	f := l.funcs[name]
	if f == nil {
		return "", fmt.Errorf("no function %s", name)
	}
	var parts []string
	l.show(f.Body, map[string]bool{}, &parts)
	body := strings.TrimPrefix(l.source(f.Body), "{\n")
	body = strings.TrimSuffix(body, "}")
	parts = append(parts, outdent(body))
	return strings.TrimRight(strings.Join(parts, "\n\n"), "\n"), nil
}

// parts returns the declarations that the function of that name uses, and the statements of its
// body, each to the end of its last line.
func (l *listing) parts(name string) (parts []string) {
	body := l.funcs[name].Body
	l.show(body, map[string]bool{}, &parts)
	for _, s := range body.List {
		from, to := l.files.Position(s.Pos()), l.files.Position(s.End())
		text := l.text[from.Filename][from.Offset:]
		end := to.Offset - from.Offset
		end += bytes.IndexByte(text[end:], '\n')
		parts = append(parts, outdent(string(text[:end])))
	}
	return parts
}

// show adds the declarations that the node uses to parts.
func (l *listing) show(n ast.Node, shown map[string]bool, parts *[]string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // a field or method may be called like a type
			l.show(n.X, shown, parts)
			return false
		case *ast.Ident:
			if shown[n.Name] {
				return false
			}
			shown[n.Name] = true
			for _, d := range l.helpers[n.Name] {
				l.show(d, shown, parts)
			}
			for _, d := range l.helpers[n.Name] {
				*parts = append(*parts, l.source(d))
			}
		}
		return true
	})
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
