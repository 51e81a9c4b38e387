// Command coverage holds the library to full statement coverage. It reads a profile of the checked build,
// taken over all tests of the module, and fails on
//
//   - a block without coverage that the list does not have, and
//   - an entry of the list that fits no such block any more.
//
// Blocks are named by file, function and the source text of their first line, so that a list stays true
// while lines shift. An entry of the list is
//
//	file | function | first line of the block | why no test can reach it
//
// and stands for one block; blocks with the same text in one function need an entry each. An entry
//
//	if condition | build | why
//
// stands for all blocks guarded by a condition that is constant in the checked build, as in
// "if safety.Strict", also as a part of an &&. They are compiled into another build, and when -build gives
// that build's profile they must be covered there.
//
// The same goes for all blocks of a function that only another build calls:
//
//	func file function | build | why
//
// Usage, in the module's directory: go run ./.ci/coverage [-list file] [-build name=profile]... profile package...
package main

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	list := flag.String("list", ".ci/uncovered.txt", "the blocks that no test can reach")
	builds := map[string]string{}
	flag.Func("build", "`name=profile` of another build", func(v string) error {
		name, profile, ok := strings.Cut(v, "=")
		if !ok {
			return fmt.Errorf("not name=profile")
		}
		builds[name] = profile
		return nil
	})
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: coverage [-list file] [-build name=profile]... profile package...")
		os.Exit(2)
	}
	problems, summary, err := check(".", flag.Arg(0), builds, *list, flag.Args()[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(2)
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	fmt.Println(summary)
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// place is a block as a profile has it.
type place struct {
	file                     string // relative to the module
	line0, col0, line1, col1 int
}

// tally is what is known of a block.
type tally struct {
	statements int
	covered    bool
}

// block is a block with its source.
type block struct {
	place
	function string
	text     string   // its first line
	guards   []string // the conditions of the ifs around it, the constant parts
}

func (b block) key() string { return b.file + " | " + b.function + " | " + b.text }

func check(dir, profile string, builds map[string]string, list string, packages []string) (problems []string, summary string, err error) {
	module, err := moduleName(dir)
	if err != nil {
		return nil, "", err
	}
	blocks, err := readProfile(profile, module)
	if err != nil {
		return nil, "", err
	}
	others := map[string]map[place]tally{}
	for name, file := range builds {
		if others[name], err = readProfile(file, module); err != nil {
			return nil, "", err
		}
	}
	exempt, guards, err := readList(list)
	if err != nil {
		return nil, "", err
	}
	files := map[string]*source{}
	total, missed, let := 0, 0, 0
	seen := map[string]bool{}
	used := map[string]bool{}
	order := slices.SortedFunc(maps.Keys(blocks), comparePlaces)
	for _, p := range order {
		pkg := filepath.ToSlash(filepath.Dir(p.file))
		if !slices.Contains(packages, pkg) {
			continue
		}
		seen[pkg] = true
		t := blocks[p]
		total += t.statements
		if t.covered || t.statements == 0 {
			continue
		}
		f := files[p.file]
		if f == nil {
			if f, err = readSource(dir, p.file); err != nil {
				return nil, "", err
			}
			files[p.file] = f
		}
		b := f.describe(p)
		if g := firstIn(append(b.guards, "func "+b.file+" "+b.function), guards); g != "" {
			used[g] = true
			if other, given := others[guards[g]]; given && !other[p].covered {
				problems = append(problems, fmt.Sprintf("%s:%d is not covered in the %s build:\n\t%s", b.file, b.line0, guards[g], b.key()))
			}
			continue
		}
		if exempt[b.key()] > 0 {
			exempt[b.key()]--
			let += t.statements
			continue
		}
		missed += t.statements
		problems = append(problems, fmt.Sprintf("%s:%d is not covered:\n\t%s", b.file, b.line0, b.key()))
	}
	for _, pkg := range packages {
		if !seen[pkg] {
			return nil, "", fmt.Errorf("the profile has nothing of package %s", pkg)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(exempt)) {
		for range exempt[key] {
			problems = append(problems, fmt.Sprintf("%s: covered, or not there any more; take it off:\n\t%s", list, key))
		}
	}
	for _, g := range slices.Sorted(maps.Keys(guards)) {
		if !used[g] {
			problems = append(problems, fmt.Sprintf("%s: stands for no uncovered block any more; take it off:\n\t%s", list, g))
		}
	}
	summary = fmt.Sprintf("%d statements of %s: %d uncovered, %d listed as unreachable", total, strings.Join(packages, ", "), missed, let)
	return problems, summary, nil
}

func comparePlaces(a, b place) int {
	if a.file != b.file {
		return strings.Compare(a.file, b.file)
	}
	if a.line0 != b.line0 {
		return a.line0 - b.line0
	}
	return a.col0 - b.col0
}

func firstIn(names []string, set map[string]string) string {
	for _, n := range names {
		if set[n] != "" {
			return n
		}
	}
	return ""
}

func moduleName(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	rest, ok := strings.CutPrefix(string(b), "module ")
	if !ok {
		return "", fmt.Errorf("go.mod does not begin with the module's path")
	}
	name, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(name), nil
}

// readProfile merges the lines of a profile: a block is covered when any test covers it.
func readProfile(name, module string) (map[place]tally, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	blocks := map[place]tally{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "mode:") {
			continue
		}
		p, t, ok := parseLine(lines.Text(), module)
		if !ok {
			return nil, fmt.Errorf("%s:%d: not a line of a profile: %q", name, n, lines.Text())
		}
		t.covered = t.covered || blocks[p].covered
		blocks[p] = t
	}
	return blocks, lines.Err()
}

// parseLine reads "module/dir/file.go:12.34,15.2 3 0".
func parseLine(line, module string) (p place, t tally, ok bool) {
	colon := strings.LastIndexByte(line, ':')
	if colon < 0 {
		return p, t, false
	}
	p.file = strings.TrimPrefix(line[:colon], module+"/")
	var count int
	n, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d", &p.line0, &p.col0, &p.line1, &p.col1, &t.statements, &count)
	t.covered = count > 0
	return p, t, err == nil && n == 6
}

// readList reads the list: how many blocks each entry stands for, and the build that
// compiles what each condition guards or calls each function.
func readList(name string) (exempt map[string]int, guards map[string]string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return parseList(name, f)
}

func parseList(name string, r io.Reader) (exempt map[string]int, guards map[string]string, err error) {
	exempt, guards = map[string]int{}, map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// The text of a block may hold the separator itself, so the reason is what stands last.
		parts := strings.Split(line, " | ")
		reason := strings.TrimSpace(parts[len(parts)-1])
		isGuard := strings.HasPrefix(parts[0], "if ") || strings.HasPrefix(parts[0], "func ")
		switch {
		case isGuard && len(parts) == 3 && parts[1] != "" && reason != "":
			guards[parts[0]] = parts[1]
		case !isGuard && len(parts) >= 4 && reason != "":
			exempt[strings.Join(parts[:len(parts)-1], " | ")]++
		default:
			return nil, nil, fmt.Errorf("%s:%d: not \"file | function | first line | why\" or \"if condition | build | why\"", name, n)
		}
	}
	return exempt, guards, lines.Err()
}

// source is a file that has blocks without coverage.
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

// describe finds a block's text, function and guards.
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

// firstLine is the first line of the block that holds more than a brace, with single spaces.
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

// conjuncts returns the names, and negated names, that must hold for a condition to.
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
