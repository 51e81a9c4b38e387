package capture

import (
	"context"
	"errors"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func plainSlices(ctx context.Context, in []int, weights map[int]int, limit int) error {
	out := make([]int, len(in))
	parallelfor.Indices(len(in), func(i int) { out[i] = in[i] * weights[i] })
	parallelfor.Ranges(len(in), func(begin, end int) {
		for i := begin; i < end; i++ {
			out[i] += in[i]
		}
	})
	out = parallelfor.MapSlice(in, func(v int) int { return v + weights[v] })
	parallelfor.SortSlice(out, func(a, b int) int { return weights[a] - weights[b] })
	return parallelfor.IndicesErr(ctx, len(in), func(i int) error {
		if in[i] > limit {
			return errors.New("beyond the limit")
		}
		out[i]++
		return nil
	})
}

func plainRaces(in []int, seen map[int]bool) (sum int) {
	parallelfor.Indices(len(in), func(i int) {
		sum += in[i]   // want `every call of the body of the job may write sum: they race`
		seen[i] = true // want `may write seen\[i\]: they race`
	})
	parallelfor.MapSlice(in, func(v int) int {
		sum += v // want `may write sum: they race`
		return v
	})
	return sum
}

func captured(in *array.Array[int], hits *counter.Counter, out []int) {
	parallelfor.Indices(4, func(i int) {
		out[i] = in.At(i) // want `the job uses container in itself`
		hits.Inc()        // want `the job uses container hits itself`
	})
	parallelfor.Ranges(4, func(begin, end int) {
		in.Set(begin, end) // want `the job uses container in itself`
	})
	parallelfor.MapSlice(out, func(v int) int {
		return in.At(v) // want `the job uses container in itself`
	})
	parallelfor.Indices(4, ofPackage)
	parallelfor.Indices(4, func(int) {}, parallelfor.Progress(func(int, int) { _ = hits.Value() }))
}

func ofPackage(i int) {
	_ = global.At(i) // want `the job uses container global itself`
	total += i       // want `may write total: they race`
}

var total int

// world is no container of its own: it has some in its fields.
type world struct {
	heights array.Array[int]
	winds   *array.Array[int]
	notes   *counter.Counter `custody:"unguarded"`
	plain   []int
	sum     int
}

func (w *world) step(i int) {
	w.plain[i] = w.plain[i] + 1
	w.plain[i] += w.heights.At(i) // want `the job uses container w.heights itself: carry a view of it, such as what its Reader, Writer or ParallelWriter returns`
	w.plain[i] += w.winds.At(i)   // want `the job uses container w.winds itself`
	w.notes.Inc()
	w.sum += i // want `every call of the body of the job may write w.sum: they race`
}

func (w *world) into(out *array.Writer[int], i int) {
	out.Set(i, w.heights.At(i)) // want `the job uses container w.heights itself`
}

func (w *world) alone(out *array.Writer[int]) { w.sum++ } // one call

func (w *world) called(i int) { w.sum += w.heights.At(i) } // no body

type values struct{ sums []int }

func (v values) step(i int) { // each call has a copy
	v.sums = v.sums[i:]
	_ = v.sums
}

func methodValues(w *world, v values) {
	parallelfor.Indices(4, w.step)
	parallelfor.For(4, w.heights.Writer(), w.into)
	parallelfor.ScheduleDo(w.heights.Writer(), w.alone).Complete()
	w.called(1)
	parallelfor.Indices(4, v.step)
	parallelfor.Indices(4, func(i int) {
		w.plain[i] = i
		_ = w.heights.At(i) // want `the job uses container w.heights itself`
		w.called(i)         // want `the job uses container w itself`
	})
}

// tally is a container of the program.
type tally struct {
	guard safety.Guard
	marks []int
}

type tallies struct{ *tally }

func containersOfTheProgram(t *tally, all *struct{ first tally }, of tallies) {
	parallelfor.Indices(4, func(i int) {
		t.marks[i] = i            // want `the job uses container t itself`
		(*all).first.marks[i] = i // want `the job uses container \(\*all\).first itself`
	})
	parallelfor.Indices(4, func(i int) { of.tally.marks[i] = i }) // want `the job uses container of.tally itself`
}
