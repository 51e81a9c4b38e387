package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type reads struct{ In array.Reader[int] }

func (j *reads) Execute(i int) { j.In.At(i) }

type writes struct{ Out array.Writer[int] }

func (j *writes) Execute(i int) { j.Out.Set(i, i) }

type both struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *both) Execute(i int) { j.Out.Set(i, j.In.At(i)) }

// A job on an array is refused if an unordered job holds another array or list that has adopted
// memory of the same slice, and one of the two jobs writes.
func TestJobsOnOverlappingSlicesAreKeptApart(t *testing.T) {
	if !safety.Enabled {
		t.Skip("unchecked builds refuse no job")
	}
	beside := func(other parallelfor.Handle, second func() parallelfor.Handle) error {
		defer other.Complete()
		second().Complete()
		return nil
	}
	named := func(s []int, name string) *array.Array[int] { return array.Of(s, safety.Named(name)) }
	write := func(a interface{ Writer() array.Writer[int] }) parallelfor.Handle {
		return parallelfor.Schedule(2, writes{a.Writer()}, (*writes).Execute, parallelfor.Name("writing"))
	}
	read := func(a interface{ Reader() array.Reader[int] }) parallelfor.Handle {
		return parallelfor.Schedule(2, reads{a.Reader()}, (*reads).Execute, parallelfor.Name("reading"))
	}
	conflict := func(job, field, other, otherField string) safety.Violation {
		return safety.Violation{Kind: safety.ErrConflict, Container: `array.Array[int] "b"`, Job: job, Field: field, OtherJob: other, OtherField: otherField,
			Made: "overlap_test.go", Scheduled: "overlap_test.go"}
	}
	s := make([]int, 8)
	lawtest.Run(t, []lawtest.Misuse{
		{Name: "reader beside writer", Want: conflict("reading", "In", "writing", "Out"), Says: []string{`has adopted memory of array.Array[int] "a"`, "overlap_test.go"},
			Do: func() error {
				a, b := named(s, "a"), named(s[3:], "b")
				return beside(write(a), func() parallelfor.Handle { return read(b) })
			}},
		{Name: "writer beside writer", Want: conflict("writing", "Out", "writing", "Out"), Says: []string{"also writes"}, Do: func() error {
			a, b := named(s[2:5], "a"), named(s, "b")
			return beside(write(a), func() parallelfor.Handle { return write(b) })
		}},
		{Name: "writer beside reader of a list", Want: conflict("writing", "Out", "reading", "In"),
			Says: []string{`array.List[int] "l"`}, Do: func() error {
				l, b := array.ListOf(s, safety.Named("l")), named(s[:2], "b")
				return beside(read(l), func() parallelfor.Handle { return write(b) })
			}},
		{Name: "part of one", Want: conflict("writing", "Out", "writing", "Out"), Says: []string{`"a[4:8]"`}, Do: func() error {
			a, b := named(s, "a"), named(s[4:6], "b")
			parts := a.Split(2)
			beside(write(parts.Part(0)), func() parallelfor.Handle { return write(b) })
			return beside(write(parts.Part(1)), func() parallelfor.Handle { return write(b) })
		}},
		{Name: "two jobs hold it, and one is run after", Want: conflict("writing", "Out", "reading", "In"), Says: []string{"adopted"},
			Do: func() error {
				a, b := named(s, "a"), named(s, "b")
				h := read(a)
				return beside(read(a), func() parallelfor.Handle {
					defer h.Complete()
					return parallelfor.Schedule(2, writes{b.Writer()}, (*writes).Execute, parallelfor.After(h), parallelfor.Name("writing"))
				})
			}},
		{Name: "one job", Want: safety.Violation{Kind: safety.ErrAliased, Container: `array.Array[int] "a"`, Job: "both", Field: "In", OtherField: "Out", Made: "overlap_test.go"}, Says: []string{`"a"`, `"b"`, "overlap_test.go"},
			Do: func() error {
				a, b := named(s, "a"), named(s[1:], "b")
				parallelfor.For(2, both{a.Reader(), b.Writer()}, (*both).Execute)
				return nil
			}},
	})
}

// Jobs on adopted slices are admitted if the slices are disjoint, the jobs are ordered, or both
// read. An array of the same memory that no job holds refuses no job.
func TestWhatMayBeOnOneSlice(t *testing.T) {
	s := make([]int, 8)
	write := func(a interface{ Writer() array.Writer[int] }, opts ...parallelfor.Option) parallelfor.Handle {
		return parallelfor.Schedule(2, writes{a.Writer()}, (*writes).Execute, opts...)
	}
	t.Run("disjoint", func(t *testing.T) {
		a, b := array.Of(s[:4]), array.Of(s[4:])
		h := write(a)
		write(b).Complete()
		h.Complete()
		parallelfor.For(4, both{a.Reader(), b.Writer()}, (*both).Execute)
	})
	t.Run("readers", func(t *testing.T) {
		a, b := array.Of(s), array.Of(s)
		h := parallelfor.Schedule(2, reads{a.Reader()}, (*reads).Execute)
		parallelfor.For(2, reads{b.Reader()}, (*reads).Execute)
		h.Complete()
	})
	t.Run("one after the other", func(t *testing.T) {
		a, b, c := array.Of(s), array.Of(s), array.Of(s)
		h := write(a)
		h = write(b, parallelfor.After(h))
		write(c, parallelfor.After(h)).Complete()
	})
	t.Run("in the order of the schedules", func(t *testing.T) {
		a, b := array.Of(s), array.Of(s)
		h := write(a)
		g := write(b, parallelfor.AutoOrder())
		g.Complete()
		require.True(t, h.Finished())
		h.Complete()
	})
	t.Run("an earlier one", func(t *testing.T) {
		for range 100 {
			write(array.Of(s)).Complete()
		}
	})
	t.Run("a list that has grown", func(t *testing.T) {
		l, a := array.ListOf(s), array.Of(s)
		l.Append(1)
		h := write(l)
		write(a).Complete()
		h.Complete()
		l = array.ListOf(s)
		parallelfor.For(2, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i) })
		h = write(l)
		write(a).Complete()
		h.Complete()
	})
	t.Run("nothing", func(t *testing.T) {
		a, b := array.Of(s[:0]), array.Of(s)
		h := write(b)
		parallelfor.For(0, writes{a.Writer()}, (*writes).Execute)
		h.Complete()
		e, f := array.Of(make([]struct{}, 4)), array.Of(make([]struct{}, 4))
		g := parallelfor.Go(e.Writer(), func(*array.Writer[struct{}]) {})
		parallelfor.Go(f.Writer(), func(*array.Writer[struct{}]) {}).Complete()
		g.Complete()
	})
}

// An array without elements overlaps no other array, wherever its slice begins.
func TestAnEmptySliceOverlapsNothing(t *testing.T) {
	s := make([]int, 10)
	for at := range 11 {
		whole, empty := array.Of(s), array.Of(s[at:at])
		type views struct {
			In  array.Reader[int]
			Out array.Writer[int]
		}
		parallelfor.For(10, views{empty.Reader(), whole.Writer()}, func(v *views, i int) { v.Out.Set(i, i) })
		h := parallelfor.Go(whole.Writer(), func(*array.Writer[int]) {})
		parallelfor.Go(empty.Writer(), func(*array.Writer[int]) {}).Complete()
		h.Complete()
	}
}
