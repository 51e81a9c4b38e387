// Command racy runs one program, which has a race or has none, again and again, for the test that
// builds it with -race:
//
//	racy PROGRAM RUNS WORKERS...
//
// It prints for each number of workers in how many of the runs the detector has reported a race, if
// GORACE says that it is to report the same one more than once: suppress_equal_stacks=0. Without
// arguments it lists the programs, and what each is: "race", "right", or "often" for a race that
// the detector forgets now and then.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// program is a program that is given the option that says how many workers there are.
type program func(o parallelfor.Option)

// racy are the programs that have a race, by what they share.
var racy = []map[string]program{captured, views, readers, unordered, between, halves}

// long are loops of more batches than the detector knows goroutines.
var long = map[string]program{
	"first and last of 1000 batches": pair(1000, 0, 999),
	"Reader, by the last of 1000 batches": func(o parallelfor.Option) {
		parallelfor.For(1000, array.New[int](2).Reader(), func(r *array.Reader[int], i int) {
			if i == 999 {
				r.Slice()[0] = 1
			}
		}, o, each)
	},
}

func main() {
	if len(os.Args) < 4 {
		for _, list := range racy {
			for name := range list {
				fmt.Println("race", name)
			}
		}
		for name := range long {
			fmt.Println("often", name)
		}
		for _, list := range []map[string]program{right, rightHalves} {
			for name := range list {
				fmt.Println("right", name)
			}
		}
		return
	}
	run := right[os.Args[1]]
	for _, list := range append(racy, long, rightHalves) {
		if list[os.Args[1]] != nil {
			run = list[os.Args[1]]
		}
	}
	runs, _ := strconv.Atoi(os.Args[2])
	for _, arg := range os.Args[3:] {
		workers, _ := strconv.Atoi(arg)
		seen := 0
		for range runs {
			before := reports()
			run(parallelfor.Workers(workers))
			if reports() > before {
				seen++
			}
		}
		fmt.Println(seen)
	}
}

// each makes every index a batch.
var each = parallelfor.Batch(1)

// sink keeps what was read from being optimised away.
var sink int

// hint is how one goroutine of a program waits for another without being ordered with it, as far as
// the detector sees: so that the first is there before the second on every run, and what the
// detector reports is not the waiting.
//
// It sleeps, and so does await: the detector remembers the last calls of a goroutine only, and with
// half a million of them forgets who was where.
type hint[T any] struct {
	given bool
	value T
}

//go:norace
func (h *hint[T]) give(v T) { h.value, h.given = v, true }

//go:norace
func (h *hint[T]) wait() T {
	for !h.given {
		nap()
	}
	return h.value
}

// await waits until the job has run.
func await(h parallelfor.Handle) {
	for !h.Finished() {
		nap()
	}
}

func nap() { time.Sleep(200 * time.Microsecond) }

// none is what a loop carries that carries nothing.
type none struct{}

// body is a job that has no containers.
type body struct {
	f func(i int) `custody:"unguarded"`
}

// Execute is the body.
func (b *body) Execute(i int) { b.f(i) }

// work schedules f as a job.
func work(f func(), opts ...parallelfor.Option) parallelfor.Handle {
	return parallelfor.Schedule(1, body{func(int) { f() }}, (*body).Execute, opts...)
}
