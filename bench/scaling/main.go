package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"
)

var (
	simulates = flag.Bool("simulate", false, "read a calibration and print predictions, both as JSON; needs -tags custody_explore")
	pages     = flag.String("pages", "", "the `directory` of the repository: write pictures of the curves, and the table of docs/scaling.md")
)

func main() {
	flag.Parse()
	if *simulates {
		if err := simulate(os.Stdin, os.Stdout); err != nil {
			fail(err)
		}
		return
	}
	began := time.Now()
	programs, loops := measured(rounds), measuredLoops(loopRounds)
	c := calibrated(programs)
	all, err := predicted(c)
	if err != nil {
		fail(err)
	}
	m := all.Machine
	fmt.Printf("%s %s/%s, %d processors; a transfer takes %.1f ns, in %.1f of which the line is still used, and a change %.1f ns\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, c.Processors, m.Transfer, m.Ask, m.Update)
	print(os.Stdout, &all, programs, loops)
	if *pages != "" {
		if err := draw(filepath.Join(*pages, "docs", "pictures"), &all, programs, loops, c.Processors); err != nil {
			fail(err)
		}
		if err := tabulate(filepath.Join(*pages, "docs", "scaling.md"), &all, programs, loops); err != nil {
			fail(err)
		}
	}
	fmt.Printf("\nmeasured and simulated in %v\n", time.Since(began).Round(time.Second))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "scaling:", err)
	os.Exit(1)
}

// calibrated is the calibration of what was measured.
func calibrated(all map[key]*cell) calibration {
	c := calibration{Processors: runtime.GOMAXPROCS(0), Alone: map[string]float64{}, Nothing: all[key{nothing, 1}].middle(),
		Added: [2]float64{all[key{added, 1}].middle(), all[key{added, 2}].middle()}, Spread: all[key{spread, 2}].middle()}
	for i := range programs {
		if p := &programs[i]; !p.fits() {
			c.Alone[p.name] = all[key{p.name, 1}].middle()
		}
	}
	return c
}

// near is how far off a prediction may be.
const near = 0.3

// print prints what is predicted, beside what was measured as far as there are processors.
func print(out io.Writer, all *predictions, programs, loops map[key]*cell) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tgoroutines\tmeasured ns\tfrom\tto\tpredicted ns\toff\ttransfers\t")
	held, of := 0, 0
	for _, p := range all.Programs {
		fitted := programOf(p.Name).fits() && p.Goroutines <= 2
		off, is := row(w, &p, programs[key{p.Name, p.Goroutines}], 0.5, fitted, "%.1f")
		fmt.Fprintf(w, "%.2f\t\n", p.Transfers)
		if is && !fitted && p.Goroutines > 1 {
			of++
			if math.Abs(off) <= near {
				held++
			}
		}
	}
	w.Flush()
	fmt.Fprintf(out, "\n%d of %d predictions for two and more goroutines are within %.0f %%\n\n", held, of, 100*near)
	fmt.Fprintln(w, "loop\tworkers\tmeasured times as fast\tfrom\tto\tpredicted\toff\t")
	for _, p := range all.Loops {
		row(w, &p, loops[key{p.Name, p.Goroutines}], undisturbed, false, "%.2f")
		fmt.Fprintln(w)
	}
	w.Flush()
}

// row prints a prediction beside the part of the rounds that counts, and returns how far off it is.
func row(w io.Writer, p *prediction, c *cell, part float64, fitted bool, format string) (off float64, is bool) {
	texts := [4]string{}
	if measured := c.part(part); measured > 0 {
		off, is = p.Value/measured-1, true
		for i, of := range []float64{part, 0.1, 0.9} {
			texts[i] = fmt.Sprintf(format, c.part(of))
		}
		if texts[3] = fmt.Sprintf("%+.0f %%", 100*off); fitted {
			texts[3] = "fitted"
		}
	}
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t"+format+"\t%s\t", p.Name, p.Goroutines, texts[0], texts[1], texts[2], p.Value, texts[3])
	return off, is
}
