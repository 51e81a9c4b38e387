package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// testFile is a test file with its declarations.
type testFile struct {
	name  string
	text  []byte
	file  *ast.File
	decls []*testDecl
}

// testDecl is a declaration. It stays if a declaration that stays contains one of its names.
type testDecl struct {
	node  ast.Decl
	names []string
	stays bool
}

// pruned returns the test files of a package without the declarations that a run of the matching
// tests does not need. Compiling the rest takes a fraction of the time. The rest keeps its line
// numbers. Names are not resolved, so too much stays rather than too little.
func pruned(dir, run string) (map[string][]byte, error) {
	wanted, err := regexp.Compile(strings.Join(tops(run), "|"))
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	var files []*testFile
	declaring := map[string][]*testDecl{}
	var todo []*testDecl
	fset := token.NewFileSet()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f := &testFile{name: name, text: text}
		if f.file, err = parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments); err != nil {
			return nil, err
		}
		for _, node := range f.file.Decls {
			d := &testDecl{node: node, names: declared(node)}
			f.decls = append(f.decls, d)
			for _, word := range d.names {
				declaring[word] = append(declaring[word], d)
				if word == "init" || word == "_" || word == "TestMain" || strings.HasPrefix(word, "Test") && wanted.MatchString(word) {
					todo = append(todo, d)
				}
			}
		}
		files = append(files, f)
	}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d.stays {
			continue
		}
		d.stays = true
		for word := range words(d.node) {
			todo = append(todo, declaring[word]...)
		}
	}
	out := map[string][]byte{}
	for _, f := range files {
		out[f.name] = f.rest(fset)
	}
	return out, nil
}

// tops splits a pattern of go test -run into the patterns of tests, without those of subtests.
func tops(run string) (out []string) {
	depth, from, sub := 0, 0, -1
	end := func(at int) {
		if sub >= 0 {
			at = sub
		}
		out = append(out, run[from:at])
	}
	for i, c := range run {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == '/' && depth == 0 && sub < 0:
			sub = i
		case c == '|' && depth == 0:
			end(i)
			from, sub = i+1, -1
		}
	}
	end(len(run))
	return out
}

// rest returns the file's text with blanks in place of declarations that do not stay, and of
// imports that are no longer used.
func (f *testFile) rest(fset *token.FileSet) []byte {
	text := bytes.Clone(f.text)
	blank := func(from, to token.Pos) {
		for i := fset.Position(from).Offset; i < fset.Position(to).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	used := map[string]bool{}
	for _, d := range f.decls {
		if d.stays {
			for word := range words(d.node) {
				used[word] = true
			}
		} else if !isImport(d.node) {
			blank(start(d.node), d.node.End())
		}
	}
	for _, d := range f.decls {
		if imports, ok := d.node.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
			for _, s := range imports.Specs {
				if name := importName(s.(*ast.ImportSpec)); name == "_" || name == "." || used[name] {
					continue
				}
				if imports.Lparen.IsValid() {
					blank(s.Pos(), s.End())
				} else {
					blank(imports.Pos(), imports.End())
				}
			}
		}
	}
	return text
}

// start returns the start of a declaration, including its doc comment.
func start(node ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := node.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return node.Pos()
}

func isImport(node ast.Decl) bool {
	d, ok := node.(*ast.GenDecl)
	return ok && d.Tok == token.IMPORT
}

// importName returns the name of an import: the last element of its path that is not a version.
func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	whole, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return "."
	}
	if last := path.Base(whole); len(last) > 1 && last[0] == 'v' && last[1] >= '0' && last[1] <= '9' {
		whole = path.Dir(whole)
	}
	return path.Base(whole)
}

// words returns all identifiers of a declaration.
func words(node ast.Node) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			out[id.Name] = true
		}
		return true
	})
	return out
}

// declared returns the names that a node declares in its package. A method counts as a declaration
// of its type.
func declared(node ast.Decl) (names []string) {
	switch d := node.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		for word := range words(d.Recv.List[0].Type) {
			names = append(names, word)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}
