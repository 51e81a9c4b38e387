package programs

import (
	"hash/maphash"
	"runtime"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

const ours = rows.Ours

// Rows are the rows of all programs.
func Rows(r *rows.Run) {
	for _, p := range programs(r.Sized) {
		p.compare(r)
	}
}

// programs are all programs. sized chooses between the sizes of a full and of a brief run.
func programs(sized func(full, brief int) int) []program {
	return []program{
		words(sized(4000, 4000)), wordsInOrder(sized(4000, 4000)),
		sessions(sized(200_000, 200_000), sized(100_000, 50_000)),
		particles(sized(200_000, 200_000)),
		events(sized(1_000_000, 250_000)),
		pixels(sized(1920, 1920), sized(1080, 270)),
		kmers(sized(20_000, 5000)),
	}
}

// program is a program and the ways to write it.
type program struct {
	work    string
	units   int     // items of the input
	bar     float64 // of the first way
	against string  // the way that the bar refers to; "" is the fastest of the others
	ways    []way
}

// way is one way to write a program. run returns a digest of the result, which is not timed: a
// number that is the same for equal results.
type way struct {
	name  string
	plain bool // Go without a library
	run   func() (digest func() uint64)
}

// by is a way that calls run with the input, and hand one in plain Go.
func by[In, Out any](name string, in In, run func(In) Out, digest func(Out) uint64) way {
	return way{name: name, run: func() func() uint64 {
		result := run(in)
		return func() uint64 { return digest(result) }
	}}
}

func hand[In, Out any](name string, in In, run func(In) Out, digest func(Out) uint64) way {
	w := by(name, in, run, digest)
	w.plain = true
	return w
}

// side times the way, and stops everything if its digest is not the one wanted.
func (w *way) side(want uint64) measure.Side {
	return measure.Side{Name: w.name, Time: func(n int) (took time.Duration) {
		for range n {
			start := time.Now()
			digest := w.run()
			took += time.Since(start)
			rows.MustBe(w.name, digest(), want)
		}
		return took
	}}
}

// compare measures the ways and adds the rows.
func (p *program) compare(r *rows.Run) {
	want := p.ways[0].run()()
	var sides []measure.Side
	var limits, others []string
	for i := range p.ways {
		w := &p.ways[i]
		sides = append(sides, w.side(want))
		if w.plain {
			limits = append(limits, w.name)
		}
		if w.name != ours {
			others = append(others, w.name)
		}
	}
	c := r.Compare(p.work, p.units, limits, sides...)
	if p.against == "" {
		p.against = c.Best(others...)
	}
	c.AtMostOf(p.bar, p.against)
	if c.Peers = others; r.AllPeers {
		c.Beside()
	}
}

// procs is the number of goroutines of a program by hand.
func procs() int { return runtime.GOMAXPROCS(0) }

var seed = maphash.MakeSeed()

// set is the digest of elements whose order has no meaning.
func set[T comparable](list []T) (sum uint64) {
	for _, v := range list {
		sum += maphash.Comparable(seed, v)
	}
	return sum
}

// sequence is the digest of a list.
func sequence[T comparable](list []T) (sum uint64) {
	for i, v := range list {
		sum += maphash.Comparable(seed, v) * uint64(2*i+1)
	}
	return sum
}
