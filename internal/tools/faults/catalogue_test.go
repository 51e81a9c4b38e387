package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `fault: Add adds nothing
file: a/a.go
test: ./a ./b
run: ^TestAdd
tags: custody_strict
race: yes

Whoever adds, loses.

-- replace --
	n += d
-- with --
-- replace --
	return n
-- with --
	return 0
`

const broken = "package a\n\nfunc add(n, d int) int {\n\treturn 0\n}\n"

const whole = "package a\n\nfunc add(n, d int) int {\n\tn += d\n\treturn n\n}\n"

// module makes a folder with the files.
func module(t *testing.T, files map[string]string) string {
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	return root
}

func TestAFaultIsReadAndApplied(t *testing.T) {
	root := module(t, map[string]string{
		"a/a.go": whole, catalogue + "/a/add.txt": sample, catalogue + "/README.md": "not a fault", survivorsFile: "nor this",
	})
	faults, err := readCatalogue(root, catalogue)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	f := faults[0]
	require.Equal(t, "a/add", f.name)
	require.Equal(t, catalogue+"/a/add.txt", f.source)
	require.Equal(t, "Add adds nothing", f.title)
	require.Equal(t, broken, string(f.text))
	require.Equal(t, []trial{
		{pkg: "./a", tags: "custody_strict", race: true, run: "^TestAdd"},
		{pkg: "./b", tags: "custody_strict", race: true, run: "^TestAdd"},
	}, f.trials)
	require.Equal(t, "./a -tags custody_strict -race -run ^TestAdd", f.trials[0].String())
}

func TestAFaultThatDoesNotFitIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"is in a/a.go 0 times": "package a\n",
		"is in a/a.go 2 times": whole + "\nfunc again(n, d int) int {\n\tn += d\n\treturn 1\n}\n",
		"replacement 2":        "package a\n\n\tn += d\n",
	} {
		_, err := readCatalogue(module(t, map[string]string{"a/a.go": text, catalogue + "/a/add.txt": sample}), catalogue)
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "a/add.txt")
	}
	_, err := readCatalogue(module(t, map[string]string{catalogue + "/a/add.txt": sample}), catalogue)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAFaultThatIsNotWellDescribedIsAnError(t *testing.T) {
	const head = "fault: f\nfile: a/a.go\ntest: ./a\n"
	const pair = "-- replace --\n\tn += d\n-- with --\n"
	for text, what := range map[string]string{
		"fault: f":                                                      "no empty line",
		"fault: f\nfile: a\n\nAbout.\n\n" + pair:                        "must say fault, file and test",
		head + "colour: red\n\nAbout.\n\n" + pair:                       "unknown line",
		head + "race: perhaps\n\nAbout.\n\n" + pair:                     "not yes or no",
		head + "\n" + pair:                                              "nothing says what breaks",
		head + "\nAbout.\n":                                             "without a section",
		head + "\nAbout.\n\n-- replace --\n\tn\n":                       "without a section",
		head + "\nAbout.\n\n-- replace --\n-- with --\nx\n":             "not empty",
		head + "\nAbout.\n\n" + pair + "-- with --\nx\n":                "must be pairs",
		head + "\nAbout.\n\n-- replace --\n\tn\n-- with --\n\tn\n":      "", // found out when it is applied
		head + "\nAbout.\n\n" + pair + "-- replace --\nx\n-- with --\n": "",
	} {
		_, err := parseFault(text)
		if what == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, what, text)
		}
	}
	f, err := parseFault(head + "\nAbout.\n\n-- replace --\n\tn += d\n-- with --\n\tn += d\n")
	require.NoError(t, err)
	require.ErrorContains(t, f.apply(module(t, map[string]string{"a/a.go": whole})), "changes nothing")
}

// The catalogue in the tree fits the tree, and breaks each package that it is for.
func TestTheCatalogueFits(t *testing.T) {
	faults, err := readCatalogue("../../..", catalogue)
	require.NoError(t, err)
	of, tests := map[string]int{}, map[string][]string{}
	for _, f := range faults {
		of[filepath.Dir(f.file)]++
		for _, trial := range f.trials {
			if tests[trial.pkg] == nil {
				tests[trial.pkg] = testsOf(t, trial.pkg)
			}
			pattern, _, _ := strings.Cut(trial.run, "/")
			require.True(t, slices.ContainsFunc(tests[trial.pkg], regexp.MustCompile(pattern).MatchString), "%s: no test of %s matches %s", f.name, trial.pkg, trial.run)
		}
	}
	for _, pkg := range []string{"safety", "internal/lanes", "counter", "parallelfor", "array"} {
		require.Greater(t, of[pkg], 5, pkg)
	}
}

// testsOf returns the names of the tests of a package, for all levels.
func testsOf(t *testing.T, pkg string) (names []string) {
	files, err := filepath.Glob(filepath.Join("../../..", pkg, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range testFunc.FindAllSubmatch(text, -1) {
			names = append(names, string(name[1]))
		}
	}
	return names
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)
