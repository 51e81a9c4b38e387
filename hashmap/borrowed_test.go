package hashmap

import (
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// once returns an iterator that takes the steps of all and yields no values.
func once[S ~func(func(A, B) bool), A, B any](all S) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) { all(func(A, B) bool { return yield(struct{}{}) }) }
}

// walked is a container with its ranges, and the jobs and operations that use it during a range.
type walked struct {
	name  string
	walks map[string]iter.Seq[struct{}]
	// Each runs a job that holds the container. Those of changing end a range.
	changing, others map[string]func(opts ...parallelfor.Option)
	ordinary         map[string]func()
	dispose          func()
}

// walkedMap returns a map of three keys, with an order or without one.
func walkedMap[K comparable, V any](m *Map[K, V], keys [3]K, v V, ordered bool) walked {
	for _, k := range keys {
		m.Store(k, v)
	}
	if ordered {
		parallelfor.Do(m.Writer(), func(*Writer[K, V]) {})
	}
	keep := func(old, _ V) V { return old }
	return walked{
		name: fmt.Sprintf("%T, ordered %t", m, ordered),
		walks: map[string]iter.Seq[struct{}]{
			"All":        once(m.All()),
			"DeleteFunc": func(yield func(struct{}) bool) { m.DeleteFunc(func(K, V) bool { yield(struct{}{}); return false }) },
		},
		changing: map[string]func(opts ...parallelfor.Option){
			"Writer": func(o ...parallelfor.Option) { parallelfor.Do(m.Writer(), func(*Writer[K, V]) {}, o...) },
			"ParallelWriter": func(o ...parallelfor.Option) {
				parallelfor.Do(m.ParallelWriter(), func(*ParallelWriter[K, V]) {}, o...)
			},
			"ParallelMerger": func(o ...parallelfor.Option) {
				parallelfor.Do(m.ParallelMerger(keep), func(*ParallelMerger[K, V]) {}, o...)
			},
		},
		others: map[string]func(opts ...parallelfor.Option){
			"Reader": func(o ...parallelfor.Option) { parallelfor.Do(m.Reader(), func(*Reader[K, V]) {}, o...) },
			"Shared": func(o ...parallelfor.Option) {
				parallelfor.Do(m.Shared(), func(s *Shared[K, V]) { s.Store(keys[0], v) }, o...)
			},
		},
		ordinary: map[string]func(){
			"Store": func() { m.Store(keys[0], v) }, "Delete": func() { m.Delete(keys[1]) }, "Clear": m.Clear,
			"Grow": func() { m.Grow(1000) }, "Trim": m.Trim, "Clone": func() { m.Clone() },
			"DeleteFunc": func() { m.DeleteFunc(func(K, V) bool { return true }) },
			"All":        func() { once(m.All())(func(struct{}) bool { return true }) },
		},
		dispose: m.Dispose,
	}
}

func walkedMulti() walked {
	m := NewMulti[int, string](safety.Named("m"))
	for i := range 6 {
		m.Add(i%3, "v")
	}
	return walked{
		name:  "MultiMap",
		walks: map[string]iter.Seq[struct{}]{"All": once(m.All()), "Groups": once(m.Groups())},
		changing: map[string]func(opts ...parallelfor.Option){
			"Writer": func(o ...parallelfor.Option) { parallelfor.Do(m.Writer(), func(*MultiWriter[int, string]) {}, o...) },
			"ParallelWriter": func(o ...parallelfor.Option) {
				parallelfor.Do(m.ParallelWriter(), func(*MultiParallelWriter[int, string]) {}, o...)
			},
		},
		others: map[string]func(opts ...parallelfor.Option){
			"Reader": func(o ...parallelfor.Option) { parallelfor.Do(m.Reader(), func(*MultiReader[int, string]) {}, o...) },
			"Shared": func(o ...parallelfor.Option) {
				parallelfor.Do(m.Shared(), func(s *MultiShared[int, string]) { s.Add(1, "w") }, o...)
			},
		},
		ordinary: map[string]func(){
			"Add": func() { m.Add(0, "w") }, "Delete": func() { m.Delete(1) }, "Clear": m.Clear, "Trim": m.Trim, "Replace": func() { m.Replace(2, []string{"x"}) },
			"All": func() { once(m.All())(func(struct{}) bool { return true }) },
		},
		dispose: m.Dispose,
	}
}

var walkeds = []func() walked{
	func() walked { return walkedMap(New[int, int](safety.Named("m")), [3]int{1, 2, 3}, 4, false) },
	func() walked { return walkedMap(New[int, int](safety.Named("m")), [3]int{1, 2, 3}, 4, true) },
	func() walked {
		return walkedMap(New[string, int](safety.Named("m")), [3]string{"a", "b", "c"}, 4, false)
	},
	func() walked {
		return walkedMap(New[string, int](safety.Named("m")), [3]string{"a", "b", "c"}, 4, true)
	},
	func() walked {
		return walkedMap(New[string, any](safety.Named("m")), [3]string{"a", "b", "c"}, any("v"), false)
	},
	func() walked {
		return walkedMap(New[string, any](safety.Named("m")), [3]string{"a", "b", "c"}, any("v"), true)
	},
	walkedMulti,
}

// A job that may change a map ends every range over it that had begun, in the step that scheduled
// the job, whether the job was completed or not. The violation names the range and the job.
func TestAJobEndsARange(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, fresh := range walkeds {
		first := fresh()
		for walk := range first.walks {
			for job := range first.changing {
				for at := range 3 { // the last one, too
					w, steps := fresh(), 0
					v := lawtest.Violation(t, func() error {
						for range w.walks[walk] {
							if steps == at {
								w.changing[job](parallelfor.Name("changes"))
							}
							steps++
						}
						return nil
					})
					what := fmt.Sprint(w.name, ", ", walk, ", ", job, ", ", at)
					require.ErrorIs(t, v, safety.ErrBorrowed, what)
					require.Equal(t, at+1, steps, what)
					require.Equal(t, "changes", v.OtherJob, what)
					require.Regexp(t, `"m", taken at borrowed_test\.go:\d+, was used after job changes`, v.Error(), what)
				}
			}
		}
	}
}

// A job that is not completed ends a range as a completed one does.
func TestAJobThatIsNotCompletedEndsARange(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := walkedKeys(t)
	var h parallelfor.Handle
	defer func() { h.Complete() }()
	v := lawtest.Violation(t, func() error {
		for range m.All() {
			h = parallelfor.Go(m.Writer(), func(*Writer[int, int]) {}, parallelfor.Name("changes"))
		}
		return nil
	})
	require.ErrorIs(t, v, safety.ErrBorrowed)
	require.Regexp(t, `^borrowed_test\.go:\d+$`, v.Scheduled)
}

func walkedKeys(t *testing.T) *Map[int, int] {
	m := New[int, int](safety.Named("m"))
	for i := range 3 {
		m.Store(i, i)
	}
	return m
}

// Jobs that only read or share, and ordinary operations, end no range. Dispose ends it.
func TestWhatEndsNoRange(t *testing.T) {
	for _, fresh := range walkeds {
		first := fresh()
		for walk := range first.walks {
			for name := range first.others {
				w := fresh()
				for range w.walks[walk] {
					w.others[name]()
				}
			}
			for name := range first.ordinary {
				w := fresh()
				require.NotPanics(t, func() {
					for range w.walks[walk] {
						w.ordinary[name]()
					}
				}, fmt.Sprint(w.name, ", ", walk, ", ", name))
			}
			w := fresh()
			if safety.Enabled {
				v := lawtest.Violation(t, func() error {
					for range w.walks[walk] {
						w.dispose()
					}
					return nil
				})
				require.ErrorIs(t, v, safety.ErrDisposed)
			}
		}
	}
}

// amid ranges over walk and calls f in the first step.
func amid(walk iter.Seq[struct{}], f func()) {
	for range walk {
		f()
		f = func() {}
	}
}

// A range of a Writer that no job has is a violation, in unchecked builds too.
func TestARangeOfAWriterOutsideAJob(t *testing.T) {
	var never Writer[int, int]
	for _, w := range []*Writer[int, int]{new(New[int, int]().Writer()), &never} {
		require.ErrorIs(t, lawtest.Violation(t, func() error {
			for range w.All() {
				t.Error("passes a key")
			}
			return nil
		}), safety.ErrStaleView)
	}
}
