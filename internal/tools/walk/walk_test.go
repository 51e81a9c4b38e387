// Package walk goes through the README as a user does that has nothing else: what it shows is
// taken from it, put into a module in an empty directory, and run; and every command that it names
// is run, or is one that CI runs.
package walk

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// module is where the library lies beside the reader's own module, as the README has it.
const module = "custody"

// programs are the README's blocks of Go code in their order, and what a reader adds to them.
var programs = []struct {
	name string
	// given declares what the block uses and does not show, first and last are what main does
	// before it and after it.
	given, first, last string
	// printed is what the program prints; "" is what stands beside its Println.
	printed string
	fails   bool
	// test is the test that the block has, if it is no program.
	test string
}{
	{name: "a broken rule", fails: true},
	{name: "two arrays"},
	{name: "lines of a log"},
	{name: "a loop over slices"},
	{name: "jobs that need each other", given: twoJobs, first: startTwoJobs, last: "fmt.Println(points.At(9), sums.At(9))\n", printed: "9 10\n"},
	{name: "a test of one's own loop", test: "TestSum"},
}

// Where two of them stand.
const slices, jobs = 3, 4

const twoJobs = `type Gather struct{ Points array.Writer[int] }

func (g *Gather) Execute(i int) { g.Points.Set(i, i) }

type Compute struct {
	Gathered array.Reader[int]
	Sums     array.Writer[int]
}

func (c *Compute) Execute(i int) { c.Sums.Set(i, c.Gathered.At(i)+1) }

`

const startTwoJobs = `n := 10
points, sums := array.New[int](n, safety.Named("points")), array.New[int](n)
gather, compute := Gather{points.Writer()}, Compute{points.Reader(), sums.Writer()}
`

func TestWhatTheReadmeShowsRunsInAModuleOfOnesOwn(t *testing.T) {
	lawtest.WithoutRace(t)
	t.Parallel()
	page := readme(t)
	code := blocks(page, "go")
	require.Len(t, code, len(programs), "a block of Go code has no program here")
	dir := filepath.Join(t.TempDir(), "hello")
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, os.Symlink(root(t), filepath.Join(filepath.Dir(dir), module)))
	w := &walker{t: t, dir: dir}

	// The README's commands make the module, with its first program in it.
	steps := block(t, page, "go mod init")
	w.write("main.go", assembled(t, code[slices], "", "", ""))
	for i, step := range steps {
		if i < len(steps)-1 {
			w.must(step)
			continue
		}
		require.Equal(t, "go run .", step)
	}
	for i, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			w := &walker{t: t, dir: dir}
			if p.test != "" {
				w.write("main.go", "package main\n\nfunc main() {}\n")
				w.write("main_test.go", assembled(t, code[i], "", "", ""))
				w.must("go mod tidy")
				require.Contains(t, w.must("go test -short -v -run ^"+p.test+"$ ."), "--- PASS: "+p.test)
				return
			}
			w.write("main.go", assembled(t, code[i], p.given, p.first, p.last))
			if p.fails {
				shown := strings.Join(block(t, page, "custody: "), "\n")
				require.Equal(t, shown, w.panics(), "the README shows another text")
				return
			}
			want := p.printed
			if want == "" {
				want = regexp.MustCompile(`(?m)Println\(.* // (.*)$`).FindStringSubmatch(code[i])[1] + "\n"
			}
			require.Equal(t, want, w.must("go run ."))
		})
	}

	t.Run("a closure that writes what it reads", func(t *testing.T) {
		w := &walker{t: t, dir: dir}
		require.Contains(t, code[slices], "\t\tsmooth[i] = ")
		for _, more := range []string{"})\n", "}, parallelfor.Workers(1))\n"} {
			broken := strings.NewReplacer("\t\tsmooth[i] = ", "\t\theights[i] = ", "\n})\n", "\n"+more).Replace(code[slices])
			w.write("main.go", assembled(t, broken, "", "", ""))
			_, stderr, err := w.run("go run -race .")
			if strings.Contains(stderr, "-race requires cgo") || strings.Contains(stderr, "C compiler") {
				t.Skip("there is no C compiler")
			}
			require.Error(t, err)
			require.Contains(t, stderr, "WARNING: DATA RACE")
		}
	})

	t.Run("the analyzers", func(t *testing.T) {
		w := &walker{t: t, dir: dir}
		gopath := t.TempDir()
		for _, step := range block(t, page, "go -C ../custody/vet") {
			c := exec.Command("sh", "-c", step)
			c.Dir, c.Env = dir, append(w.environment(), "GOPATH="+gopath, "GOMODCACHE="+strings.TrimSpace(w.must("go env GOMODCACHE")))
			text, err := c.CombinedOutput()
			require.NoError(t, err, "%s\n%s", step, text)
		}
	})

	t.Run("without the After", func(t *testing.T) {
		w, p := &walker{t: t, dir: dir}, programs[jobs]
		require.Contains(t, code[jobs], "a := ")
		require.Contains(t, code[jobs], ", parallelfor.After(a)")
		forgotten := strings.NewReplacer("a := ", "", ", parallelfor.After(a)", "").Replace(code[jobs])
		w.write("main.go", assembled(t, forgotten, p.given, p.first, p.last))
		text := w.panics()
		for _, named := range []string{"job Compute", "field Gathered", "job Gather", "field Points", `"points"`, "main.go:"} {
			assert.Contains(t, text, named)
		}
	})
}

// commands are those that the README names, by how they begin, and how CI runs them: a text and the
// file that it stands in. Those of the walk itself have none.
var commands = []struct{ command, file, text string }{
	{"go -C examples run ./codeindex", "", ""},
	{"go test -short ./counter ./lane", "", ""},
	{"go mod ", "", ""},
	{"go -C ../custody/vet install ./cmd/custodyvet", "", ""},
	{"go vet -vettool=", "", ""},
	{"go run .", "", ""},
	{"go test -race ./...", ".ci/run", "\nstep \"the README's command: go test -race ./...\" go test -race ./...\n"},
	{"go -C bench run ./ratios", ".ci/programs.sh", "\tgo -C bench run ./ratios "},
	{"bash .ci/run", ".ci/run", "#!/usr/bin/env bash\n"},
}

func TestEveryCommandOfTheReadmeIsRun(t *testing.T) {
	page := readme(t)
	var named []string
	for _, b := range blocks(page, "") {
		for line := range strings.Lines(b) {
			if strings.HasPrefix(line, "go ") {
				named = append(named, command(line))
			}
		}
	}
	for _, m := range regexp.MustCompile("`((go|bash) [^`]*)`").FindAllStringSubmatch(page, -1) {
		named = append(named, m[1])
	}
	used := map[string]bool{}
	for _, n := range named {
		found := false
		for _, c := range commands {
			if strings.HasPrefix(n, c.command) {
				found, used[c.command] = true, true
			}
		}
		assert.True(t, found, "neither CI nor the walk runs %q", n)
	}
	for _, c := range commands {
		assert.True(t, used[c.command], "the README does not name %q", c.command)
		if c.file != "" {
			text, err := os.ReadFile(filepath.Join(root(t), c.file))
			require.NoError(t, err)
			assert.Contains(t, string(text), c.text, c.command)
		}
	}
}

func TestMainJob(t *testing.T) {
	lawtest.WithoutRace(t)
	t.Parallel()
	w := &walker{t: t, dir: root(t)}
	steps := block(t, readme(t), "go test -short ")
	w.must(steps[0])
	require.Regexp(t, `(?m)^parallel +\S+, .* times as fast`, w.must(steps[1]))
}

// walker runs commands in a directory.
type walker struct {
	t   *testing.T
	dir string
}

// environment returns that of the commands. Sums of modules that this tree uses too need no
// database to vouch for them.
func (w *walker) environment() []string {
	return append(os.Environ(), "GOFLAGS=-buildvcs=false "+os.Getenv("CUSTODY_GOFLAGS"), "GOWORK=off", "GONOSUMDB=*")
}

func (w *walker) write(name, text string) {
	require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o666))
}

// run runs a command and returns what it prints.
func (w *walker) run(line string) (stdout, stderr string, err error) {
	words := strings.Fields(line)
	c := exec.Command(words[0], words[1:]...)
	c.Dir = w.dir
	c.Env = w.environment()
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

// must returns what a command prints that succeeds.
func (w *walker) must(line string) string {
	stdout, stderr, err := w.run(line)
	require.NoError(w.t, err, "%s\n%s%s", line, stdout, stderr)
	return stdout
}

// panics runs the program, which panics, and returns the text of its panic without what Go puts
// round it.
func (w *walker) panics() string {
	stdout, stderr, err := w.run("go run .")
	require.Error(w.t, err, stdout)
	_, text, ok := strings.Cut(stderr, "panic: ")
	require.True(w.t, ok, stderr)
	text, _, ok = strings.Cut(text, "\n\ngoroutine ")
	require.True(w.t, ok, stderr)
	return strings.ReplaceAll(text, "\n\t", "\n")
}
