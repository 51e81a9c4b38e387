package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"example.com/custody/parallelfor"
)

// Exit statuses. Those of a search are grep's.
const failed, noMatch, badUsage, trouble, interrupted = 1, 1, 2, 2, 130

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are the flags.
type options struct {
	dir, timeline               string
	only                        []string
	workers, batch, repeat, top int
	stats, words                bool
	verify, progress            bool
	pattern                     *regexp.Regexp // of -grep
	query                       query          // of -query
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("codeindex", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.dir, "dir", "", "the `directory` to look at; by default the Go source tree, or a small embedded one")
	fs.Func("ext", "look only at files with these `extensions`, as in: go,s,h", func(s string) error {
		for ext := range strings.SplitSeq(strings.ToLower(s), ",") {
			o.only = append(o.only, "."+strings.TrimPrefix(ext, "."))
		}
		return nil
	})
	fs.IntVar(&o.workers, "workers", 2*runtime.GOMAXPROCS(0), "how many workers read files; reading blocks, so more than processors")
	fs.IntVar(&o.batch, "batch", 0, "how many files a worker takes at a time; 0 is automatic")
	fs.IntVar(&o.repeat, "repeat", 3, "how often both loops count or index, in turns; times are medians")
	fs.IntVar(&o.top, "top", 20, "how many extensions, identifiers or files are listed; 0 lists all")
	fs.BoolVar(&o.verify, "verify", false, "prove that the plain loop leaves the same, and fail otherwise")
	fs.BoolVar(&o.progress, "progress", true, "show on a terminal how far the loops are")
	fs.StringVar(&o.timeline, "timeline", "", "write which worker ran what when into a `file`: .svg, .json (Perfetto) or .dot")
	fs.BoolVar(&o.stats, "stats", false, "print what is in the tree: sizes, largest files, frequent identifiers")
	fs.BoolVar(&o.words, "words", false, "index the identifiers and list those in most lines")
	fs.Func("grep", "print the lines that match a `pattern`, a Go regular expression", func(s string) (err error) {
		o.pattern, err = regexp.Compile(s)
		return err
	})
	fs.Func("query", "print the lines that have all of these `identifiers`; name* is any that begins so", func(s string) (err error) {
		o.query, err = parseQuery(s)
		return err
	})
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	modes := map[bool]int{}
	for _, chosen := range []bool{o.stats, o.words, o.pattern != nil, o.query != nil} {
		modes[chosen]++
	}
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q; -dir names a directory", fs.Arg(0))
	case modes[true] > 1:
		return o, errors.New("-stats, -words, -grep and -query exclude each other")
	case o.workers < 1 || o.batch < 0 || o.repeat < 1 || o.top < 0:
		return o, errors.New("-workers and -repeat are at least 1, -batch and -top at least 0")
	case o.timeline != "" && drawings[filepath.Ext(o.timeline)] == nil:
		return o, fmt.Errorf("-timeline %s: the name ends in .svg, .json or .dot", o.timeline)
	}
	return o, nil
}

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "codeindex:", err)
		return badUsage
	}
	var recorded *parallelfor.Graph
	if o.timeline != "" {
		recorded = parallelfor.Record()
	}
	code, err := o.perform(ctx, stdout, stderr)
	if recorded != nil {
		recorded.Stop()
		err = errors.Join(err, draw(o.timeline, recorded.Jobs()))
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "codeindex: interrupted")
		return interrupted
	case err == nil:
		return code
	}
	fmt.Fprintln(stderr, "codeindex:", err)
	if o.pattern != nil || o.query != nil {
		return trouble
	}
	return failed
}
