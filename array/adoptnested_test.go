package array_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// adopter schedules a job on a container that adopts the slice, with the given body. reads is set
// if the job only reads.
type adopter struct {
	name  string
	reads bool
	hold  func(s []int, name string, body func()) parallelfor.Handle
}

// adopts is the schedule of an adopter that has a view of type V.
func adopts[V any](make func(s []int, name safety.Option) V) func(s []int, name string, body func()) parallelfor.Handle {
	return func(s []int, name string, body func()) parallelfor.Handle {
		return parallelfor.Go(struct{ V V }{make(s, safety.Named(name))}, func(*struct{ V V }) { body() }, parallelfor.Name(name))
	}
}

var adopters = []adopter{
	{"array read", true, adopts(func(s []int, name safety.Option) array.Reader[int] { return array.Of(s, name).Reader() })},
	{"array written", false, adopts(func(s []int, name safety.Option) array.Writer[int] { return array.Of(s, name).Writer() })},
	{"part read", true, adopts(func(s []int, name safety.Option) array.Reader[int] {
		return array.Of(s, name).Split(1).Part(0).Reader()
	})},
	{"list read", true, adopts(func(s []int, name safety.Option) array.Reader[int] { return array.ListOf(s, name).Reader() })},
	{"list written", false, adopts(func(s []int, name safety.Option) array.Writer[int] { return array.ListOf(s, name).Writer() })},
	{"list appended to", false, adopts(func(s []int, name safety.Option) array.ParallelWriter[int] {
		return array.ListOf(s, name).ParallelWriter()
	})},
}

// A body makes a container of memory that its job holds, or a job around that one. A job on the new
// container is refused on every run, except if both jobs read. A job on other memory is admitted.
func TestABodyAdoptsMemoryOfItsOwnJob(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, outer := range adopters {
		for _, inner := range adopters {
			for _, depth := range []int{1, 2} {
				t.Run(fmt.Sprint(outer.name, ", ", inner.name, " at depth ", depth), func(t *testing.T) {
					s := make([]int, 8)
					ran := false
					run := func(part []int) error {
						ran = false
						return lawtest.Failure(func() error {
							outer.hold(s[:5], "outer", func() {
								nested := func() { inner.hold(part, "inner", func() { ran = true }).Complete() }
								if depth == 2 {
									parallelfor.Do(array.New[int](1).Writer(), func(*array.Writer[int]) { nested() })
								} else {
									nested()
								}
							}).Complete()
							return nil
						})
					}
					require.NoError(t, run(s[5:]))
					require.True(t, ran)
					err := run(s[4:])
					if outer.reads && inner.reads {
						require.NoError(t, err)
						require.True(t, ran)
						return
					}
					require.ErrorIs(t, err, safety.ErrNotLent)
					require.False(t, ran)
					require.ErrorContains(t, err, `"inner`)
					require.ErrorContains(t, err, `"outer`)
					require.ErrorContains(t, err, "job inner (field V) was scheduled within a body of job outer")
					require.ErrorContains(t, err, "pass that view on")
				})
			}
		}
	}
}

// A nested job that holds a view that was passed on, and a container of the same memory that the
// body made, holds that memory twice.
func TestANestedJobHoldsItsMemoryTwice(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := make([]int, 8)
	err := lawtest.Failure(func() error {
		parallelfor.ForBatch(8, array.Of(s).Writer(), func(w *array.Writer[int], begin, end int) {
			parallelfor.For(end-begin, writesTwice{*w, array.Of(s[begin:end]).Writer()}, (*writesTwice).Execute)
		}, parallelfor.Batch(4))
		return nil
	})
	require.ErrorIs(t, err, safety.ErrAliased)
	require.Equal(t, make([]int, 8), s)
	err = lawtest.Failure(func() error {
		parallelfor.ForBatch(8, array.Of(s).Reader(), func(r *array.Reader[int], begin, end int) {
			parallelfor.For(8, both{*r, array.Of(r.Slice()).Writer()}, (*both).Execute)
		}, parallelfor.Batch(4))
		return nil
	})
	require.ErrorIs(t, err, safety.ErrAliased)
	parallelfor.Do(array.Of(s).Reader(), func(r *array.Reader[int]) {
		parallelfor.For(8, readsTwice{*r, array.Of(r.Slice()).Reader()}, (*readsTwice).Execute)
	})
}

type writesTwice struct{ A, B array.Writer[int] }

func (j *writesTwice) Execute(i int) { j.A.Set(i, 1); j.B.Set(i, 2) }

type readsTwice struct{ A, B array.Reader[int] }

func (j *readsTwice) Execute(i int) { j.A.At(i); j.B.At(i) }

// A job that runs after the one whose body adopts memory is not in the way of the body's jobs,
// whether it was scheduled before them or not.
func TestALaterJobIsNotInTheWayOfABodysJobs(t *testing.T) {
	s := make([]int, 8)
	for _, own := range []bool{true, false} {
		t.Run(fmt.Sprint("on the same array: ", own), func(t *testing.T) {
			a, b := array.Of(s), array.Of(s)
			if own {
				b = a
			}
			scheduled := make(chan bool)
			h := parallelfor.Go(a.Reader(), func(r *array.Reader[int]) {
				<-scheduled
				parallelfor.For(8, reads{array.Of(r.Slice()).Reader()}, (*reads).Execute)
			})
			h = parallelfor.Schedule(8, writes{b.Writer()}, (*writes).Execute, parallelfor.After(h))
			h = parallelfor.Schedule(8, reads{b.Reader()}, (*reads).Execute, parallelfor.After(h))
			close(scheduled)
			h.Complete()
		})
	}
	lawtest.CheckedOnly(t)
	t.Run("but an unordered one is", func(t *testing.T) {
		a, b := array.Of(s[:4]), array.Of(s[4:])
		scheduled := make(chan bool)
		first := parallelfor.Go(a.Reader(), func(*array.Reader[int]) {
			<-scheduled
			parallelfor.For(4, reads{array.Of(s[4:]).Reader()}, (*reads).Execute)
		})
		other := parallelfor.Schedule(4, writes{b.Writer()}, (*writes).Execute)
		defer other.Complete()
		last := parallelfor.Schedule(4, writes{b.Writer()}, (*writes).Execute, parallelfor.After(first, other))
		close(scheduled)
		err := lawtest.Failure(func() error { last.Complete(); return nil })
		require.ErrorIs(t, err, safety.ErrConflict)
	})
}

// A job that the one whose body adopts memory runs after is not in the way of the body's jobs, at
// any depth of nesting, whether it was completed before them or not.
func TestAnEarlierJobIsNotInTheWayOfABodysJobs(t *testing.T) {
	s := make([]int, 8)
	for _, own := range []bool{true, false} {
		t.Run(fmt.Sprint("on the same array: ", own), func(t *testing.T) {
			a, b := array.Of(s), array.Of(s)
			if own {
				b = a
			}
			h := parallelfor.Schedule(8, writes{b.Writer()}, (*writes).Execute)
			parallelfor.Go(a.Reader(), func(r *array.Reader[int]) {
				nested := func(r *array.Reader[int]) { parallelfor.For(8, reads{array.Of(r.Slice()).Reader()}, (*reads).Execute) }
				nested(r)
				parallelfor.Do(*r, nested)
			}, parallelfor.After(h)).Complete()
		})
	}
}
