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

// check judges the profile of the packages in the module at dir. It returns an error if it could
// not.
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
