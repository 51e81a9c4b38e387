// Command coverage holds the library to full statement coverage. It reads a profile of the checked build,
// taken over all tests of the module, and fails on
//
//   - a block without coverage that the list does not have, unless the profile of a build named explored covers it,
//     which is the checked one under the explorer: what takes two goroutines that meet in a certain way is covered there
//     on every run, and
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
// A block whose reason is "by chance" may be covered, and need not be.
//
// The same goes for all blocks of a function that only another build calls:
//
//	func file function | build | why
//
// Usage, in the module's directory: go run ./.ci/coverage [-list file] [-build name=profile]... profile package...
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// check judges the profile of the packages in the module at dir. An error says that it could not.
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
		if t.covered || t.statements == 0 || others["explored"][p].covered {
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
		if g := firstIn(append(b.guards, "func "+b.file+" "+b.function, b.key()), guards); g != "" {
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
		if !used[g] && guards[g] != byChance {
			problems = append(problems, fmt.Sprintf("%s: stands for no uncovered block any more; take it off:\n\t%s", list, g))
		}
	}
	summary = fmt.Sprintf("%d statements of %s: %d uncovered, %d listed as unreachable", total, strings.Join(packages, ", "), missed, let)
	return problems, summary, nil
}

func firstIn(names []string, set map[string]string) string {
	for _, n := range names {
		if set[n] != "" {
			return n
		}
	}
	return ""
}
