// Command racy runs one loop, which has a race or has none, for the test that builds it with -race.
package main

import (
	"os"
	"strconv"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

func main() {
	workers, _ := strconv.Atoi(os.Args[2])
	programs[os.Args[1]](parallelfor.Workers(workers))
}

var programs = map[string]func(o parallelfor.Option){
	// Every cell writes an element of a captured slice.
	"captured": func(o parallelfor.Option) {
		shared := make([]int, 1)
		parallelfor.For(2, none{}, func(_ *none, i int) { shared[0] = i }, o)
	},
	// Every cell of a long loop adds to a captured variable.
	"sum": func(o parallelfor.Option) {
		sum := 0
		parallelfor.For(1000, none{}, func(_ *none, i int) { sum += i }, o)
		println(sum)
	},
	// A window is used in the cell after its own.
	"window": func(o parallelfor.Option) {
		a := array.New[int](2)
		var kept []int
		parallelfor.ForBatch(2, a.Writer(), func(w *array.Writer[int], begin, _ int) {
			if begin == 0 {
				kept = w.Slice()
				return
			}
			if kept != nil {
				kept[0] = 1
			}
		}, o, parallelfor.Batch(1))
	},
	// A captured slice is written beside the array that adopted it.
	"adopted": func(o parallelfor.Option) {
		data := make([]int, 4)
		a := array.Of(data)
		parallelfor.ForBatch(4, a.Writer(), func(w *array.Writer[int], begin, _ int) {
			if begin == 0 {
				data[3] = 1
			}
		}, o, parallelfor.Batch(1))
	},
	// Jobs of two schedules that are not ordered write what was captured, though not in the same instant,
	// which the detector may miss.
	"jobs": func(o parallelfor.Option) {
		x := 0
		h := parallelfor.Schedule(1, body{func(int) { x = 1 }}, o)
		await(h)
		g := parallelfor.Schedule(1, body{func(int) { x = 2 }}, o)
		h.Complete()
		g.Complete()
		println(x)
	},
	// The owner writes what a job reads, before it completed the job.
	"owner": func(o parallelfor.Option) {
		x := 0
		y := 0
		h := parallelfor.Schedule(1, body{func(int) { y = x }}, o)
		await(h)
		x = 1
		h.Complete()
		println(y)
	},
	// Nothing is wrong.
	"right": func(o parallelfor.Option) {
		in, out := array.New[int](500), array.New[int](500)
		plain := make([]int, 500)
		for round := range 3 {
			parallelfor.For(500, views{in.Reader(), out.Writer()}, func(v *views, i int) {
				v.Out.Set(i, v.In.At(i)+v.In.At(499-i))
				plain[i] = i
				own := array.New[int](4)
				parallelfor.For(4, own.Writer(), func(w *array.Writer[int], k int) { w.Set(k, k) }, o)
				v.Out.Set(i, v.Out.At(i)+own.At(3))
			}, o, parallelfor.Batch(25))
			for i := range plain {
				in.Set(i, out.At(i)+plain[i]+round)
			}
			for range 20 { // an edge that is missing does not show each time
				a := parallelfor.Schedule(1, body{func(int) { plain[0]++ }}, o)
				b := parallelfor.Schedule(1, body{func(int) { plain[0]++ }}, o, parallelfor.After(a))
				parallelfor.Combine(b).Complete()
				plain[0]++
			}
		}
	},
}

// await waits until the job has run. It sleeps: the detector remembers the last calls only, and with half a million
// of them forgets who was where.
func await(h parallelfor.Handle) {
	for !h.Finished() {
		time.Sleep(time.Millisecond)
	}
}

type none struct{}

type views struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

type body struct {
	f func(i int) `custody:"unguarded"`
}

func (b *body) Execute(i int) { b.f(i) }
