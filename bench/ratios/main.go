// Command ratios compares the library with the fastest programs in plain Go and with other libraries, and
// prints for each comparison a ratio measured in this run and the bar that it should not exceed.
//
//	go -C bench run ./ratios [-only GROUP] [-peers] [-json] [-quick] [-reps N] [-fail]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"example.com/custody/bench/internal/groups"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/safety"
)

func main() {
	only := flag.String("only", "", "run only this `group`")
	peers := flag.Bool("peers", false, "give a row to each peer, not only to the fastest of a comparison")
	asJSON := flag.Bool("json", false, "print one line of JSON for each row instead of a table")
	quick := flag.Bool("quick", false, "take few and short samples: for a first look")
	reps := flag.Int("reps", 0, "repetitions of each comparison; 0 is 21, or 7 with -quick")
	fail := flag.Bool("fail", false, "exit with 1 when a row misses its bar")
	serve := flag.String("serve", "", "do this `work` for another process; used by the program itself")
	flag.Parse()
	if *serve != "" {
		exitOn(groups.Serve(*serve, os.Stdin, os.Stdout))
		return
	}

	config := measure.Config{Reps: 21, Sample: 30 * time.Millisecond}
	if *quick {
		config = measure.Config{Reps: 7, Sample: 5 * time.Millisecond}
	}
	if *reps != 0 {
		config.Reps = *reps
	}
	if config.Reps < measure.LeastReps {
		exitOn(fmt.Errorf("-reps %d: a median has an interval from %d repetitions on", config.Reps, measure.LeastReps))
	}
	chosen := slices.DeleteFunc(slices.Clone(groups.All), func(g groups.Group) bool { return *only != "" && g.Name != *only })
	if len(chosen) == 0 {
		exitOn(fmt.Errorf("-only %s: there is no such group", *only))
	}

	// With -json standard output has the rows and nothing else.
	var notes io.Writer = os.Stdout
	if *asJSON {
		notes = os.Stderr
	}
	note := func(text string) { fmt.Fprintln(notes, text) }
	note(machine())
	if !safety.Enabled || safety.Strict {
		note("This is not the default build: the bars are for that one.")
	}
	missed := 0
	for _, g := range chosen {
		rows := g.Start(config, *peers, note)
		if *asJSON {
			exitOn(report.JSON(os.Stdout, rows))
		} else {
			exitOn(report.Table(os.Stdout, rows))
		}
		for i := range rows {
			if !rows[i].OK() {
				missed++
			}
		}
		note(lineRoundTrip())
	}
	note(fmt.Sprintf("%d rows miss their bars.", missed))
	if *fail && missed > 0 {
		os.Exit(1)
	}
}

// machine says what the figures were measured on.
func machine() string {
	return fmt.Sprintf("%s %s/%s, %d cores, GOMAXPROCS %d\n%s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0), lineRoundTrip())
}

func lineRoundTrip() string {
	ns := measure.PingPong()
	if ns == 0 {
		return "a cache line's round trip between two cores: there are not two"
	}
	return fmt.Sprintf("a cache line's round trip between two cores: %.0f ns", ns)
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(2)
	}
}
