package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestAnOffByOneIsFoundAtEveryBatchBorderAndInStrictBuildsAtEveryIndex(t *testing.T) {
	watchdog(t)
	const n, batch = 12, 4
	for i := range n {
		for _, off := range []int{-1, 1} {
			touched := i + off
			border := touched < 0 || touched >= n || i/batch != touched/batch
			a := numbers(n)
			run := func() {
				parallelfor.For(n, a.Writer(), func(w *array.Writer[int], k int) {
					if k == i {
						w.Set(k+off, 0)
					}
				}, parallelfor.Batch(batch))
			}
			if !border && !safety.Strict {
				run()
				continue
			}
			kind, lo, hi := safety.ErrWriteRange, i/batch*batch, i/batch*batch+batch
			if safety.Strict {
				lo, hi = i, i+1
			}
			if touched < 0 || touched >= n {
				kind = safety.ErrIndex
			}
			v := violation(t, kind, run)
			require.Equal(t, []int{touched, lo, hi, n}, []int{v.Index, v.Min, v.Max, v.Length})
		}
	}
}

func TestABatchBodyOwnsItsBatchAndNothingElse(t *testing.T) {
	a := numbers(12)
	for _, k := range []int{-1, 4} {
		v := violation(t, safety.ErrWriteRange, func() {
			parallelfor.ForBatch(12, a.Writer(), func(w *array.Writer[int], begin, _ int) {
				if begin == 4 {
					w.At(begin + k)
				}
			}, parallelfor.Batch(4))
		})
		require.Equal(t, []int{4 + k, 4, 8}, []int{v.Index, v.Min, v.Max})
	}
}

func TestASingleJobOwnsEverything(t *testing.T) {
	a, rows := numbers(12), numbers(12)
	parallelfor.Do([2]array.Writer[int]{a.Writer(), array.ByRows(rows.Writer(), 4)}, func(w *[2]array.Writer[int]) {
		w[0].Set(0, w[0].At(11))
		copy(w[1].Row(0), w[1].Row(2))
	})
	require.Equal(t, 11, a.At(0))
	require.Equal(t, 8, rows.At(0))
}

func TestAnUnrestrictedWriterTouchesEverything(t *testing.T) {
	a := numbers(12)
	parallelfor.For(12, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) { w.Set(11-i, -i) })
	require.Equal(t, -11, a.At(0))
}

// keeper lets a view leave its batch, past the eyes of the race detector.
type keeper struct{ view array.Reader[int] }

//go:norace
func (k *keeper) keep(r array.Reader[int]) { k.view = r }

//go:norace
func (k *keeper) kept() array.Reader[int] { return k.view }

func TestAViewKeptFromAnEarlierBatchIsStale(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := numbers(8)
	var k keeper
	v := violation(t, safety.ErrStaleView, func() {
		parallelfor.For(2, a.Reader(), func(r *array.Reader[int], i int) {
			if i == 0 {
				k.keep(*r)
				return
			}
			old := k.kept()
			old.Slice()
		}, parallelfor.Sequential())
	})
	require.Contains(t, v.Container, "numbers")
}

func TestAViewKeptAfterItsJobIsStale(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := numbers(8)
	var k keeper
	parallelfor.For(1, a.Reader(), func(r *array.Reader[int], _ int) { k.keep(*r) })
	use := func() {
		old := k.kept()
		old.Slice()
	}
	violation(t, safety.ErrStaleView, use)
	parallelfor.For(1, a.Reader(), func(*array.Reader[int], int) {
		if recovered(use) == nil {
			panic("a stale view works in another job")
		}
	})
	v := violation(t, safety.ErrStaleView, func() { parallelfor.For(1, k.kept(), nothing, parallelfor.Name("later")) })
	require.Equal(t, "later", v.Job)
	unbound := a.Reader()
	violation(t, safety.ErrStaleView, func() { unbound.Slice() })
}

func TestAGoroutineThatOutlivesItsBatchHasAStaleView(t *testing.T) {
	checkedOnly(t)
	if parallelfor.Raced {
		t.Skip("that is a race, too")
	}
	watchdog(t)
	a := numbers(8)
	over, found := make(chan struct{}), make(chan any, 1)
	parallelfor.For(1, a.Writer(), func(w *array.Writer[int], _ int) {
		mine := *w
		go func() {
			<-over
			found <- recovered(func() { mine.Slice() })
		}()
	})
	close(over)
	require.ErrorIs(t, (<-found).(error), safety.ErrStaleView)
}

func TestAFailureWhileAPhaseOpensOrClosesIsTheJobs(t *testing.T) {
	watchdog(t)
	for _, at := range []string{"open", "bind", "seal"} {
		w := newWreck(at)
		other := newJournal[int]()
		var ran bool
		h := scheduleFor(4, struct {
			W wreckView
			L appender[int]
		}{w.View(), other.Appender()}, func(v *struct {
			W wreckView
			L appender[int]
		}, i int) {
			v.L.Append(i)
		})
		next := scheduleFor(1, none{}, func(*none, int) { ran = true }, parallelfor.After(h))
		p := panicked(t, h.Complete)
		require.Equal(t, at, p.Value)
		require.Equal(t, at, panicked(t, next.Complete).Value)
		require.False(t, ran)
		require.Equal(t, at, panicked(t, h.Complete).Value)
		_ = other.Items()
	}
}

// wreck is a container that panics at one of the driver's calls.
type wreck struct {
	guard safety.Guard
	at    string
}

func newWreck(at string) *wreck {
	w := &wreck{at: at}
	w.guard.Init(w, 0)
	return w
}

func (w *wreck) call(at string) {
	if w.at == at {
		panic(at)
	}
}

func (w *wreck) View() wreckView { return wreckView{Hold: w.guard.Hold(safety.Append, nil), of: w} }

// OpenPhase implements safety.Phased.
func (w *wreck) OpenPhase(*safety.Phase) { w.call("open") }

// SealPhase implements safety.Phased.
func (w *wreck) SealPhase(*safety.Phase) { w.call("seal") }

type wreckView struct {
	safety.Hold
	of *wreck
}

// Bind implements safety.Binder.
func (v *wreckView) Bind(b safety.Binding) {
	v.of.call("bind")
	v.Hold.Bind(b)
}

func TestStrictBuildsFindAGoroutineThatOutlivesItsBatchInTheNext(t *testing.T) {
	if !safety.Strict {
		t.Skip("strict builds only")
	}
	watchdog(t)
	for _, o := range []parallelfor.Option{parallelfor.Sequential(), parallelfor.Workers(1), parallelfor.Inline()} {
		next, found := make(chan bool), make(chan any, 1)
		h := parallelfor.Schedule(2, outliver{numbers(2).Writer(), next, found}, (*outliver).Execute, o, parallelfor.Batch(1))
		h.Complete()
		err, ok := (<-found).(error)
		require.True(t, ok)
		require.ErrorIs(t, err, safety.ErrStaleView)
	}
}

// outliver is a job whose first batch starts a goroutine that uses the job's view in the second.
type outliver struct {
	Out   array.Writer[int]
	next  chan bool `custody:"unguarded"`
	found chan any  `custody:"unguarded"`
}

func (k *outliver) Execute(i int) {
	if i == 1 {
		k.next <- true
		<-k.next
		return
	}
	go func(next chan bool, found chan any) {
		defer func() { found <- recover(); next <- true }()
		<-next
		k.Out.Slice()
	}(k.next, k.found)
}
