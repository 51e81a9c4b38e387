package main

import (
	"bytes"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

const tests = `package a

import "testing"

func TestAdd(t *testing.T) {
	t.Run("two", func(t *testing.T) {
		if add(1, 1) != 2 {
			t.Error("wrong")
		}
	})
}

func TestElse(t *testing.T) { add(0, 0) }
`

// described is a fault of add that puts another line in the place of its first.
func described(line string) string {
	return "fault: f\nfile: a/a.go\ntest: ./a\n\nAbout.\n\n-- replace --\n\tn += d\n-- with --\n\t" + line + "\n"
}

// tree makes a module with the files and makes its folder the current one.
func tree(t *testing.T, more map[string]string) {
	files := map[string]string{"go.mod": "module m\n\ngo 1.26\n", "a/a.go": whole, "a/a_test.go": tests}
	maps.Copy(files, more)
	t.Chdir(module(t, files))
	t.Setenv("GOFLAGS", "")
}

func run(t *testing.T, o options) (ok bool, out string) {
	var b bytes.Buffer
	o.parallel, o.limit = 2, 2*time.Second
	ok, err := command(&o, &b)
	require.NoError(t, err)
	return ok, b.String()
}

func TestVerdicts(t *testing.T) {
	tree(t, map[string]string{
		catalogue + "/killed.txt":   described("n -= d"),
		catalogue + "/hangs.txt":    described("for n == 0 {\n\t}\n\tn += d"),
		catalogue + "/crashes.txt":  described("go func() { panic(n) }()\n\tselect {}"),
		catalogue + "/compiles.txt": described("n += nothing"),
		catalogue + "/lives.txt":    described("n += d + 0"),
	})
	ok, out := run(t, options{all: true})
	require.False(t, ok)
	require.Contains(t, out, "killed: killed by TestAdd/two (./a) after")
	require.Contains(t, out, "hangs: HANGS in TestElse (./a), given up after 2 s")
	require.Contains(t, out, "Hang, and no test fails; a watchdog of internal/lawtest or an explored test would:\n  hangs\n")
	require.Regexp(t, `crashes: killed by TestAdd(/two)? \(./a\)`, out)
	require.Contains(t, out, "compiles: DOES NOT COMPILE")
	require.Contains(t, out, "lives: SURVIVED")
	require.Contains(t, out, "2 killed, 1 hang, 1 survived, 1 do not compile")

	ok, out = run(t, options{run: regexp.MustCompile("killed")})
	require.True(t, ok, out)
	ok, out = run(t, options{run: regexp.MustCompile("hangs")})
	require.False(t, ok, out)
	ok, out = run(t, options{run: regexp.MustCompile("lives")})
	require.False(t, ok, out)
	require.Contains(t, out, "nobody says why:\n  lives")

	_, out = run(t, options{n: 2, seed: 7, list: true})
	require.Contains(t, out, "2 at random: -seed 7\n")
	require.Equal(t, 3, strings.Count(out, "\n"))
	_, again := run(t, options{n: 2, seed: 7, list: true})
	require.Equal(t, out, again)
	_, out = run(t, options{n: 9, seed: 7, list: true})
	require.Equal(t, 6, strings.Count(out, "\n"), "there are no more than five")

	var b bytes.Buffer
	_, err := command(&options{}, &b)
	require.ErrorContains(t, err, "nothing to run")
}

// What does not pass by itself, or runs nothing, judges nothing.
func TestTestsThatCannotJudge(t *testing.T) {
	for what, fault := range map[string]string{
		"do not pass before anything is broken": strings.Replace(described("n -= d"), "./a", "./a/wrong", 1),
		"no test runs":                          strings.Replace(described("n -= d"), "./a\n", "./a\nrun: TestNone\n", 1),
		"has no tests":                          strings.Replace(described("n -= d"), "./a", "./a/none", 1),
	} {
		tree(t, map[string]string{
			catalogue + "/x.txt": fault, "a/none/none.go": "package none\n",
			"a/wrong/wrong_test.go": "package wrong\n\nimport \"testing\"\n\nfunc TestWrong(t *testing.T) { t.Fail() }\n",
		})
		var b bytes.Buffer
		_, err := command(&options{all: true, limit: time.Second}, &b)
		require.ErrorContains(t, err, what)
	}
}

func TestMutantsAndTheirSurvivors(t *testing.T) {
	lawtest.WithoutRace(t) // TestVerdicts has the same runner
	const text = "package a\n\nfunc add(n, d int) int {\n\tif d != 0 {\n\t\tn += d\n\t}\n\treturn n\n}\n"
	const skip = "a/a.go:add:compare:1 | d != 0 => d < 0 | "
	tree(t, map[string]string{
		"a/a.go": text, survivorsFile: "",
	})
	ok, out := run(t, options{mutants: true, files: []string{"a/a.go"}})
	require.True(t, ok, out)
	require.Contains(t, out, "a/a.go:add:negate:1: killed by TestAdd/two")
	require.Contains(t, out, "100.0 % of the mutants killed")

	tree(t, map[string]string{"a/a.go": text, survivorsFile: skip + "equivalent | it is not\n"})
	ok, out = run(t, options{mutants: true, files: []string{"a/a.go"}})
	require.False(t, ok)
	require.Contains(t, out, "take it off")

	tree(t, map[string]string{"a/a.go": text, survivorsFile: skip + "explored | by chance\n"})
	ok, out = run(t, options{mutants: true, files: []string{"a/a.go"}})
	require.True(t, ok, out)
	require.Contains(t, out, "listed as left to explored builds, and killed by chance or for good")

	tree(t, map[string]string{"a/a.go": whole, survivorsFile: "", "a/a_test.go": strings.Replace(tests, "!= 2", "== 9", 1)})
	ok, out = run(t, options{mutants: true, files: []string{"a/a.go"}})
	require.False(t, ok)
	require.Contains(t, out, "a/a.go:add:bump:1 | n += d => _ = d")
	require.Contains(t, out, "0.0 % of the mutants killed")
	tree(t, map[string]string{
		"a/a.go": whole, survivorsFile: "a/a.go:add:bump:1 | n += d => _ = d | equivalent | nobody looks\n",
		"a/a_test.go": strings.Replace(tests, "!= 2", "== 9", 1),
	})
	ok, out = run(t, options{mutants: true, files: []string{"a/a.go"}})
	require.True(t, ok, out)
	require.Contains(t, out, "without 1 that are listed as equivalent")
}

func TestChangedFiles(t *testing.T) {
	f := &fault{file: "a/a.go", source: catalogue + "/a/x.txt", trials: []trial{{pkg: "./a"}, {pkg: "./b"}}}
	for name, want := range map[string]bool{
		"a/a.go": true, "a/other.go": false, "a/other_test.go": true, "b/b.go": false, "b/b_test.go": true, f.source: true, "c/c.go": false, "a/deeper/x.go": false, catalogue + "/a/y.txt": false,
	} {
		require.Equal(t, want, f.touchedBy([]string{name}), name)
	}
	require.False(t, f.touchedBy(nil))
}

func TestTheReportOfARaceIsKept(t *testing.T) {
	var w watcher
	_, err := w.Write([]byte("ok\n==================\nWARNING: DATA RACE\nRead by a\n==================\n" + strings.Repeat("more\n", 100) +
		"WARNING: DATA RACE\nRead by b\n==================\n" + strings.Repeat("more\n", 100)))
	require.NoError(t, err)
	require.Contains(t, w.tail(), "WARNING: DATA RACE\nRead by a\nmore")
	require.NotContains(t, w.tail(), "Read by b")
}
