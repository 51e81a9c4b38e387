package groups

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

func counterRows(r *rows.Run) {
	countZeros(r, "alternating", func(i int) int32 { return int32(i & 1) })
	random := rand.New(rand.NewPCG(1, 2))
	countZeros(r, "random", func(int) int32 { return int32(random.IntN(2)) })
	for g := 1; g <= 64; g *= 2 {
		adds(r, g)
	}
	values(r)
	histograms(r)
}

// countZeros compares the ways to count the zeros of 10M numbers, half of which are 0.
func countZeros(r *rows.Run, how string, value func(i int) int32) {
	const n = 10_000_000
	in := array.New[int32](n)
	data := in.Slice()
	for i := range data {
		data[i] = value(i)
	}
	want := int64(zerosIn(data))
	procs := runtime.GOMAXPROCS(0)

	// by is a side that counts with a loop for each part and a place for each part's count.
	by := func(name string, parts func(int, func(p, begin, end int)), loop func([]int32) int) measure.Side {
		return measure.Do(name, func() {
			counts := make([]rows.Slot, procs)
			parts(n, func(p, begin, end int) { counts[p].Store(int64(loop(data[begin:end]))) })
			rows.MustBe(name, sumOf(counts), want)
		})
	}
	total := counter.New()
	with := func(run func(counter.ParallelWriter)) measure.Side {
		return measure.Do(ours, func() {
			before := total.Value()
			run(total.ParallelWriter())
			rows.MustBe(ours, total.Value()-before, want)
		})
	}
	striped := measure.Do("xsync.Counter", func() {
		c := xsync.NewCounter()
		rows.Parts(n, func(_, begin, end int) {
			for _, v := range data[begin:end] {
				if v == 0 {
					c.Inc()
				}
			}
		})
		rows.MustBe("xsync.Counter", c.Value(), want)
	})
	one := measure.Do("one atomic", func() {
		var c rows.Slot
		rows.Parts(n, func(_, begin, end int) {
			for _, v := range data[begin:end] {
				if v == 0 {
					c.Add(1)
				}
			}
		})
		rows.MustBe("one atomic", c.Load(), want)
	})
	// What each adds for each zero, to a place of its own, is what one writes by hand for a counter
	// that others can read.
	slots := measure.Do("own slots", func() {
		counts := make([]rows.Slot, procs)
		rows.Parts(n, func(p, begin, end int) {
			c := &counts[p].Int64
			for _, v := range data[begin:end] {
				if v == 0 {
					c.Add(1)
				}
			}
		})
		rows.MustBe("own slots", sumOf(counts), want)
	})
	limit := []string{"goroutines", "goroutines and caller"}
	work := "count zeros, 10M int32, half 0, " + how

	c := r.Compare(work+", IncIf for each", n, limit,
		with(func(w counter.ParallelWriter) {
			parallelfor.ForBatch(n, zerosIf{in.Reader(), w}, (*zerosIf).ExecuteBatch)
		}),
		by(limit[0], rows.Parts, zerosIn), by(limit[1], rows.PartsHere, zerosIn), striped, one)
	c.AtMost(1.3)
	c.AtMostOf(0.125, "xsync.Counter")
	c.AtMostOf(0.125, "one atomic")

	c = r.Compare(work+", Inc per zero", n, limit,
		with(func(w counter.ParallelWriter) { parallelfor.ForBatch(n, zeros{in.Reader(), w}, (*zeros).ExecuteBatch) }),
		by(limit[0], rows.Parts, zerosIn), by(limit[1], rows.PartsHere, zerosIn), striped, one, slots,
		by("fastest loop", rows.Parts, zerosByCarry))
	c.AtMostOf(0, c.Limit)
	c.AtMostOf(0, "xsync.Counter")
	c.AtMostOf(0.125, "one atomic")
	c.AtMostOf(0, "fastest loop")

	c = r.Compare(work+", Add per batch", n, limit,
		with(func(w counter.ParallelWriter) {
			parallelfor.ForBatch(n, zerosPerCell{in.Reader(), w}, (*zerosPerCell).ExecuteBatch)
		}),
		by(limit[0], rows.Parts, zerosIn), by(limit[1], rows.PartsHere, zerosIn), striped, one)
	c.AtMost(1.3)
	c.AtMostOf(0.125, "xsync.Counter")
	c.AtMostOf(0.125, "one atomic")

	c = r.Compare(work+", Add per batch, fastest loop", n, limit,
		with(func(w counter.ParallelWriter) {
			parallelfor.ForBatch(n, zerosFast{in.Reader(), w}, (*zerosFast).ExecuteBatch)
		}),
		by(limit[0], rows.Parts, zerosByCarry), by(limit[1], rows.PartsHere, zerosByCarry), striped, one)
	c.AtMost(1.3)
	c.AtMostOf(0.125, "xsync.Counter")
	c.AtMostOf(0.125, "one atomic")
}

func sumOf(s []rows.Slot) (sum int64) {
	for i := range s {
		sum += s[i].Load()
	}
	return sum
}

// adds compares what g goroutines do at the same time, each with its share of the additions.
func adds(r *rows.Run, g int) {
	const n = 1 << 21
	each := n / g
	// from is a side of g goroutines; make makes what they add to and returns how one of them adds,
	// and the sum.
	from := func(name string, make func() (add func(p int), sum func() int64)) measure.Side {
		return measure.Do(name, func() {
			add, sum := make()
			var wg sync.WaitGroup
			wg.Add(g)
			for p := range g {
				go func() {
					add(p)
					wg.Done()
				}()
			}
			wg.Wait()
			rows.MustBe(name, sum(), int64(each)*int64(g))
		})
	}
	slots := from("own slots", func() (func(int), func() int64) {
		s := make([]rows.Slot, g)
		return func(p int) {
			c := &s[p].Int64
			for range each {
				c.Add(1)
			}
		}, func() int64 { return sumOf(s) }
	})
	// alone is what is left when no goroutine can read the counts meanwhile.
	alone := from("own variables", func() (func(int), func() int64) {
		s := make([]rows.Slot, g)
		return func(p int) {
			n := int64(0)
			for range each {
				n++
			}
			s[p].Store(n)
		}, func() int64 { return sumOf(s) }
	})
	striped := from("xsync.Counter", func() (func(int), func() int64) {
		c := xsync.NewCounter()
		return func(int) {
			for range each {
				c.Add(1)
			}
		}, c.Value
	})
	one := from("one atomic", func() (func(int), func() int64) {
		c := new(rows.Slot)
		return func(int) {
			for range each {
				c.Add(1)
			}
		}, c.Load
	})
	limit := []string{"own slots"}

	c := r.Compare(fmt.Sprintf("Counter.Add, %d goroutines", g), n, limit,
		from(ours, func() (func(int), func() int64) {
			c := counter.New()
			return func(int) {
				for range each {
					c.Add(1)
				}
			}, c.Value
		}), slots, striped, one, alone)
	bar := 1.05
	if g == 1 { // there is no other goroutine to keep apart from
		bar = 0
	}
	c.AtMostOf(bar, "xsync.Counter")
	c.AtMostOf(0, "one atomic")

	c = r.Compare(fmt.Sprintf("Local.Add, %d goroutines", g), n, limit,
		from(ours, func() (func(int), func() int64) {
			c := counter.New()
			return func(int) {
				l := c.Local()
				for range each {
					l.Add(1)
				}
				l.Close()
			}, c.Value
		}), slots, striped, alone)
	c.AtMostOf(0.5, "xsync.Counter")
}

// values shows what a Value costs, by how many cells it adds up.
func values(r *rows.Run) {
	collide := func(add func()) {
		var wg sync.WaitGroup
		wg.Add(8)
		for range 8 {
			go func() {
				for range 1 << 16 {
					add()
				}
				wg.Done()
			}()
		}
		wg.Wait()
	}
	striped := xsync.NewCounter()
	collide(striped.Inc)
	for _, c := range []struct {
		collided bool
		locals   int
	}{{false, 0}, {false, 1}, {true, 0}, {true, 1}, {true, 8}, {true, 64}} {
		n := counter.New()
		work := "Value, never collided"
		if c.collided {
			work = "Value, collided"
			collide(n.Inc)
		}
		work = fmt.Sprintf("%s, %d Locals", work, c.locals)
		open := make([]*counter.Local, c.locals)
		for i := range open {
			open[i] = n.Local()
			open[i].Add(1)
		}
		want := n.Value()
		// A hundred at a time: the call through a variable is not what is measured.
		s := r.Compare(work, 100, nil,
			measure.Do(ours, func() {
				for range 100 {
					rows.MustBe(ours, n.Value(), want)
				}
			}),
			measure.Do("xsync.Counter", func() {
				for range 100 {
					rows.MustBe("xsync.Counter", striped.Value(), 8<<16)
				}
			}))
		s.AtMostOf(0, "xsync.Counter")
		for _, l := range open {
			l.Close()
		}
		rows.MustBe(work, n.Value(), want)
	}
}
