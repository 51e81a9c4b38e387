package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// targets are the files to mutate if none are named: those of the ledger, the lanes and the
// distribution, where an error is hardest to see.
var targets = []string{"safety/ledger.go", "safety/walk.go", "counter/lane.go", "parallelfor/distribution.go"}

// judges are the packages whose tests run after those of the mutant's own package, in this order.
// Package fuzz is not among them, because its build takes longer than all the others run.
var judges = map[string][]string{
	"safety":      {"./parallelfor", "./counter", "./array"},
	"parallelfor": {"./counter", "./array"},
}

// trialsOf returns the trials of a mutant:
//
//   - the tests of its own package in the checked build, which kill most mutants, in the explored
//     build, and in the builds that compile other code
//   - the judges in the checked and the unchecked build, and the first of them in the strict build
//   - the explored build under the race detector, which notices missing locks
func trialsOf(file string) (trials []trial) {
	own := "./" + path.Dir(file)
	asked := judges[path.Dir(file)]
	for _, tags := range []string{"", "custody_explore", "custody_unchecked", "custody_strict"} {
		trials = append(trials, trial{pkg: own, tags: tags})
	}
	for _, pkg := range asked {
		trials = append(trials, trial{pkg: pkg})
	}
	for i, pkg := range asked {
		trials = append(trials, trial{pkg: pkg, tags: "custody_unchecked"})
		if i == 0 {
			trials = append(trials, trial{pkg: pkg, tags: "custody_strict"})
		}
	}
	if slices.Contains(library, path.Dir(file)) {
		trials = append(trials, trial{pkg: own, tags: "custody_explore", race: true, run: "Explore"})
	}
	return trials
}

// generate returns all mutants of the files.
func generate(root string, files []string) (faults []*fault, err error) {
	if len(files) == 0 {
		files = targets
	}
	for _, file := range files {
		file = path.Clean(filepath.ToSlash(file))
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		mutants, err := mutate(file, text)
		if err != nil {
			return nil, err
		}
		for _, m := range mutants {
			faults = append(faults, &fault{name: m.name, title: m.change, change: m.change, file: file, text: m.apply(text), trials: trialsOf(file)})
		}
	}
	return faults, nil
}

// mutant is a file that one operator has changed in one place. Its name, file:function:operator:k,
// stays the same while the rest of the file changes: k counts the places in the function.
type mutant struct {
	name   string
	change string // the text before and after, in a line
	edits  []edit
}

// edit replaces the bytes [begin, end).
type edit struct {
	begin, end int
	text       string
}

// apply returns the text after the edits, which must not overlap.
func (m *mutant) apply(text []byte) []byte {
	var out bytes.Buffer
	at := 0
	for _, e := range m.edits {
		out.Write(text[at:e.begin])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(text[at:])
	return out.Bytes()
}

// file is a file to mutate.
type file struct {
	name string
	text []byte
	set  *token.FileSet

	function *ast.FuncDecl
	mutants  []*mutant
	counts   map[string]int
	seen     map[string]bool // the texts of mutants, so that no two are the same
}

// mutate returns all mutants of a file, function by function.
func mutate(name string, text []byte) ([]*mutant, error) {
	f := &file{name: name, text: text, set: token.NewFileSet(), counts: map[string]int{}, seen: map[string]bool{}}
	tree, err := parser.ParseFile(f.set, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		f.function = fn
		f.unlocked(fn)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			f.visit(n)
			return true
		})
	}
	return f.mutants, nil
}

// add adds a mutant that the operator makes by the edits.
func (f *file) add(operator string, edits ...edit) {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.begin, b.begin) })
	m := &mutant{edits: edits}
	text := string(m.apply(f.text))
	if f.seen[text] || text == string(f.text) {
		return
	}
	f.seen[text] = true
	var from, to []string
	for _, e := range edits {
		from = append(from, string(f.text[e.begin:e.end]))
		to = append(to, e.text)
	}
	key := f.name + ":" + functionName(f.function) + ":" + operator
	f.counts[key]++
	m.name = key + ":" + strconv.Itoa(f.counts[key])
	m.change = brief(strings.Join(from, " ... ")) + " => " + brief(strings.Join(to, " ... "))
	f.mutants = append(f.mutants, m)
}

// brief returns the text in one short line.
func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 90 {
		text = text[:90] + "..."
	}
	if text == "" {
		return "nothing"
	}
	return text
}

// functionName returns the function's name, preceded by that of its receiver's type.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return fmt.Sprintf("%T.%s", t, d.Name.Name)
		}
	}
}

func (f *file) offset(p token.Pos) int { return f.set.Position(p).Offset }

// of returns the source text of a node.
func (f *file) of(n ast.Node) string { return string(f.text[f.offset(n.Pos()):f.offset(n.End())]) }

// put returns the edit that replaces a node by text.
func (f *file) put(n ast.Node, text string) edit {
	return edit{f.offset(n.Pos()), f.offset(n.End()), text}
}
