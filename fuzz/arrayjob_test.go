package fuzz_test

import "example.com/custody/array"

// The views that a job can have of a slot.
const (
	viewReader = iota
	viewWriter
	viewRows
	viewFree
	viewOffsets
	viewKinds
)

// arrayView is a view that a job carries, as the model sees it.
type arrayView struct {
	kind    int
	of      *slot
	stride  int   // of writers and rows
	offsets *slot // of offsets
	place   int   // in the job's list of its type
}

// extent returns how many indices the view serves, -1 for any number.
func (v *arrayView) extent() int {
	switch v.kind {
	case viewWriter, viewRows:
		return len(v.of.want) / v.stride
	case viewOffsets:
		return max(len(v.offsets.want)-1, 0)
	}
	return -1
}

// span is a range of elements.
type span struct{ lo, hi int }

func (s span) has(o span) bool { return s.lo <= o.lo && o.lo <= o.hi && o.hi <= s.hi }

// window returns the elements that the indices [begin, end) own; ok is false when offsets fall.
func (v *arrayView) window(begin, end int) (s span, ok bool) {
	switch v.kind {
	case viewReader, viewFree:
		return span{0, len(v.of.want)}, true
	case viewOffsets:
		if begin >= end {
			return span{}, true
		}
		s = span{v.offsets.want[begin], v.offsets.want[end]}
		return s, span{0, len(v.of.want)}.has(s)
	}
	return span{begin * v.stride, end * v.stride}, true
}

// What a body can do with a view.
const (
	actAt = iota
	actSet
	actPtr
	actRow
	actWindow
	actKinds
)

// act is something that the body does at one of its indices.
type act struct{ at, view, what, target int }

// arrayJob is the job of FuzzArray. Each index changes all elements that it owns, and does its
// acts.
type arrayJob struct {
	Readers []array.Reader[int]
	Writers []array.Writer[int]
	Offsets []array.OffsetWriter[int]
	Acts    [3]act
	Count   int
	Own     bool        // change what is owned
	Views   []arrayView `custody:"unguarded"` // unchanging
	Got     *[3]gotten  `custody:"unguarded"` // each act has an element
}

// gotten is what an act found.
type gotten struct{ value, begin, length int }

func (j *arrayJob) Execute(i int) { j.index(i) }

func (j *arrayJob) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.index(i)
	}
}

type arraySingle struct{ arrayJob }

func (j *arraySingle) Execute() {
	for k := range j.Count {
		j.act(k)
	}
}

func (j *arrayJob) index(i int) {
	if j.Own {
		for k := range j.Writers {
			change(j.Writers[k].Row(i), i)
		}
		for k := range j.Offsets {
			change(j.Offsets[k].Row(i), i)
		}
	}
	for k := range j.Count {
		if j.Acts[k].at == i {
			j.act(k)
		}
	}
}

func change(row []int, i int) {
	for k := range row {
		row[k] = row[k]%1000 + i + 1
	}
}

// window is the methods that range-guarded views have in common.
type window interface {
	At(i int) int
	Set(i, v int)
	Ptr(i int) *int
	Row(i int) []int
	Slice() []int
	Begin() int
}

func (j *arrayJob) act(k int) {
	a := j.Acts[k]
	g := &j.Got[k]
	var w window
	switch v := &j.Views[a.view]; v.kind {
	case viewReader:
		r := &j.Readers[v.place]
		if a.what == actWindow {
			*g = gotten{length: len(r.Slice())}
			for _, x := range r.All() {
				g.value += x
			}
			return
		}
		g.value = r.At(a.target)
		return
	case viewOffsets:
		w = &j.Offsets[v.place]
	default:
		w = &j.Writers[v.place]
	}
	switch a.what {
	case actAt:
		g.value = w.At(a.target)
	case actSet:
		w.Set(a.target, a.at-a.target%1000)
	case actPtr:
		*w.Ptr(a.target)++
	case actRow:
		row := w.Row(a.target)
		g.length = len(row)
		change(row, 5)
	case actWindow:
		s := w.Slice()
		*g = gotten{begin: w.Begin(), length: len(s)}
		for _, x := range s {
			g.value += x
		}
	}
}

// row returns the elements that index i owns; ok is false when there is no such index.
func (v *arrayView) row(i int) (s span, ok bool) {
	if v.kind == viewOffsets {
		if i < 0 || i >= len(v.offsets.want)-1 {
			return s, false
		}
		return span{v.offsets.want[i], v.offsets.want[i+1]}, true
	}
	if i < 0 || i >= len(v.of.want)/v.stride {
		return s, false
	}
	return span{i * v.stride, (i + 1) * v.stride}, true
}
