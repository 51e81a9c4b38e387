package array_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// mix is a job of all views: it reads anywhere, and writes what its indices own.
type mix struct {
	In     array.Reader[int]
	Seed   array.ValueReader[int]
	Plain  array.Writer[int]
	Rows   array.Writer[int]
	Groups array.OffsetWriter[int]
	Next   array.Writer[int]
	Last   array.Reader[int]
	Ran    array.Writer[int]
	Who    parallelfor.Worker
}

func (m *mix) one(i int) {
	x := m.In.At(i)*1640531527 + m.Seed.Load() + m.Last.At((i+1)%m.Last.Len())
	m.Plain.Set(i, x^m.In.At((i*7)%m.In.Len()))
	for k := range m.Rows.Row(i) {
		m.Rows.Row(i)[k] += x + k
	}
	for k := range m.Groups.Row(i) {
		m.Groups.Row(i)[k] = x<<1 + k
	}
	*m.Next.Ptr(i) += x >> 3
	m.Ran.Set(i, m.Who.Index())
}

// perIndex, perBatch: the same, as two kinds of job.
type perIndex struct{ mix }

func (p *perIndex) Execute(i int) { p.one(i) }

type perBatch struct{ mix }

func (p *perBatch) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		p.one(i)
	}
	s := p.Plain.Slice()
	for k := range s {
		s[k] += s[0] // depends on where the grid cuts
	}
}

// world is what a mix works on.
type world struct {
	in, plain, rows, groups *array.Array[int]
	seed                    *array.Value[int]
	frames                  *array.Double[int]
	offsets, ran            *array.Array[int]
}

const rowLength = 3

func newWorld(n int, seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 1))
	in, offsets := make([]int, n), make([]int, n+1)
	for i := range in {
		in[i] = int(r.Uint32())
		offsets[i+1] = offsets[i] + r.IntN(4)
	}
	return &world{
		in: array.Of(in), plain: array.New[int](n), rows: array.New[int](n * rowLength), groups: array.New[int](offsets[n] + 1),
		seed: array.NewValue(int(r.Uint32())), frames: array.NewDouble[int](n), offsets: array.Of(offsets), ran: array.New[int](n),
	}
}

func (w *world) mix() mix {
	return mix{
		In: w.in.Reader(), Seed: w.seed.Reader(), Plain: w.plain.Writer(), Rows: array.ByRows(w.rows.Writer(), rowLength),
		Groups: array.ByOffsets(w.groups.Writer(), w.offsets.Reader()), Next: w.frames.Back().Writer(), Last: w.frames.Front().Reader(), Ran: w.ran.Writer(),
	}
}

// state is everything that the jobs computed.
func (w *world) state() [][]int {
	return [][]int{w.plain.Slice(), w.rows.Slice(), w.groups.Slice(), w.frames.Front().Slice()}
}

// run runs a few frames. It reports whether two workers ran batches in each.
func (w *world) run(n int, batches bool, opts ...parallelfor.Option) (shared bool) {
	shared = true
	for range 3 {
		if batches {
			parallelfor.ForBatch(n, perBatch{w.mix()}, (*perBatch).ExecuteBatch, opts...)
		} else {
			parallelfor.For(n, perIndex{w.mix()}, (*perIndex).Execute, opts...)
		}
		w.frames.Swap()
		ran := slices.Clone(w.ran.Slice()[:n])
		slices.Sort(ran)
		shared = shared && len(slices.Compact(ran)) > 1
	}
	return shared
}

// The result of a loop does not depend on its workers: it is, to the bit, what the sequential loop
// computes over the same grid, and for bodies that do not see the grid what one batch does.
func TestALoopEqualsTheSequentialLoop(t *testing.T) {
	defer handout.Force(lawtest.Seed(t))()
	could, did := 0, 0
	arraylaw.Property(t, 150, "serial equivalence", prop.ForAll(
		func(n, batch, workers int, seed int64, batches bool) string {
			batch = min(batch, n)
			cut := parallelfor.Batch(batch)
			one, many := newWorld(n, uint64(seed)), newWorld(n, uint64(seed))
			one.run(n, batches, cut, parallelfor.Sequential())
			shared := many.run(n, batches, cut, parallelfor.Workers(workers))
			if workers > 1 && batch < n && batch > 0 {
				could++
				if shared {
					did++
				}
			}
			for k, want := range one.state() {
				if !slices.Equal(want, many.state()[k]) {
					return fmt.Sprintf("container %d differs", k)
				}
			}
			if batches {
				return ""
			}
			whole := newWorld(n, uint64(seed))
			whole.run(n, batches, parallelfor.Batch(-1))
			for k, want := range one.state() {
				if !slices.Equal(want, whole.state()[k]) {
					return fmt.Sprintf("container %d differs from the loop of one batch", k)
				}
			}
			return ""
		},
		gen.IntRange(1, 80), gen.IntRange(0, 80), gen.IntRange(1, 8), gen.Int64(), gen.Bool(),
	))
	if !atom.Race && did*10 < could*9 {
		t.Errorf("two workers ran batches in %d of %d cases", did, could)
	}
}

// A loop over a window that a body passes on computes what the flat loop does.
func TestANestedLoopEqualsTheFlatLoop(t *testing.T) {
	defer handout.Force(lawtest.Seed(t))()
	arraylaw.Property(t, 60, "nested", prop.ForAll(
		func(n, outer, inner, workers int) string {
			type views struct {
				In  reader
				Out writer
			}
			in, flat, nested := array.New[int](n), array.New[int](n), array.New[int](n)
			for i := range n {
				in.Set(i, i*i)
			}
			parallelfor.For(n, views{in.Reader(), flat.Writer()}, func(v *views, i int) { v.Out.Set(i, v.In.At(n-1-i)+i) }, parallelfor.Sequential())
			parallelfor.ForBatch(n, views{in.Reader(), nested.Writer()}, func(v *views, b, e int) {
				parallelfor.For(e-b, *v, func(v *views, i int) { v.Out.Set(i, v.In.At(n-1-b-i)+b+i) }, parallelfor.Batch(inner), parallelfor.Workers(workers))
			}, parallelfor.Batch(outer), parallelfor.Workers(workers))
			if !slices.Equal(flat.Slice(), nested.Slice()) {
				return "differs"
			}
			return ""
		},
		gen.IntRange(1, 40), gen.IntRange(1, 12), gen.IntRange(1, 5), gen.IntRange(1, 4),
	))
}
