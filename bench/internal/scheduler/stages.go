package scheduler

import (
	"fmt"
	"math"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// A frame is three loops, each of which needs what the one before left.

// gather takes, for each index, the entry of a table that the index's own entry points to.
type gather struct {
	Table array.Reader[int32]
	Out   array.Writer[float64]
}

func (j *gather) ExecuteBatch(begin, end int) { gatherInto(j.Out.Slice(), j.Table.Slice(), begin) }

// arc turns numbers into lengths of arcs, angle times radius: the stage that computes.
type arc struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *arc) ExecuteBatch(begin, end int) { arcInto(j.Out.Slice(), j.In.Slice()[begin:end]) }

// write turns lengths into what a frame shows.
type write struct {
	In  array.Reader[float64]
	Out array.Writer[float32]
}

func (j *write) ExecuteBatch(begin, end int) { writeInto(j.Out.Slice(), j.In.Slice()[begin:end]) }

//go:noinline
func gatherInto(out []float64, table []int32, begin int) {
	own := table[begin:][:len(out)]
	for i := range out {
		out[i] = float64(table[own[i]])
	}
}

//go:noinline
func arcInto(out, in []float64) {
	in = in[:len(out)]
	for i := range out {
		out[i] = math.Atan2(in[i], 500) * math.Hypot(in[i], 500)
	}
}

//go:noinline
func writeInto(out []float32, in []float64) {
	in = in[:len(out)]
	for i := range out {
		out[i] = float32(in[i] + 0.5)
	}
}

// stages is a chain of three jobs on so many elements, frame after frame: scheduled together, and
// the last completed.
func stages(r *run) {
	for _, k := range []struct {
		n    int
		name string
		bar  float64
	}{{1000, "1k", 0.62}, {10_000, "10k", 0.54}} {
		n := k.n
		table, gathered := array.New[int32](n), array.New[float64](n)
		arcs, shown := array.New[float64](n), array.New[float32](n)
		t, g, a, s := table.Slice(), gathered.Slice(), arcs.Slice(), shown.Slice()
		for i := range t {
			t[i] = int32(i * 7919 % n) // a permutation: 7919 is a prime and does not divide n
		}
		gatherPart := func(begin, end int) { gatherInto(g[begin:end], t, begin) }
		arcPart := func(begin, end int) { arcInto(a[begin:end], g[begin:end]) }
		writePart := func(begin, end int) { writeInto(s[begin:end], a[begin:end]) }
		loop := func() {
			gatherPart(0, n)
			arcPart(0, n)
			writePart(0, n)
		}
		c := r.contest(contest{
			work: fmt.Sprintf("3 jobs in a chain, %s elements", k.name),
			loop: loop,
			ours: func() {
				first := parallelfor.ScheduleBatch(n, gather{table.Reader(), gathered.Writer()}, (*gather).ExecuteBatch)
				second := parallelfor.ScheduleBatch(n, arc{gathered.Reader(), arcs.Writer()}, (*arc).ExecuteBatch, parallelfor.After(first))
				parallelfor.ScheduleBatch(n, write{arcs.Reader(), shown.Writer()}, (*write).ExecuteBatch, parallelfor.After(second)).Complete()
			},
			by:      loops(n, 0, gatherPart, arcPart, writePart),
			results: all{newCells(g, loop), newCells(a, loop), newCells(s, loop)},
		})
		c.AtMost(k.bar)
		c.Beside()
	}
}

// all are the results of several slices.
type all []results

func (a all) reset() {
	for _, r := range a {
		r.reset()
	}
}

func (a all) wrong() string {
	for _, r := range a {
		if text := r.wrong(); text != "" {
			return text
		}
	}
	return ""
}
