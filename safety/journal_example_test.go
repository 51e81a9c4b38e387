package safety_test

import (
	"errors"
	"fmt"
	"iter"

	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Journal is a container of one's own that grows: outside jobs by Add, and in loops by a view for
// each batch.
type Journal struct {
	guard safety.Guard
	lines []string
	lanes lane.Lanes[string] // where the workers of a job add
}

func NewJournal(lines ...string) *Journal {
	j := &Journal{lines: lines}
	j.guard.Init(j, 0, safety.Named("journal"))
	j.guard.Growable() // a job that adds ends all borrows
	return j
}

// Add changes the structure, which ends what was lent before.
func (j *Journal) Add(line string) {
	j.guard.CheckWrite()
	j.guard.Bump("was changed by Add")
	j.lines = append(j.lines, line)
}

// All ranges over the lines. What it lends goes with a borrow, which it looks at after each step.
func (j *Journal) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		borrow := j.guard.Borrow("an iterator", 0)
		for _, line := range j.lines {
			if !yield(line) {
				return
			}
			borrow.Check()
		}
	}
}

// OpenPhase and SealPhase have the lanes put into order what the workers add.
func (j *Journal) OpenPhase(p *safety.Phase) { j.lanes.Open(p) }

func (j *Journal) SealPhase(p *safety.Phase) {
	j.lanes.Seal(p, func(added lane.Items[string]) {
		j.guard.Bump("was changed by what a job added")
		for _, piece := range added.Slices(0, added.Len()) {
			j.lines = append(j.lines, piece...)
		}
	})
}

// ParallelWriter returns a view that adds from any batch of a loop.
func (j *Journal) ParallelWriter() JournalWriter {
	return JournalWriter{Hold: j.guard.Hold(safety.Append, nil)}
}

// JournalWriter adds to the lane of its worker, which takes note of the runs of batches.
type JournalWriter struct {
	safety.Hold
	lane *lane.Lane[string] // nil while the view is not bound
}

// Claim completes the claim.
func (w *JournalWriter) Claim(c *safety.Claim) {
	c.Into = w.lane
}

func (w *JournalWriter) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.lane = lane.Of[string](b)
}

// BeginSpan is called where the worker goes on with another batch than the next one.
func (w *JournalWriter) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

func (w *JournalWriter) Add(line string) { w.lane.Append(&w.Hold, line) }

// Reader returns a view that reads everything.
func (j *Journal) Reader() JournalReader {
	return JournalReader{Hold: j.guard.Hold(safety.Read, nil), of: j}
}

// JournalReader has the lines that there are when the job starts.
type JournalReader struct {
	safety.Hold
	of    *Journal
	lines []string
}

func (r *JournalReader) Bind(b safety.Binding) {
	r.Hold.Bind(b)
	r.lines = r.of.lines
}

// Window is asked by violations for the lengths in their texts.
func (r *JournalReader) Window() (begin, end, length int) { return 0, len(r.lines), len(r.lines) }

func (r *JournalReader) Len() int {
	r.Hold.Check()
	return len(r.lines)
}

func (r *JournalReader) At(i int) string {
	if safety.Strict {
		r.Hold.Check()
	}
	if s, k := r.lines, uint(i); k < uint(len(s)) {
		return s[k]
	}
	panic(r.Hold.Out(i))
}

// What the workers add is in the order of the sequential loop, whichever worker ran which batches.
func ExampleSpanView() {
	var _ safety.SpanView = new(JournalWriter)
	j := NewJournal("begin")
	parallelfor.For(10, j.ParallelWriter(), func(w *JournalWriter, i int) {
		if i%3 == 0 {
			w.Add(fmt.Sprint("found ", i))
		}
	}, parallelfor.Batch(2))
	for line := range j.All() {
		fmt.Println(line)
	}
	// Output:
	// begin
	// found 0
	// found 3
	// found 6
	// found 9
}

// find adds the even numbers.
type find struct{ Out JournalWriter }

func (f *find) Execute(i int) {
	if i%2 == 0 {
		f.Out.Add(fmt.Sprint(i))
	}
}

// A loop as long as a container will be when a job before it has run, which is not known when it is
// scheduled.
func ExampleView_length() {
	type views struct {
		In  JournalReader
		Out JournalWriter
	}
	found, marked := NewJournal(), NewJournal()
	h := parallelfor.Schedule(7, find{Out: found.ParallelWriter()}, (*find).Execute)
	parallelfor.For(-1, views{In: found.Reader(), Out: marked.ParallelWriter()}, func(v *views, i int) {
		v.Out.Add(v.In.At(i) + "!")
	}, parallelfor.LengthOf(found.Reader()), parallelfor.After(h))
	for line := range marked.All() {
		fmt.Print(line, " ")
	}
	// Output: 0! 2! 4! 6!
}

// A loop over the lines that changes them is told so at the next step, on every run.
func ExampleBorrow() {
	j := NewJournal("a", "b")
	for line := range j.All() {
		fmt.Println(line)
	}
	defer func() {
		err, _ := recover().(error)
		fmt.Println(errors.Is(err, safety.ErrBorrowed) || !safety.Enabled)
	}()
	for line := range j.All() {
		j.Add(line + " again")
	}
	// Output:
	// a
	// b
	// true
}
