package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"example.com/custody/bench/internal/plots"
)

// draw writes the pictures of containers and of loops into a directory.
func draw(dir string, all *predictions, programs, loops map[key]*cell, processors int) error {
	measured := fmt.Sprintf("measured, %d processors", processors)
	write := func(name, title, axis string, curves []plots.Curve) error {
		return plots.Write(filepath.Join(dir, name), plots.Processors(title, axis, measured, curves))
	}
	if err := write("scaling-containers.svg", "Containers: operations a second, one goroutine's are 1", "goroutines", containers(all, programs)); err != nil {
		return err
	}
	return write("scaling-loops.svg", "Loops by workers: times as fast as the plain loop", "workers", loopCurves(all, loops))
}

// containers are the curves of containers: operations in a time, as a multiple of those of one
// goroutine.
func containers(all *predictions, measured map[key]*cell) (curves []plots.Curve) {
	for i := range programs {
		p := &programs[i]
		if p.kind != container {
			continue
		}
		c, one := plots.Curve{Name: p.name}, 0.0
		for _, q := range all.Programs {
			if q.Name != p.name {
				continue
			}
			if q.Goroutines == 1 {
				one = q.Value
			}
			c.Simulated = append(c.Simulated, plots.Point{Processors: float64(q.Goroutines), Fast: one / q.Value})
			if m, first := measured[key{p.name, q.Goroutines}].middle(), measured[key{p.name, 1}].middle(); m > 0 && first > 0 {
				c.Measured = append(c.Measured, plots.Point{Processors: float64(q.Goroutines), Fast: first / m})
			}
		}
		curves = append(curves, c)
	}
	return curves
}

func loopCurves(all *predictions, measured map[key]*cell) (curves []plots.Curve) {
	for _, work := range durations {
		c := plots.Curve{Name: text(work)}
		for _, q := range all.Loops {
			if q.Name != work.String() {
				continue
			}
			c.Simulated = append(c.Simulated, plots.Point{Processors: float64(q.Goroutines), Fast: q.Value})
			if m := measured[key{q.Name, q.Goroutines}].part(undisturbed); m > 0 {
				c.Measured = append(c.Measured, plots.Point{Processors: float64(q.Goroutines), Fast: m})
			}
		}
		curves = append(curves, c)
	}
	return curves
}

// text returns the work of a loop, with its unit apart.
func text(work time.Duration) string {
	if work < time.Millisecond {
		return fmt.Sprint(work.Microseconds(), " µs of work")
	}
	return fmt.Sprint(float64(work)/float64(time.Millisecond), " ms of work")
}

// The table of a page stands between these lines.
const (
	tableBegins = "<!-- measured: two goroutines -->\n```\n"
	tableEnds   = "```\n<!-- end -->"
)

// tabulate writes the table of a page: what two goroutines measured, and what was predicted.
func tabulate(page string, all *predictions, programs, loops map[key]*cell) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(tableBegins))
	_, after, ends := bytes.Cut(rest, []byte(tableEnds))
	if !ok || !ends {
		return fmt.Errorf("%s has no table of measurements", page)
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name string, measured, predicted float64) {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%+.0f%%\n", name, measured, predicted, 100*(predicted/measured-1))
	}
	fmt.Fprint(w, "operation\tmeasured\tpredicted\toff\n")
	for _, p := range all.Programs {
		if c := programs[key{p.Name, 2}]; p.Goroutines == 2 && !programOf(p.Name).fits() && c.middle() > 0 {
			line(p.Name, c.middle(), p.Value)
		}
	}
	for _, p := range all.Loops {
		if c := loops[key{p.Name, 2}]; p.Goroutines == 2 && p.Value < 1.95 && c.part(undisturbed) > 0 {
			line("loop of "+p.Name+", speed-up", c.part(undisturbed), p.Value)
		}
	}
	w.Flush()
	return os.WriteFile(page, bytes.Join([][]byte{before, []byte(tableBegins), b.Bytes(), []byte(tableEnds), after}, nil), 0o644)
}
