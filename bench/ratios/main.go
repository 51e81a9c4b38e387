package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"example.com/custody/bench/internal/groups"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/safety"
)

func main() {
	only := flag.String("only", "", "run only this `group`")
	peers := flag.Bool("peers", false, "give a row to each peer, not only to the fastest of a comparison")
	full := flag.Bool("full", false, "take more and longer samples, as figures to rely on need them: half an hour or more")
	reps := flag.Int("reps", 0, "repetitions of each comparison; 0 is 6, or 21 with -full")
	sample := flag.Duration("sample", 0, "how long one sample takes, about; 0 is 3ms, or 30ms with -full")
	fail := flag.Bool("fail", false, "exit with 1 when a row misses its bar")
	var out outputs
	flag.StringVar(&out.json, "json", "", "write a line of JSON for the run and one for each row to this `file`; - is standard output, for which there is no table then")
	flag.StringVar(&out.pages, "pages", "", "make BENCHMARKS.md, bench/results.tsv with all rows, and the charts, in this `directory`, for which .. is the repository")
	about := flag.String("note", "", "a `text` for the page, on what a reader should know of the machine while this ran")
	from := flag.String("from", "", "measure nothing: take the rows from this `file`, which -json wrote")
	flag.Parse()
	if flag.NArg() > 0 {
		exitOn(fmt.Errorf("%q: there are only flags", flag.Arg(0)))
	}
	if *from != "" {
		file, err := os.Open(*from)
		exitOn(err)
		run, rows, err := report.Read(file)
		exitOn(err)
		exitOn(out.write(run, rows))
		return
	}

	config := measure.Config{Reps: measure.LeastReps, Sample: 3 * time.Millisecond, Brief: true}
	if *full {
		config = measure.Config{Reps: 21, Sample: 30 * time.Millisecond}
	}
	if *reps != 0 {
		config.Reps = *reps
	}
	if *sample != 0 {
		config.Sample = *sample
	}
	if config.Reps < measure.LeastReps {
		exitOn(fmt.Errorf("-reps %d: a median has an interval from %d repetitions on", config.Reps, measure.LeastReps))
	}
	chosen := slices.DeleteFunc(slices.Clone(groups.All), func(g rows.Group) bool { return *only != "" && g.Name != *only })
	if len(chosen) == 0 {
		exitOn(fmt.Errorf("-only %s: there is no such group", *only))
	}

	// With -json - standard output has the rows and nothing else.
	var notes io.Writer = os.Stdout
	if out.json == "-" {
		notes = os.Stderr
	}
	note := func(text string) { fmt.Fprintln(notes, text) }
	run := describe(config)
	run.Note = *about
	exitOn(out.begin(run))
	note(machine(run))
	if !safety.Enabled || safety.Strict {
		note("This is not the default build: the bars are for that one.")
	}
	missed, perhaps, started := 0, 0, time.Now()
	var all []report.Row
	for _, g := range chosen {
		began := time.Now()
		rows := g.Start(config, *peers, note)
		exitOn(out.group(rows))
		for i := range rows {
			if !rows[i].OK() {
				missed++
			}
			if rows[i].Perhaps() {
				perhaps++
			}
		}
		all = append(all, rows...)
		note(fmt.Sprintf("group %s took %.0f s", g.Name, time.Since(began).Seconds()))
		note(lineRoundTrip(measure.PingPong()))
	}
	exitOn(out.end())
	exitOn(out.write(run, all))
	note(fmt.Sprintf("%d of %d rows miss their bars, %d of these within their intervals; measured in %.0f s.", missed, len(all), perhaps, time.Since(started).Seconds()))
	if *fail && missed > 0 {
		os.Exit(1)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(2)
	}
}
