package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
)

var (
	simulates = flag.Bool("simulate", false, "print predictions as JSON; needs -tags custody_explore")
	transfer  = flag.Float64("transfer", 0, "nanoseconds of a transfer of a cache line; 0: as measured")
	update    = flag.Float64("update", 0, "nanoseconds of an atomic addition; 0: as measured")
	alone     = flag.String("alone", "", "nanoseconds of each program's operation by one goroutine, with commas between")
)

func main() {
	flag.Parse()
	if *simulates {
		if err := json.NewEncoder(os.Stdout).Encode(predict(machine())); err != nil {
			fail(err)
		}
		return
	}
	if *transfer == 0 {
		*transfer = math.Inf(1)
		for range 10 { // the least: other programs only make it longer
			*transfer = min(*transfer, measure.PingPong()/2)
		}
	}
	var times []string
	for _, p := range programs {
		ns := perOp(p.fresh(1), 1)
		times = append(times, number(ns))
		if *update == 0 {
			*update = ns // of the first one
		}
	}
	*alone = strings.Join(times, ",")
	fmt.Printf("%s %s/%s, %d processors; a transfer takes %.0f ns, an atomic addition %.1f ns\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), *transfer, *update)
	all, err := predicted()
	if err != nil {
		fail(err)
	}
	table(all)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// machine is the usual one, with the times of this one.
func machine() explore.Machine {
	m := explore.Usual
	m.Far *= *transfer / m.Transfer
	m.Miss *= *transfer / m.Transfer
	m.Transfer = *transfer
	m.Step, m.Hit = 0.1, 0.1 // what is computed is that of the operation
	m.Update = *update - m.Step
	return m
}

// prediction is what a program does with a number of goroutines on the simulated machine.
type prediction struct {
	Program    string
	Goroutines int
	NS         float64 // of an operation, of all goroutines together
	Transfers  float64 // an operation
}

// operations of each goroutine, in the simulation.
const operations = 300

// predict runs the programs on the simulated machine.
func predict(m explore.Machine) (all []prediction) {
	if !atom.Explored {
		fail(fmt.Errorf("machines are simulated in builds with -tags custody_explore"))
	}
	times := strings.Split(*alone, ",")
	for i, p := range programs {
		ns, err := strconv.ParseFloat(times[i], 64)
		if err != nil {
			fail(err)
		}
		computes := max(ns-simulate(m, p, 1, 0).NS, 0) // what it does besides atomic operations
		for n := 1; n <= 64; n *= 2 {
			all = append(all, simulate(m, p, n, computes))
		}
	}
	return all
}

// simulate runs a program with n goroutines, whose operations compute for so many nanoseconds.
func simulate(m explore.Machine, p program, n int, computes float64) prediction {
	took, err := explore.Time(m, 1, false, explore.Load{Goroutines: n, Warm: operations, Timed: operations, Fresh: func() func(g, i int) {
		do := p.fresh(n)
		return func(g, i int) {
			atom.Delay(int(float64(i+1)*computes) - int(float64(i)*computes))
			do(g, i)
		}
	}})
	if err != nil {
		fail(fmt.Errorf("%s: %w", p.name, err))
	}
	ops := float64(n * operations)
	return prediction{p.name, n, float64(took.Time) / ops, float64(took.Transfers) / ops}
}

// predicted has this program, built so that it simulates, predict.
func predicted() (all []prediction, err error) {
	cmd := exec.Command("go", "run", "-tags", "custody_explore", "example.com/custody/bench/scaling", "-simulate", "-transfer", number(*transfer), "-update", number(*update), "-alone", *alone)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(max(runtime.GOMAXPROCS(0), 64)))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(text, &all)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// table prints what is predicted, beside what it measures as far as there are processors.
func table(all []prediction) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tgoroutines\tmeasured ns\tpredicted ns\toff\ttransfers\t")
	for _, p := range all {
		i := slices.IndexFunc(programs, func(q program) bool { return q.name == p.Program })
		measured, off := "", ""
		if p.Goroutines <= runtime.GOMAXPROCS(0) {
			ns := perOp(programs[i].fresh(p.Goroutines), p.Goroutines)
			measured, off = fmt.Sprintf("%.1f", ns), fmt.Sprintf("%+.0f %%", 100*(p.NS/ns-1))
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%.1f\t%s\t%.2f\t\n", p.Program, p.Goroutines, measured, p.NS, off, p.Transfers)
	}
	w.Flush()
}

// A measurement takes about sampleTime, and is the median of samples.
const (
	samples    = 15
	sampleTime = 10 * time.Millisecond
)

// perOp measures the time of an operation that n goroutines do, of all together.
func perOp(do func(g, i int), n int) float64 {
	often := 1000
	for took := time.Duration(0); took < sampleTime/2; often *= 2 {
		took = run(do, n, often)
	}
	all := make([]float64, samples)
	for i := range all {
		all[i] = float64(run(do, n, often)) / float64(n*often)
	}
	return measure.Middle(all)
}

// run has n goroutines do an operation often, and returns the time until all have ended.
func run(do func(g, i int), n, often int) time.Duration {
	var ready atomic.Int64
	var begin atomic.Bool
	var done sync.WaitGroup
	for g := range n {
		done.Go(func() {
			for ready.Add(1); !begin.Load(); {
			}
			for i := range often {
				do(g, i)
			}
		})
	}
	for ready.Load() < int64(n) {
		runtime.Gosched()
	}
	from := time.Now()
	begin.Store(true)
	done.Wait()
	return time.Since(from)
}
