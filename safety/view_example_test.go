package safety_test

import (
	"errors"
	"fmt"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Series is a container of one's own: numbers by index, as many as it was made of.
type Series struct {
	guard safety.Guard
	items []int
}

func NewSeries(items ...int) *Series { return newSeries("series", items) }

// newSeries makes one for the caller of its caller, which violations name.
func newSeries(name string, items []int) *Series {
	s := &Series{items: items}
	s.guard.Init(s, 1, safety.Named(name))
	return s
}

// Slice is for use outside jobs: it checks, then works. A caller that has the slice can write, so
// no job may read.
func (s *Series) Slice() []int {
	s.guard.CheckWrite()
	return s.items
}

// Reader returns a view that reads everything; of nil the zero view, with which a job is refused.
func (s *Series) Reader() SeriesReader {
	if s == nil {
		return SeriesReader{}
	}
	return SeriesReader{Hold: s.guard.Hold(safety.Read, nil), of: s}
}

// SeriesReader is a view: a small struct that a job carries, that embeds a Hold.
type SeriesReader struct {
	safety.Hold
	of    *Series
	items []int // none while the view is not bound
}

func (r *SeriesReader) Bind(b safety.Binding) {
	r.Hold.Bind(b)
	r.items = r.of.items
}

func (r *SeriesReader) At(i int) int {
	if safety.Strict {
		r.Hold.Check()
	}
	if s, k := r.items, uint(i); k < uint(len(s)) {
		return s[k]
	}
	panic(r.Hold.Out(i)) // also when the view is not bound, and has no items
}

// Window is asked by violations for the lengths in their texts.
func (r *SeriesReader) Window() (begin, end, length int) { return 0, len(r.items), len(r.items) }

// Slice hands out everything at once, so it asks in every build whether the view may be used now.
func (r *SeriesReader) Slice() []int {
	r.Hold.Check()
	return r.items
}

// Writer returns a view that reads and writes what the indices of the current batch own.
func (s *Series) Writer() SeriesWriter {
	if s == nil {
		return SeriesWriter{}
	}
	return SeriesWriter{Hold: s.guard.Hold(safety.Write, nil), of: s}
}

// SeriesWriter is a view with a range: index i of a loop owns element i.
type SeriesWriter struct {
	safety.Hold
	of     *Series
	items  []int // what the job was given
	window []int // what the batch owns, from begin on; none while the view is not bound
	begin  int
}

// Claim completes the claim.
func (w *SeriesWriter) Claim(c *safety.Claim) {
	c.Ranged, c.Own = true, true
	switch {
	case w.Hold.Bound():
		c.Extent = len(w.window)
	case w.of != nil:
		c.Extent = len(w.of.items)
	}
}

func (w *SeriesWriter) Bind(b safety.Binding) {
	w.items = w.of.items
	if w.Hold.Bound() {
		w.items = w.window
	}
	w.Hold.Bind(b)
	w.window, w.begin = nil, 0
}

// SetRange is called before each batch.
func (w *SeriesWriter) SetRange(begin, end int) {
	w.window, w.begin = w.items[begin:end:end], begin
}

// Window is what the batch owns, for the same.
func (w *SeriesWriter) Window() (begin, end, length int) {
	return w.begin, w.begin + len(w.window), len(w.items)
}

func (w *SeriesWriter) Set(i, v int) {
	if safety.Strict {
		w.Hold.Check()
	}
	if s, k := w.window, uint(i-w.begin); k < uint(len(s)) {
		s[k] = v
		return
	}
	panic(w.Hold.Out(i))
}

// Slice hands out the batch's elements.
func (w *SeriesWriter) Slice() []int {
	w.Hold.Check()
	return w.window
}

// refuses reports whether f breaks the rule of that kind. Unchecked builds find out nothing, and
// are not asked.
func refuses(kind error, f func()) (yes bool) {
	if !safety.Enabled {
		return true
	}
	defer func() {
		err, _ := recover().(error)
		yes = errors.Is(err, kind)
	}()
	f()
	return false
}

// A pointer to a view is what the driver looks for in a job.
func ExampleView() {
	var _ safety.View = new(SeriesReader)
	s := NewSeries(1, 2, 3)
	parallelfor.Do(s.Reader(), func(r *SeriesReader) {
		fmt.Println(r.At(0), r.Slice())
	})
	// Output: 1 [1 2 3]
}

// In a loop each batch has its range, and nothing of its neighbours'.
func ExampleRangeView() {
	var _ safety.RangeView = new(SeriesWriter)
	s := NewSeries(0, 0, 0, 0)
	parallelfor.For(4, s.Writer(), func(w *SeriesWriter, i int) { w.Set(i, i*i) })
	fmt.Println(s.Slice())
	fmt.Println(refuses(safety.ErrWriteRange, func() {
		parallelfor.For(4, s.Writer(), func(w *SeriesWriter, i int) { w.Set((i+1)%4, 0) }, parallelfor.Batch(1))
	}))
	// Output:
	// [0 1 4 9]
	// true
}

// A ticket asks a view for its claim.
func ExampleFieldOf() {
	s := NewSeries(1, 2, 3)
	w := s.Writer()
	var t safety.Ticket
	t.Reset("mine", safety.Caller(0))
	t.ClaimOf(safety.FieldOf(&w, "Out"))
	c := t.Claimed(0)
	fmt.Println(c.Field, c.Mode, c.Ranged, c.Extent)
	// Output: Out Write true 3
}

// What a view claims, the driver holds against the loop and against other jobs.
func ExampleClaim() {
	s := NewSeries(1, 2, 3)
	r, w := s.Reader(), s.Writer()
	var t safety.Ticket
	t.ClaimOf(safety.FieldOf(&r, "In"))
	t.ClaimOf(safety.FieldOf(&w, "Out"))
	fmt.Println(t.Claimed(0).Mode, t.Claimed(1).Mode, t.Claimed(1).Extent)
	fmt.Println(refuses(safety.ErrLength, func() { // four indices, three elements
		parallelfor.For(4, w, func(w *SeriesWriter, i int) { w.Set(i, 0) })
	}))
	fmt.Println(refuses(safety.ErrConflict, func() {
		defer parallelfor.ScheduleDo(total{r}, (*total).Execute).Complete()
		parallelfor.For(3, w, func(w *SeriesWriter, i int) { w.Set(i, 0) })
	}))
	// Output:
	// Read Write 3
	// true
	// true
}

// total is a job that reads a series.
type total struct{ In SeriesReader }

func (j *total) Execute() { j.In.Slice() }

// A view works only in the job that carries it: its Hold knows.
func ExampleHold() {
	s := NewSeries(1, 2, 3)
	r := s.Reader()
	fmt.Println(refuses(safety.ErrStaleView, func() { r.At(0) })) // outside jobs
	parallelfor.Do(r, func(r *SeriesReader) { fmt.Println(r.At(0)) })
	var kept SeriesReader
	parallelfor.Do(r, func(r *SeriesReader) { kept = *r })
	fmt.Println(refuses(safety.ErrStaleView, func() { kept.Slice() }))
	// Output:
	// true
	// 1
	// true
}

// Halves are the two halves of a series: containers of their own, on the same items.
type Halves struct {
	Left, Right *Series
	division    safety.Division
}

// Halve splits the series. Until they are joined only the halves can be used.
func (s *Series) Halve() *Halves {
	k := len(s.items) / 2
	h := &Halves{Left: newSeries("left half", s.items[:k:k]), Right: newSeries("right half", s.items[k:])}
	h.division.Divide(&s.guard, []*safety.Guard{&h.Left.guard, &h.Right.guard}, 0)
	return h
}

func (h *Halves) Join() { h.division.Join() }

// paint writes the same number everywhere.
type paint struct {
	Out    SeriesWriter
	Colour int
}

func (j *paint) Execute(i int) { j.Out.Set(i, j.Colour) }

// Two jobs write one container, each its part, and neither runs after the other.
func ExampleDivision() {
	s := NewSeries(0, 0, 0, 0)
	h := s.Halve()
	left := parallelfor.Schedule(2, paint{Out: h.Left.Writer(), Colour: 1}, (*paint).Execute)
	right := parallelfor.Schedule(2, paint{Out: h.Right.Writer(), Colour: 2}, (*paint).Execute)
	left.Complete()
	right.Complete()
	fmt.Println(refuses(safety.ErrSplit, func() { s.Slice() }))
	h.Join()
	fmt.Println(s.Slice())
	// Output:
	// true
	// [1 1 2 2]
}

// Tally is a container whose views' page lists only what their users call.
type Tally struct {
	guard safety.Guard
	n     int
}

func NewTally() *Tally {
	t := new(Tally)
	t.guard.Init(t, 0)
	return t
}

type hold = safety.Hold

// TallyWriter is a view for single jobs. It embeds the alias, so go doc lists Add alone.
type TallyWriter struct {
	hold
	of *Tally
	n  *int // nil while the view is not bound
}

func (t *Tally) Writer() TallyWriter {
	return TallyWriter{hold: t.guard.Hold(safety.Write, (*tallyWriterKind)(nil)), of: t}
}

func (w *TallyWriter) Add(d int) {
	w.hold.Check()
	*w.n += d
}

// tallyWriterKind has what a driver calls of a TallyWriter.
type tallyWriterKind TallyWriter

func (*tallyWriterKind) Of(view any, _ *safety.Hold) safety.Binder {
	return (*tallyWriterKind)(view.(*TallyWriter))
}

func (w *tallyWriterKind) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.n = &w.of.n
}

// The methods that a driver calls of a view can be those of another type.
func ExampleViewKind() {
	var _ safety.ViewKind = (*tallyWriterKind)(nil)
	t := NewTally()
	parallelfor.Do(t.Writer(), func(w *TallyWriter) { w.Add(2) })
	fmt.Println(t.n)
	// Output: 2
}

// A driver finds the methods that it calls of a view by its Hold.
func ExampleBinder() {
	view := NewTally().Writer()
	var b safety.Binder = safety.FieldOf(&view, "").Binder
	_, ranged := b.(safety.RangeView)
	fmt.Printf("%T %v\n", b, ranged)
	// Output: *safety_test.tallyWriterKind false
}

// What an accessor panics with is the violation to errors.As and errors.Is.
func ExampleRefused() {
	var _ error = new(safety.Refused)
	r := NewSeries(1, 2, 3).Reader()
	defer func() {
		err := recover().(error)
		var v *safety.Violation
		fmt.Println(errors.As(err, &v), errors.Is(err, safety.ErrStaleView))
	}()
	r.At(0) // outside a job
	// Output: true true
}
