package guarantees

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Functions stands in place of a type for the functions of a package, Containers for the methods
// that containers have in common.
const (
	Functions  = "func"
	Containers = "every container"
)

// eachMethod stands in place of names for all methods of a type.
const eachMethod = "Each method"

// Packages are those whose guarantees the page lists, in its order.
var Packages = []string{"array", "counter", "queue", "hashmap", "table", "parallelfor", "safety", "lane", "timeline", "custodytest"}

// Row is a line of guarantees in a doc comment: what some methods of a type, or functions, have in
// common.
type Row struct {
	Package, Type string
	Names         []string // nil stands for each method of the type
	Said          string   // the names as the comment has them
	Consistency   string
	Progress      string
	Cost          string
	Allocates     string
	Authors       bool // the row is for authors of containers, and not on the page
}

var (
	heading  = regexp.MustCompile(`(?:^|\. )Guarantees\b.*:$`)
	gap      = regexp.MustCompile(`  +`)
	names    = `[A-Z]\w*(?:\[Err\])?(?:, [A-Z]\w*(?:\[Err\])?)*`
	named    = regexp.MustCompile(`^` + names + `$`)
	sentence = regexp.MustCompile(`^(` + eachMethod + `|` + names + `)(, for authors)?: ([^;]+); ([^;]+); ([^;]+); allocates (.+)\.$`)
)

// Lines returns the rows in the comment of a type, or of a package, and what is wrong in them.
//
// A row is a line of a block below a heading, which begins with the word Guarantees and ends with a
// colon. Two or more spaces separate its cells. Or it is a sentence on a line of its own, such as
//
//	Len, At: owner reads; wait-free; O(1); allocates never.
//
// The words "for authors" in the heading, or before the first colon of the sentence, keep a row off
// the page.
func Lines(pkg, typ, comment string) (rows []Row, wrong []string) {
	add := func(kind, authors string, cells []string) {
		r := Row{
			Package: pkg, Type: kind, Said: cells[0], Consistency: cells[1], Progress: cells[2], Cost: cells[3], Allocates: cells[4],
			Authors: strings.Contains(authors, "for authors"),
		}
		if r.Said != eachMethod {
			r.Names = expanded(r.Said)
		}
		rows = append(rows, r)
	}
	lines := strings.Split(comment, "\n")
	for i := 0; i < len(lines); i++ {
		if cells := sentence.FindStringSubmatch(lines[i]); cells != nil {
			add(typ, cells[2], append(cells[1:2:2], cells[3:]...))
			continue
		}
		if !heading.MatchString(lines[i]) || i+2 >= len(lines) || !strings.HasPrefix(lines[i+2], "\t") {
			continue
		}
		head, kind := lines[i], typ
		if strings.Contains(head, "of every container,") {
			kind = Containers
		}
		var block [][]string
		first := i + 2
		for i += 2; i < len(lines) && strings.HasPrefix(lines[i], "\t"); i++ {
			block = append(block, gap.Split(strings.TrimSpace(lines[i]), -1))
		}
		for k, cells := range block {
			if len(cells) != 5 || !named.MatchString(cells[0]) {
				wrong = append(wrong, pkg+"."+typ+": a row has names and four cells: "+lines[first+k])
				continue
			}
			if want := aligned(block, k); lines[first+k] != "\t"+want {
				wrong = append(wrong, pkg+"."+typ+": a column is not aligned: want "+want)
			}
			add(kind, head, cells)
		}
	}
	return rows, wrong
}

// expanded returns the names of a cell, of which "For[Err]" stands for For and ForErr.
func expanded(cell string) (list []string) {
	for name := range strings.SplitSeq(cell, ", ") {
		name, both := strings.CutSuffix(name, "[Err]")
		list = append(list, name)
		if both {
			list = append(list, name+"Err")
		}
	}
	return list
}

// aligned returns row k of a block with its columns below each other.
func aligned(block [][]string, k int) string {
	var b strings.Builder
	for i, cell := range block[k] {
		width := 0
		for _, row := range block {
			if i < len(row) {
				width = max(width, len(row[i]))
			}
		}
		fmt.Fprintf(&b, "%-*s  ", width, cell)
	}
	return strings.TrimRight(b.String(), " ")
}

// Documented returns what is exported of a package below a root.
func Documented(root, pkg string) (*doc.Package, error) {
	files, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	return doc.NewFromFiles(fset, parsed, "example.com/custody/"+pkg)
}

// Rows returns the rows of all Packages below a root, and what is wrong in them.
func Rows(root string) (rows []Row, wrong []string, err error) {
	for _, pkg := range Packages {
		p, err := Documented(root, pkg)
		if err != nil {
			return nil, nil, err
		}
		more, bad := Lines(pkg, Functions, p.Doc)
		rows, wrong = append(rows, more...), append(wrong, bad...)
		rows = append(rows, implied(pkg, p, more)...)
		for _, typ := range p.Types {
			more, bad := Lines(pkg, typ.Name, typ.Doc)
			rows, wrong = append(rows, more...), append(wrong, bad...)
		}
	}
	return rows, wrong, nil
}

// implied returns the rows of functions that need none in a comment: those that make an option, and
// those whose names begin with New.
func implied(pkg string, p *doc.Package, said []Row) (rows []Row) {
	add := func(f *doc.Func, consistency, allocates string) {
		if !slices.ContainsFunc(said, func(r Row) bool { return slices.Contains(r.Names, f.Name) }) {
			rows = append(rows, Row{
				Package: pkg, Type: Functions, Names: []string{f.Name}, Consistency: consistency, Progress: "wait-free", Cost: "O(1)", Allocates: allocates,
			})
		}
	}
	for _, typ := range p.Types {
		for _, f := range typ.Funcs {
			switch {
			case strings.HasSuffix(typ.Name, "Option"):
				add(f, "option", "never")
			case strings.HasPrefix(f.Name, "New"):
				add(f, "new", "the value")
			}
		}
	}
	return rows
}

// Page returns the tables of the rows, for docs/consistency.md.
func Page(rows []Row) string {
	var b strings.Builder
	for _, pkg := range Packages {
		fmt.Fprintf(&b, "\n## %s\n\ntype | method | consistency | progress | cost | allocates\n---|---|---|---|---|---\n", pkg)
		for _, r := range rows {
			if r.Package != pkg || r.Said == "" || r.Authors {
				continue
			}
			said := r.Said
			if said == eachMethod {
				said = "each"
			}
			fmt.Fprintf(&b, "%s | %s | %s | %s | %s | %s\n", r.Type, said, r.Consistency, r.Progress, r.Cost, r.Allocates)
		}
	}
	return b.String()
}

// All returns the row of each method and function that the page or a comment speaks of, by its name
// as "array.Array.Len" or "array.New", and the names of those that have none.
func All(root string) (all map[string]Row, missing []string, err error) {
	rows, wrong, err := Rows(root)
	if err != nil || wrong != nil {
		return nil, wrong, err
	}
	all = map[string]Row{}
	for _, pkg := range Packages {
		p, err := Documented(root, pkg)
		if err != nil {
			return nil, nil, err
		}
		for typ, names := range exported(p) {
			for _, name := range names {
				if r, ok := of(rows, pkg, typ, name); ok {
					if r.Names == nil {
						r.Names = names
					}
					all[Spelt(pkg, typ, name)] = r
				} else {
					missing = append(missing, Spelt(pkg, typ, name)+" has no row")
				}
			}
		}
	}
	slices.Sort(missing)
	return all, missing, nil
}

// Spelt returns the name of a method or function.
func Spelt(pkg, typ, name string) string {
	if typ == Functions {
		return pkg + "." + name
	}
	return pkg + "." + typ + "." + name
}

// exported returns the names of the methods of each type that is no interface, and of the
// functions.
func exported(p *doc.Package) map[string][]string {
	all := map[string][]string{}
	add := func(typ string, list []*doc.Func) {
		for _, f := range list {
			all[typ] = append(all[typ], f.Name)
		}
	}
	add(Functions, p.Funcs)
	for _, typ := range p.Types {
		add(Functions, typ.Funcs)
		add(typ.Name, typ.Methods)
	}
	return all
}

// of returns the row of a method of a type, or of a function: its own, that of each method of the
// type, or that of every container.
func of(rows []Row, pkg, typ, name string) (Row, bool) {
	for _, covers := range []func(Row) bool{
		func(r Row) bool { return r.Package == pkg && r.Type == typ && slices.Contains(r.Names, name) },
		func(r Row) bool { return r.Package == pkg && r.Type == typ && r.Names == nil },
		func(r Row) bool { return typ != Functions && r.Type == Containers && slices.Contains(r.Names, name) },
	} {
		if i := slices.IndexFunc(rows, covers); i >= 0 {
			return rows[i], true
		}
	}
	return Row{}, false
}
