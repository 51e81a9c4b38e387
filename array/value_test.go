package array_test

import (
	"testing"

	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type (
	valueReader = array.ValueReader[string]
	valueWriter = array.ValueWriter[string]
)

// ValueSuite is what Value promises.
type ValueSuite struct{ suite.Suite }

func TestValue(t *testing.T) { suite.Run(t, new(ValueSuite)) }

// valueUses are the owner's operations. Those in the second list change the value.
func valueUses() (reads, writes map[string]func(x *array.Value[string])) {
	type V = *array.Value[string]
	return map[string]func(x V){"Load": func(x V) { x.Load() }},
		map[string]func(x V){"Store": func(x V) { x.Store("new") }, "Dispose": func(x V) { x.Dispose() }}
}

// refused asserts that every operation is a violation of that kind.
func (s *ValueSuite) refused(kind error, x *array.Value[string], uses ...map[string]func(x *array.Value[string])) {
	s.T().Helper()
	for _, list := range uses {
		for name, f := range list {
			arraylaw.Breaks(s.T(), kind, func() { f(x) }, name)
		}
	}
}

func (s *ValueSuite) TestItHoldsWhatWasStored() {
	x := array.NewValue("first")
	s.Equal("first", x.Load())
	x.Store("second")
	s.Equal("second", x.Load())
}

func (s *ValueSuite) TestJobsLoadAndStore() {
	type pass struct {
		From valueReader
		To   valueWriter
	}
	x, y := array.NewValue("x"), array.NewValue("y")
	parallelfor.Do(pass{x.Reader(), y.Writer()}, func(p *pass) {
		s.Equal("y", p.To.Load())
		p.To.Store(p.From.Load())
		*p.To.Ptr() += "!"
	})
	s.Equal("x!", y.Load())
	var bad faults
	parallelfor.For(30, y.Reader(), func(r *valueReader, _ int) {
		if r.Load() != "x!" {
			bad.add(r.Load())
		}
	}, parallelfor.Workers(4))
	s.Empty(bad.first())
}

// A loop has no range of a single value: it must be one that is one worker's by declaration,
// whatever the number of workers happens to be.
func (s *ValueSuite) TestParallelLoopsMayNotWriteIt() {
	lawtest.CheckedOnly(s.T())
	x := array.NewValue("", safety.Named("result"))
	for _, o := range []parallelfor.Option{parallelfor.Batch(0), parallelfor.Batch(100), parallelfor.Workers(1), parallelfor.Sequential()} {
		for _, n := range []int{0, 1, 10} {
			v := arraylaw.Breaks(s.T(), safety.ErrNoRange, func() {
				parallelfor.For(n, holder[valueWriter]{x.Writer()}, func(*holder[valueWriter], int) { s.Fail("ran") }, o)
			})
			s.Equal("View", v.Field)
			s.Equal(`array.Value[string] "result"`, v.Container)
		}
	}
	parallelfor.For(3, x.Writer(), func(w *valueWriter, i int) { w.Store(w.Load() + string(rune('a'+i))) }, parallelfor.Batch(-1))
	s.Equal("abc", x.Load())
}

func (s *ValueSuite) TestTheOwnerMayReadBesideReadersOnly() {
	lawtest.CheckedOnly(s.T())
	x := array.NewValue("old")
	reads, writes := valueUses()
	h := hold(x.Reader())
	s.Equal("old", x.Load())
	s.refused(safety.ErrInFlight, x, writes)
	for !h.Finished() {
	}
	s.refused(safety.ErrInFlight, x, writes)
	h.Complete()
	h = hold(x.Writer())
	s.refused(safety.ErrInFlight, x, reads, writes)
	arraylaw.Breaks(s.T(), safety.ErrConflict, func() { hold(x.Reader()) })
	arraylaw.Breaks(s.T(), safety.ErrConflict, func() { hold(x.Writer()) })
	s.False(x.Disposed())
	h.Complete()
	x.Store("new")
	s.Equal("new", x.Load())
}

func (s *ValueSuite) TestNothingWorksAfterDispose() {
	lawtest.CheckedOnly(s.T())
	x := array.NewValue("x")
	r, w := x.Reader(), x.Writer()
	x.Dispose()
	s.True(x.Disposed())
	reads, writes := valueUses()
	s.refused(safety.ErrDisposed, x, reads, writes)
	for _, f := range []func(){func() { hold(r) }, func() { hold(w) }, func() { hold(x.Reader()) }, func() { hold(x.Writer()) }} {
		arraylaw.Breaks(s.T(), safety.ErrDisposed, f)
	}
}

func (s *ValueSuite) TestNothingWorksBeforeItIsMade() {
	lawtest.CheckedOnly(s.T())
	reads, writes := valueUses()
	x := new(array.Value[string])
	s.refused(safety.ErrUnassigned, x, reads, writes)
	arraylaw.Breaks(s.T(), safety.ErrUnassigned, func() { hold(x.Reader()) })
	arraylaw.Breaks(s.T(), safety.ErrUnassigned, func() { hold(x.Writer()) })
	s.False(x.Disposed())
}

func (s *ValueSuite) TestItsViewsAreStaleOutsideJobs() {
	x := array.NewValue("x")
	r, w := x.Reader(), x.Writer()
	uses := map[string]func(){
		"Reader.Load": func() { r.Load() }, "Load": func() { w.Load() }, "Store": func() { w.Store("") }, "Ptr": func() { w.Ptr() },
	}
	for name, f := range uses {
		v := arraylaw.Breaks(s.T(), safety.ErrStaleView, f, name)
		s.Empty(v.Job)
		s.Equal("array.Value[string]", v.Container)
	}
	r, w = valueReader{}, valueWriter{}
	for name, f := range uses {
		arraylaw.Breaks(s.T(), safety.ErrStaleView, f, name)
	}
	if !safety.Enabled {
		return
	}
	parallelfor.Do(x.Reader(), func(v *valueReader) { r = *v })
	parallelfor.Do(x.Writer(), func(v *valueWriter) { w = *v })
	if safety.Strict {
		for name, f := range uses {
			arraylaw.Breaks(s.T(), safety.ErrStaleView, f, name)
		}
	}
	arraylaw.Breaks(s.T(), safety.ErrStaleView, func() { hold(r) })
	arraylaw.Breaks(s.T(), safety.ErrStaleView, func() { hold(w) })
}

func (s *ValueSuite) TestItsViewsServeManyJobs() {
	x := array.NewValue("")
	w := x.Writer()
	for range 10 {
		parallelfor.Do(w, func(w *valueWriter) { w.Store(w.Load() + "x") })
	}
	s.Equal("xxxxxxxxxx", x.Load())
}
