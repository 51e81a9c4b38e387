package linear

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxDrawn is the largest number of operations in a drawing. More are not readable.
const maxDrawn = maxOps

// Draw returns a picture of the history. Each task has a line on which each of its operations
// stands between brackets for its call and its return, in the order of all calls and returns. An
// operation without a closing bracket is pending. Operations of one task that overlap have lines of
// their own. Of a long history only the first operations are drawn.
func (s *Spec[S, I, O]) Draw(h []Op[I, O]) string {
	d := drawing{left: len(h) - min(len(h), maxDrawn)}
	byCall := slices.Clone(h)
	slices.SortStableFunc(byCall, func(a, b Op[I, O]) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Return, b.Return))
	})
	for i := range byCall[:len(h)-d.left] {
		o := &byCall[i]
		d.boxes = append(d.boxes, box{o.Task, o.Call, o.Return, s.text(o)})
	}
	return d.String()
}

// draw returns the picture as the end of an error's text.
func (s *Spec[S, I, O]) draw(h []Op[I, O]) string {
	return "\n\t" + strings.ReplaceAll(strings.TrimSuffix(s.Draw(h), "\n"), "\n", "\n\t")
}

// box is an operation in a drawing.
type box struct {
	task      int
	call, end int64
	text      string
}

// drawing is an unfinished picture.
type drawing struct {
	boxes []box // by call
	left  int   // the number of further operations
}

// row is a line of the picture.
type row struct {
	task int
	line []byte
	full bool // the last operation of the line is pending
}

// String returns the picture.
func (d *drawing) String() string {
	column := d.columns()
	var rows []*row
	for _, b := range d.boxes {
		at := column[b.call]
		var r *row
		for _, have := range rows {
			if have.task == b.task && len(have.line) <= at && !have.full {
				r = have
				break
			}
		}
		if r == nil {
			r = &row{task: b.task}
			rows = append(rows, r)
		}
		r.line = append(r.line, strings.Repeat(" ", at-len(r.line))...)
		r.line = append(append(r.line, '['), b.text...)
		if b.end == Pending {
			r.line, r.full = append(r.line, " ..."...), true
			continue
		}
		if gap := column[b.end] - len(r.line); gap > 0 {
			r.line = append(append(r.line, ' '), strings.Repeat("-", gap-1)...)
		}
		r.line = append(r.line, ']')
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.task, b.task) })
	var s strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&s, "task %d: %s\n", r.task, r.line)
	}
	if d.left > 0 {
		fmt.Fprintf(&s, "and %s more\n", counted(d.left, "operation"))
	}
	return s.String()
}

// columns assigns a column to each time. The columns are in the order of the times, and every text
// has room.
func (d *drawing) columns() map[int64]int {
	var times []int64
	room := map[int64][]box{} // by return
	for _, b := range d.boxes {
		times = append(times, b.call, b.end)
		room[b.end] = append(room[b.end], b)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	column := map[int64]int{}
	at := 0
	for _, t := range times {
		for _, b := range room[t] {
			if b.call < t {
				at = max(at, column[b.call]+1+len(b.text))
			}
		}
		column[t] = at
		at++
	}
	return column
}
