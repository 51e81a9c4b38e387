package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/examples/codeindex/internal/words"
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
	timeline   string         // the file for the picture of the run, or ""
	mode       string         // the flag that says what to do instead of counting, or ""
	pattern    *regexp.Regexp // of -grep
	query      words.Query    // of -query
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("codeindex", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var exts string
	fs.StringVar(&o.dir, "dir", "", "the `directory` to take; without it the Go source tree, or a small embedded one")
	fs.StringVar(&exts, "ext", "", "take only files with these `extensions`, separated by commas, as in: go,s,h")
	fs.IntVar(&o.workers, "workers", 2*runtime.GOMAXPROCS(0), "how many workers read files; more than processors, because reading blocks")
	fs.IntVar(&o.batch, "batch", 0, "how many files a batch has, the unit that workers take; 0 is automatic")
	fs.IntVar(&o.repeat, "repeat", 3, "how often each loop runs, in turns; times are medians")
	fs.IntVar(&o.top, "top", 20, "how many extensions, unreadable files or identifiers of -words are listed; 0 lists all")
	fs.BoolVar(&o.sequential, "sequential", false, "run the sequential loop only")
	fs.BoolVar(&o.verify, "verify", false, "run the sequential loop, too, prove that both count, find, index or say the same, and fail otherwise")
	fs.BoolVar(&o.progress, "progress", true, "show a progress bar when standard error is a terminal")
	fs.StringVar(&o.timeline, "timeline", "", "write into that `file` which worker ran what when: a picture .svg, a trace .json, or the graph of the jobs .dot")
	var grep string
	var query []string
	fs.StringVar(&grep, "grep", "", "do not count, but print the lines that match a `pattern`, a Go regular expression")
	fs.Func("query", "do not count, but print the lines that have all of some `identifiers`, separated by blanks; name* is any that begins so", func(s string) error {
		query = append(query, s)
		return nil
	})
	fs.Bool("stats", false, "do not count by extension, but say what is in the tree: sizes, the largest files, the most frequent identifiers")
	fs.Bool("words", false, "do not count, but index the identifiers and list those that stand in most lines")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, errHelp
		}
		return o, err
	}
	if exts != "" {
		o.exts = strings.Split(exts, ",")
	}
	if err := o.check(fs.Args()); err != nil {
		return o, err
	}
	if o.mode, err = modeOf(fs); err != nil {
		return o, err
	}
	switch o.mode {
	case "grep":
		if o.pattern, err = regexp.Compile(grep); err != nil {
			return o, fmt.Errorf("-grep %q: %w", grep, err)
		}
	case "query":
		if o.query, err = words.ParseQuery(strings.Join(query, " ")); err != nil {
			return o, fmt.Errorf("-query: %w", err)
		}
	}
	return o, nil
}

// modes are what the program does instead of counting, each with those of the countingFlags that mean something then.
var modes = map[string][]string{
	"grep":  {"verify"},
	"query": {"verify"},
	"stats": {"top", "verify", "progress"},
	"words": countingFlags,
}

// countingFlags do not mean something in all modes.
var countingFlags = []string{"repeat", "top", "verify", "progress"}

// modeOf returns which of the modes was asked for, if any, and refuses a second one, and flags that are not for it.
func modeOf(fs *flag.FlagSet) (mode string, err error) {
	fs.Visit(func(f *flag.Flag) {
		if _, is := modes[f.Name]; !is || f.DefValue == "false" && f.Value.String() == "false" {
			return
		}
		if mode != "" {
			err = fmt.Errorf("-%s and -%s are different things to do", mode, f.Name)
		}
		mode = f.Name
	})
	if mode == "" || err != nil {
		return "", err
	}
	fs.Visit(func(f *flag.Flag) {
		switch {
		case !slices.Contains(countingFlags, f.Name) || slices.Contains(modes[mode], f.Name):
		default:
			err = fmt.Errorf("-%s is for counting, and -%s does not count", f.Name, mode)
		}
	})
	return mode, err
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
	case o.sequential && o.timeline != "":
		return errors.New("-timeline draws jobs, and -sequential runs none")
	case o.timeline != "" && pictures[filepath.Ext(o.timeline)] == nil:
		return fmt.Errorf("-timeline %s: the name ends in .svg, .json or .dot", o.timeline)
	}
	return nil
}

// plan is what the options ask to be measured.
func (o options) plan() index.Plan {
	return index.Plan{Workers: o.workers, Batch: o.batch, Repeat: o.repeat, SequentialOnly: o.sequential}
}

// passes is how often the files are read.
func (o options) passes() int {
	repeat := o.repeat
	if o.mode == "stats" {
		repeat = 1
	}
	if o.sequential || o.mode == "stats" && !o.verify {
		return repeat
	}
	return 2 * repeat
}
