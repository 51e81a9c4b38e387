package fuzz_test

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// graphViews is what the jobs of a graph carry. Each index folds all that the job may read into a
// number, notes it in Seen, and changes with it what the job may change, where the index may.
type graphViews struct {
	ID   int64
	N    int   // how many indices there are
	Nest bool  // batches write through nested loops
	Seen []int `custody:"unguarded"` // each index has an element

	Reads   []array.Reader[int]
	Maybe   safety.Optional[array.Reader[int]]
	Writes  []array.Writer[int]
	Rows    []array.Writer[int] // of two elements
	Offsets []array.OffsetWriter[int]
	Scatter []graphScatter
	Free    []graphFree

	ValueReads  []array.ValueReader[int]
	ValueWrites []array.ValueWriter[int]
	CountReads  []counter.Reader
	CountAdds   []counter.ParallelWriter
	SumReads    []counter.SumReader[float64]
	SumAdds     []counter.SumParallelWriter[float64]
	BinReads    []counter.HistogramReader
	BinWrites   []counter.HistogramWriter
	BinAdds     []counter.HistogramParallelWriter
}

// graphScatter and graphFree are views that reach everywhere: index i uses element
// (i+Shift)%Length.
type graphScatter struct {
	To            array.PermutedWriter[int]
	Shift, Length int
}

type graphFree struct {
	To            array.Writer[int]
	Shift, Length int
}

// add gives the job a view of the box, in one of the forms that there are in the mode. It returns
// how many indices the view serves.
func (j *graphViews) add(b *box, m safety.Mode, form int) (extent int) {
	switch b.kind {
	case boxArray, boxDouble:
		return j.addElements(b, m, form)
	case boxValue:
		put(m, &j.ValueReads, b.value.Reader, &j.ValueWrites, b.value.Writer, &j.ValueWrites, b.value.Writer)
	case boxCount:
		put(m, &j.CountReads, b.count.Reader, &j.CountAdds, b.count.ParallelWriter, &j.CountAdds, b.count.ParallelWriter)
	case boxSum:
		put(m, &j.SumReads, b.sum.Reader, &j.SumAdds, b.sum.ParallelWriter, &j.SumAdds, b.sum.ParallelWriter)
	case boxBins:
		put(m, &j.BinReads, b.bins.Reader, &j.BinWrites, b.bins.Writer, &j.BinAdds, b.bins.ParallelWriter)
		if m == safety.Write {
			return b.bins.Len()
		}
	}
	return boxLength
}

// put appends the view of the mode to those that a job has.
func put[R, W, A any](m safety.Mode, reads *[]R, reader func() R, writes *[]W, writer func() W, adds *[]A, adder func() A) {
	switch m {
	case safety.Read:
		*reads = append(*reads, reader())
	case safety.Write:
		*writes = append(*writes, writer())
	default:
		*adds = append(*adds, adder())
	}
}

func (j *graphViews) addElements(b *box, m safety.Mode, form int) (extent int) {
	if m == safety.Read {
		r := b.reader()
		if _, is := j.Maybe.View(); form%3 == 0 && !is {
			j.Maybe = safety.Some(r)
		} else {
			j.Reads = append(j.Reads, r)
		}
		return boxLength
	}
	w, shift := b.writer(), form/8
	switch form %= 8; {
	case form == 0 && b.length > 1:
		j.Rows = append(j.Rows, array.ByRows(w, 2))
		return b.length / 2
	case form == 1:
		offsets := make([]int, 1, b.length+1)
		for i := range b.length {
			offsets = append(offsets, min(b.length, offsets[i]+(shift>>i)&1+i%2))
		}
		j.Offsets = append(j.Offsets, array.ByOffsets(w, array.Of(offsets).Reader()))
	case form == 2, form == 3:
		j.Scatter = append(j.Scatter, graphScatter{array.Permuted(w), shift, b.length})
	case form == 4:
		j.Free = append(j.Free, graphFree{array.Unrestricted(w), shift, b.length})
	default:
		j.Writes = append(j.Writes, w)
	}
	return b.length
}

// read folds all that index i may read.
func (j *graphViews) read(i int) int64 {
	acc := mix(j.ID, int64(i))
	for k := range j.Reads {
		for _, v := range j.Reads[k].All() {
			acc = mix(acc, int64(v))
		}
	}
	if r, ok := j.Maybe.View(); ok {
		for _, v := range r.Slice() {
			acc = mix(acc, int64(v))
		}
	}
	for k := range j.ValueReads {
		acc = mix(acc, int64(j.ValueReads[k].Load()))
	}
	for k := range j.CountReads {
		acc = mix(acc, j.CountReads[k].Value())
	}
	for k := range j.SumReads {
		acc = mix(acc, int64(j.SumReads[k].Value()))
	}
	for k := range j.BinReads {
		for _, v := range j.BinReads[k].All() {
			acc = mix(acc, v)
		}
	}
	j.Seen[i] = int(acc)
	return acc
}

// write changes what index i may change, except what Writes and CountAdds are for.
func (j *graphViews) write(i int, acc int64) {
	for k := range j.Rows {
		row := j.Rows[k].Row(i)
		row[0], row[1] = mixed(row[0], acc), mixed(row[1], acc)
	}
	for k := range j.Offsets {
		row := j.Offsets[k].Row(i)
		for e := range row {
			row[e] = mixed(row[e], acc)
		}
	}
	for k := range j.Scatter {
		s := &j.Scatter[k]
		p := s.To.Ptr((i + s.Shift) % s.Length)
		*p = mixed(*p, acc)
	}
	for k := range j.Free {
		f := &j.Free[k]
		at := (i + f.Shift) % f.Length
		f.To.Set(at, mixed(f.To.At(at), acc))
	}
	for k := range j.ValueWrites {
		w := &j.ValueWrites[k]
		w.Store(mixed(w.Load(), acc))
	}
	for k := range j.SumAdds {
		j.SumAdds[k].Add(float64(acc % 1000))
	}
	for k := range j.BinWrites {
		w := &j.BinWrites[k]
		w.Set(i, mix(w.At(i), acc))
	}
	for k := range j.BinAdds {
		w := &j.BinAdds[k]
		w.Add(int(acc)&0xffff%w.Len(), acc)
	}
}

// Execute is the body of a loop by index.
func (j *graphViews) Execute(i int) {
	acc := j.read(i)
	j.write(i, acc)
	for k := range j.Writes {
		j.Writes[k].Set(i, mixed(j.Writes[k].At(i), acc))
	}
	for k := range j.CountAdds {
		j.CountAdds[k].Add(acc)
	}
}

// ExecuteBatch is the body of a loop by batch. It does the same, in part by nested loops over views
// that it passes on.
func (j *graphViews) ExecuteBatch(begin, end int) {
	if !j.Nest {
		for i := begin; i < end; i++ {
			j.Execute(i)
		}
		return
	}
	for i := begin; i < end; i++ {
		j.write(i, j.read(i))
	}
	seen := array.Of(j.Seen[begin:end]) // a container of the batch's own
	for k := range j.Writes {
		h := parallelfor.Schedule(end-begin, graphNested{seen.Reader(), j.Writes[k]}, (*graphNested).Execute)
		seen.At(0) // reading goes together with reading
		h.Complete()
	}
	for k := range j.CountAdds {
		parallelfor.For(end-begin, graphCounting{seen.Reader(), j.CountAdds[k]}, func(v *graphCounting, i int) { v.To.Add(int64(v.By.At(i))) })
	}
}

// graphNested mixes what a batch has read into a window that it lent on; graphCounting adds it up.
type graphNested struct {
	By array.Reader[int]
	To array.Writer[int]
}

// Execute is the body of a loop by index.
func (j *graphNested) Execute(i int) { j.To.Set(i, mixed(j.To.At(i), int64(j.By.At(i)))) }

type graphCounting struct {
	By array.Reader[int]
	To counter.ParallelWriter
}

// graphSingle is the job that executes all indices in one call.
type graphSingle struct{ Of graphViews }

// Execute is the body of a single job.
func (j *graphSingle) Execute() {
	for i := range j.Of.N {
		j.Of.Execute(i)
	}
}
