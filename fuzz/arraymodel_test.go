package fuzz_test

import (
	"slices"

	"example.com/custody/safety"
)

// predict is the model of act: batch is the indices of the batch. It returns the rules that the act
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

// predictLoop executes the loop on the models, in order. each says that every index is a range of
// its own.
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
		if !own.has(row) { // offsets that fall inside a batch
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

// finish compares what the job left. Of one that failed in the given batch, elements that belong to
// later batches may hold anything.
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
