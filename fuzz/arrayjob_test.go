package fuzz_test

import (
	"slices"

	"example.com/custody/array"
	"example.com/custody/safety"
)

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

// arrayJob is the job of FuzzArray. Each index changes all elements that it owns, and does its acts.
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

// predict is the model of act: cell is the indices of the cell. It returns the rules that the act
// breaks.
func (v *arrayView) predict(a act, cell span, g *gotten) (broken kinds) {
	own, _ := v.window(cell.lo, cell.hi)
	data := v.of.want
	at := span{a.target, a.target + 1}
	switch what := a.what; {
	case what == actWindow:
		*g = gotten{length: own.hi - own.lo, begin: own.lo}
		for _, x := range data[own.lo:own.hi] {
			g.value += x
		}
		return nil
	case what != actRow || v.kind == viewReader:
		if a.target < 0 || a.target >= len(data) {
			return kinds{safety.ErrIndex}
		}
		if !own.has(at) {
			return kinds{safety.ErrWriteRange}
		}
		switch {
		case what == actAt || v.kind == viewReader:
			g.value = data[a.target]
		case what == actSet:
			data[a.target] = a.at - a.target%1000
		case what == actPtr:
			data[a.target]++
		}
		return nil
	}
	rows := cell
	if v.kind == viewFree {
		rows = span{0, len(data) / v.stride}
	}
	row, ok := v.row(a.target)
	switch {
	case !ok:
		return kinds{safety.ErrIndex, safety.ErrWriteRange}
	case a.target < rows.lo || a.target >= rows.hi:
		return kinds{safety.ErrWriteRange}
	case !own.has(row):
		return kinds{safety.ErrArgument, safety.ErrWriteRange}
	}
	g.length = row.hi - row.lo
	change(data[row.lo:row.hi], 5)
	return nil
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

func (p *arrays) predictSingle(j *arrayJob, o outcome) {
	m := model{arrays: p, job: j, outcome: o}
	whole := span{0, 64}
	for k := range j.Views {
		m.cells[k] = span{0, max(j.Views[k].extent(), 0)}
		if _, ok := j.Views[k].window(0, m.cells[k].hi); !ok {
			m.ended(kinds{safety.ErrArgument})
		}
	}
	for k := range j.Count {
		m.act(k)
	}
	m.finish(whole)
}

// predictLoop executes the loop on the models, in order. each says that every index is a range of its own.
func (p *arrays) predictLoop(j *arrayJob, o outcome, n, batch int, each bool) {
	m := model{arrays: p, job: j, outcome: o}
	for begin := 0; begin < n && !m.over; begin += batch {
		cell := span{begin, min(begin+batch, n)}
		if !each {
			m.enter(cell)
		}
		for i := cell.lo; i < cell.hi && !m.over; i++ {
			if each {
				m.enter(span{i, i + 1})
			}
			if j.Own {
				m.change(viewOffsets, false, i)
				m.change(viewOffsets, true, i)
			}
			for k := range j.Count {
				if j.Acts[k].at == i {
					m.act(k)
				}
			}
		}
		if m.over {
			m.finish(cell)
			return
		}
	}
	m.finish(span{})
}

// model is the sequential execution of one job on the slots' models.
type model struct {
	*arrays
	job     *arrayJob
	outcome outcome
	cells   [2]span // the indices that each view owns now
	over    bool    // the job failed here
}

// ended compares the outcome at a point of the execution where rules are broken.
func (m *model) ended(broken kinds) {
	if m.over || len(broken) == 0 {
		return
	}
	m.over = true
	m.judge("job", m.outcome, broken)
}

func (m *model) enter(cell span) {
	for k := range m.job.Views {
		m.cells[k] = cell
		if _, ok := m.job.Views[k].window(cell.lo, cell.hi); !ok {
			m.ended(kinds{safety.ErrArgument})
		}
	}
}

// change changes what index i owns, through the views by offsets or the others.
func (m *model) change(kind int, is bool, i int) {
	for k := range m.job.Views {
		v := &m.job.Views[k]
		if m.over || v.kind == viewReader || (v.kind == kind) != is {
			continue
		}
		row, _ := v.row(i)
		own, _ := v.window(m.cells[k].lo, m.cells[k].hi)
		if !own.has(row) { // offsets that fall inside a cell
			m.ended(kinds{safety.ErrArgument, safety.ErrWriteRange})
			return
		}
		change(v.of.want[row.lo:row.hi], i)
	}
}

func (m *model) act(k int) {
	if m.over {
		return
	}
	a := m.job.Acts[k]
	var g gotten
	m.ended(m.job.Views[a.view].predict(a, m.cells[a.view], &g))
	if got := m.job.Got[k]; !m.over && got != g && (a.what != actWindow || g.length > 0) {
		m.fatalf("act %d %+v found %v, expected %v", k, a, got, g)
	}
}

// finish compares what the job left. Of one that failed in the given cell, elements that belong to
// later cells may hold anything.
func (m *model) finish(failed span) {
	if !m.over {
		m.judge("job", m.outcome, nil)
	}
	for k := range m.slots {
		s := &m.slots[k]
		if s.disposed || s.held == safety.Write {
			continue
		}
		got := make([]int, len(s.want))
		s.array.CopyTo(got)
		sure := span{0, len(got)}
		if m.over {
			sure = m.sure(s, failed)
		}
		if !slices.Equal(got[sure.lo:sure.hi], s.want[sure.lo:sure.hi]) {
			m.fatalf("slot %d holds %v, expected %v in [%d, %d)", k, got, s.want, sure.lo, sure.hi)
		}
		copy(s.want, got)
	}
}

// sure returns what is known of an array after a failure.
func (m *model) sure(s *slot, failed span) span {
	for k := range m.job.Views {
		v := &m.job.Views[k]
		if v.of != s || v.kind == viewReader {
			continue
		}
		if v.kind == viewFree || v.kind == viewOffsets {
			return span{} // offsets that fall make windows that meet
		}
		return span{0, min(failed.hi*v.stride, len(s.want))}
	}
	return span{0, len(s.want)}
}
