package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"example.com/custody/examples/codeindex/internal/index"
)

// errHelp says that the user asked for the flags and got them.
var errHelp = errors.New("help")

// options are the flags.
type options struct {
	dir        string
	exts       []string
	workers    int
	batch      int
	repeat     int
	top        int
	sequential bool
	verify     bool
	progress   bool
	grep       *string        // nil when nothing is searched for
	pattern    *regexp.Regexp // what grep is
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("codeindex", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var exts string
	fs.StringVar(&o.dir, "dir", "", "the `directory` to take; without it the Go source tree, or a small embedded one")
	fs.StringVar(&exts, "ext", "", "take only files with these `extensions`, separated by commas, as in: go,s,h")
	fs.IntVar(&o.workers, "workers", 2*runtime.GOMAXPROCS(0), "how many workers read files; more than processors, because reading blocks")
	fs.IntVar(&o.batch, "batch", 0, "how many files a cell has, the unit that workers take; 0 is automatic")
	fs.IntVar(&o.repeat, "repeat", 3, "how often each loop runs, in turns; times are medians")
	fs.IntVar(&o.top, "top", 20, "how many extensions and unreadable files are listed; 0 lists all")
	fs.BoolVar(&o.sequential, "sequential", false, "run the sequential loop only")
	fs.BoolVar(&o.verify, "verify", false, "prove that both loops count the same, and fail otherwise")
	fs.BoolVar(&o.progress, "progress", true, "show a progress bar when standard error is a terminal")
	fs.Func("grep", "do not count, but print the lines that match a `pattern`, a Go regular expression", func(s string) error {
		o.grep = &s
		return nil
	})
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, errHelp
		}
		return o, err
	}
	if exts != "" {
		o.exts = strings.Split(exts, ",")
	}
	if err := o.check(fs.Args()); err != nil || o.grep == nil {
		return o, err
	}
	return o, o.search(fs)
}

// countingFlags mean nothing in a search.
var countingFlags = []string{"repeat", "top", "verify", "progress"}

// search compiles the pattern, and refuses flags that are not for searching.
func (o *options) search(fs *flag.FlagSet) (err error) {
	fs.Visit(func(f *flag.Flag) {
		if slices.Contains(countingFlags, f.Name) {
			err = fmt.Errorf("-%s is for counting, and -grep does not count", f.Name)
		}
	})
	if err != nil {
		return err
	}
	if o.pattern, err = regexp.Compile(*o.grep); err != nil {
		return fmt.Errorf("-grep %q: %w", *o.grep, err)
	}
	return nil
}

// check refuses what makes no sense.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q; a directory is given by -dir", rest[0])
	case o.workers < 1:
		return fmt.Errorf("-workers %d: at least 1 is needed", o.workers)
	case o.batch < 0:
		return fmt.Errorf("-batch %d: it is at least 1, or 0 for automatic", o.batch)
	case o.repeat < 1:
		return fmt.Errorf("-repeat %d: at least 1 is needed", o.repeat)
	case o.top < 0:
		return fmt.Errorf("-top %d: it is at least 0", o.top)
	case o.sequential && o.verify:
		return errors.New("-verify compares two loops, and -sequential runs only one")
	}
	return nil
}

// plan is what the options ask to be measured.
func (o options) plan() index.Plan {
	return index.Plan{Workers: o.workers, Batch: o.batch, Repeat: o.repeat, SequentialOnly: o.sequential}
}

// passes is how often the files are read.
func (o options) passes() int {
	if o.sequential {
		return o.repeat
	}
	return 2 * o.repeat
}
