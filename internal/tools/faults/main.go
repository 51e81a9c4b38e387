package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// options are the flags and arguments of the command line.
type options struct {
	all, list, mutants bool
	n, most            int
	seed               uint64
	changed            string
	run                *regexp.Regexp
	parallel, first    int
	limit              time.Duration
	verbose            bool
	files              []string
}

const (
	catalogue     = "internal/faults"
	survivorsFile = catalogue + "/survivors.txt"
	goal          = 95 // the least percentage of mutants to kill
)

func main() {
	var o options
	pattern := ""
	flag.BoolVar(&o.all, "all", false, "run the whole catalogue")
	flag.BoolVar(&o.list, "list", false, "name what would run")
	flag.BoolVar(&o.mutants, "mutants", false, "run mutants instead of the catalogue")
	flag.IntVar(&o.n, "n", 0, "run so many at random")
	flag.IntVar(&o.most, "most", 0, "run at most so many of those that -changed finds, picked at random; 0 is all")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "what -n and -most pick by")
	flag.StringVar(&o.changed, "changed", "", "run those of files that changed since this `commit`, and of packages whose tests did")
	flag.StringVar(&pattern, "run", "", "run those whose name fits this `regexp`")
	flag.IntVar(&o.parallel, "j", 1, "how many to run at a time")
	flag.IntVar(&o.first, "first", 0, "ask only the first so many of a fault's trials: a quick look; 0 is all")
	flag.DurationVar(&o.limit, "limit", 10*time.Minute, "how long a test binary may run")
	flag.BoolVar(&o.verbose, "v", false, "show the end of the output of the tests that failed")
	flag.Parse()
	o.files = flag.Args()
	if pattern != "" {
		var err error
		if o.run, err = regexp.Compile(pattern); err != nil {
			fail(err)
		}
	}
	ok, err := command(&o, os.Stdout)
	if err != nil {
		fail(err)
	}
	if !ok {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "faults:", err)
	os.Exit(2)
}

// command executes the options and reports whether no fault survived or hung.
func command(o *options, out io.Writer) (ok bool, err error) {
	var faults []*fault
	var listed *survivors
	if o.mutants {
		if listed, err = readSurvivors(survivorsFile); err != nil {
			return false, err
		}
		if faults, err = generate(".", o.files); err != nil {
			return false, err
		}
		if err := listed.match(faults, len(o.files) == 0); err != nil {
			return false, err
		}
	} else if faults, err = readCatalogue(".", catalogue); err != nil {
		return false, err
	}
	if faults, err = choose(o, faults, out); err != nil {
		return false, err
	}
	if o.list {
		for _, f := range faults {
			fmt.Fprintf(out, "%s\t%s\n", f.name, f.title)
		}
		return true, nil
	}
	if len(faults) == 0 {
		return false, fmt.Errorf("nothing to run: give -all, -n, -changed or -run")
	}
	if listed != nil && !o.all {
		for _, f := range faults { // the list claims that no test can tell, so one trial is enough
			if e := listed.entries[f.name]; e != nil && e.class == equivalent {
				f.trials = f.trials[:1]
			}
		}
	}
	r, err := newRunner(o, out)
	if err != nil {
		return false, err
	}
	defer r.close()
	if err := r.runAll(faults); err != nil {
		return false, err
	}
	return r.judge(faults, listed), nil
}

// choose returns the faults that the options select, in the order in which to run them. Without a
// selection it returns all mutants.
func choose(o *options, faults []*fault, out io.Writer) ([]*fault, error) {
	var picked, rest []*fault
	changed, err := changedFiles(o.changed)
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		if o.run != nil && !o.run.MatchString(f.name) {
			continue
		}
		narrowed := o.n > 0 || o.changed != ""
		if o.all || f.touchedBy(changed) || !narrowed && (o.mutants || o.list || o.run != nil) {
			picked = append(picked, f)
		} else {
			rest = append(rest, f)
		}
	}
	if o.n > 0 || o.most > 0 {
		touched := len(picked)
		rnd := rand.New(rand.NewPCG(o.seed, 0))
		shuffle := func(f []*fault) { rnd.Shuffle(len(f), func(i, j int) { f[i], f[j] = f[j], f[i] }) }
		if o.most > 0 && o.most < touched {
			shuffle(picked)
			picked = picked[:o.most]
		}
		fmt.Fprintf(out, "%d of the %d of files that changed, %d at random: -seed %d\n", len(picked), touched, min(o.n, len(rest)), o.seed)
		shuffle(rest)
		picked = append(picked, rest[:min(o.n, len(rest))]...)
	}
	return picked, nil
}

// changedFiles returns the files that differ from the commit.
func changedFiles(commit string) ([]string, error) {
	if commit == "" {
		return nil, nil
	}
	b, err := exec.Command("git", "diff", "--name-only", commit, "--").Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", commit, err)
	}
	return strings.Fields(string(b)), nil
}

// touchedBy reports whether one of the files concerns the fault: its description, the file that it
// breaks, or a test file of a package that must notice it.
func (f *fault) touchedBy(files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool {
		return name == f.source || name == f.file || strings.HasSuffix(name, "_test.go") && slices.ContainsFunc(f.trials, func(t trial) bool {
			return path.Dir(name) == strings.TrimPrefix(t.pkg, "./")
		})
	})
}
