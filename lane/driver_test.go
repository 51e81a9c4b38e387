package lane_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The driver looks for these.
var (
	_ safety.Phased   = (*Bag)(nil)
	_ safety.SpanView = (*BagWriter)(nil)
)

var errIndex = errors.New("this index fails")

// twice is a job with two views of one container. Some of its indices run a loop that appends, too.
type twice struct {
	A, B BagWriter
	Fail int
}

func (j *twice) Execute(i int) error {
	j.A.Put(10 * i)
	if i%3 == 0 {
		j.B.Put(10*i + 1)
	}
	if i%11 == 5 {
		parallelfor.For(i%40, j.B, func(w *BagWriter, k int) { w.Put(-1000*i - k) }, parallelfor.Batch(1+i%5))
	}
	if i == j.Fail {
		return errIndex
	}
	j.A.Put(10*i + 2)
	return nil
}

// loopOver runs the job and returns what is in the container, which had something in it.
func loopOver(n, fail int, opts ...parallelfor.Option) ([]int, error) {
	b := NewBag()
	b.items = append(b.items, 42)
	err := parallelfor.ForErr(context.Background(), n, twice{b.ParallelWriter(), b.ParallelWriter(), fail}, (*twice).Execute, opts...)
	return b.Slice(), err
}

// The driver's loops leave what the sequential loop leaves, with any number of workers and any
// batch, when every worker runs some of the batches and when one is quick enough to run all.
func TestLoopsAppendInTheOrderOfTheSequentialLoop(t *testing.T) {
	lawtest.Check(t, lawtest.Parameters(t, 120), "loops", prop.ForAll(
		func(n, batch, workers, fail int, seed uint64) string {
			want, wantErr := loopOver(n, fail, parallelfor.Sequential(), parallelfor.Batch(batch))
			if seed%4 > 0 {
				defer handout.Force(seed)()
			}
			got, err := loopOver(n, fail, parallelfor.Workers(workers), parallelfor.Batch(batch))
			if (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, errIndex) {
				return "another failure"
			}
			if !slices.Equal(got, want) {
				return "another order"
			}
			return ""
		},
		gen.IntRange(0, 120), gen.IntRange(0, 20), gen.IntRange(1, 8), gen.IntRange(-1, 200), gen.UInt64(),
	))
}

// The same with so many items that they are copied in parallel, in jobs one after the other.
func TestLongLoopsAppendInOrder(t *testing.T) {
	const n = 150_000
	b := NewBag()
	for round := 1; round <= 2; round++ {
		for workers := 1; workers <= 8; workers *= 2 {
			stop := handout.Force(uint64(round))
			b.items = b.items[:0]
			parallelfor.ForBatch(n, b.ParallelWriter(), func(w *BagWriter, begin, end int) {
				for i := begin; i < end; i++ {
					w.Put(i)
				}
			}, parallelfor.Workers(workers), parallelfor.Batch(1000))
			stop()
			require.Len(t, b.Slice(), n)
			for i, v := range b.Slice() {
				if i != v {
					t.Fatalf("%d workers: item %d is %d", workers, i, v)
				}
			}
		}
	}
}

// What a nested job had appended when its batch failed is kept, as in the sequential loop; a job
// that is cancelled leaves nothing.
func TestFailuresOfNestedJobs(t *testing.T) {
	for workers := 1; workers <= 8; workers++ {
		b := NewBag()
		err := parallelfor.ForErr(context.Background(), 9, b.ParallelWriter(), func(w *BagWriter, i int) error {
			w.Put(100 * i)
			return parallelfor.ForErr(context.Background(), 5, *w, func(in *BagWriter, k int) error {
				in.Put(100*i + k + 1)
				if i == 3 && k == 2 {
					return errIndex
				}
				return nil
			})
		}, parallelfor.Workers(workers), parallelfor.Batch(2))
		require.ErrorIs(t, err, errIndex)
		var want []int
		for i := range 4 {
			for k := range 6 {
				if i < 3 || k < 4 {
					want = append(want, 100*i+k)
				}
			}
		}
		require.Equal(t, want, b.Slice(), "%d workers", workers)

		ctx, cancel := context.WithCancel(context.Background())
		err = parallelfor.ForErr(ctx, 100, b.ParallelWriter(), func(w *BagWriter, i int) error {
			w.Put(i)
			cancel()
			return nil
		}, parallelfor.Workers(workers), parallelfor.Batch(1))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, want, b.Slice())
	}
}

// A container that is appended to again and again by loops of the same shape allocates nothing,
// beyond what the driver does for any container that has phases.
func TestLoopsAllocateNothingInTheSteadyState(t *testing.T) {
	if safety.Strict || atom.Explored {
		t.Skip("jobs are made anew in this build")
	}
	b, c := NewBag(), counter.New()
	counts := func() {
		parallelfor.For(2000, c.ParallelWriter(), func(w *counter.ParallelWriter, i int) { w.Inc() }, parallelfor.Sequential())
	}
	appends := func() {
		b.items = b.items[:0]
		parallelfor.For(2000, b.ParallelWriter(), func(w *BagWriter, i int) { w.Put(i) }, parallelfor.Sequential())
	}
	counts()
	appends()
	require.LessOrEqual(t, testing.AllocsPerRun(20, appends), testing.AllocsPerRun(20, counts))
	require.Len(t, b.Slice(), 2000)
}

// A view that is not bound, or was kept after its job, is refused with the name of its container,
// although its methods test nothing themselves.
func TestAViewOutsideItsJobIsStale(t *testing.T) {
	b := NewBag(safety.Named("squares"))
	w, none := b.ParallelWriter(), BagWriter{}
	kept := b.ParallelWriter()
	parallelfor.Do(b.ParallelWriter(), func(w *BagWriter) { kept = *w })
	for name, use := range map[string]func(){
		"Put unbound": func() { w.Put(1) }, "PutAll unbound": func() { w.PutAll([]int{1}) }, "nothing unbound": func() { w.PutAll(nil) },
		"Put kept": func() { kept.Put(1) }, "PutAll kept": func() { kept.PutAll([]int{1}) }, "nothing kept": func() { kept.PutAll(nil) },
		"Put of none": func() { none.Put(1) }, "PutAll of none": func() { none.PutAll(nil) },
	} {
		v := lawtest.Violation(t, func() error { use(); return nil })
		require.ErrorIs(t, v, safety.ErrStaleView, name)
		if safety.Enabled && !strings.HasSuffix(name, "none") {
			require.Contains(t, v.Container, "squares", name)
		}
	}
	require.Empty(t, b.Slice())
}

// In strict builds it is stale in the next batch.
func TestAViewOfAnotherBatchIsStaleInStrictBuilds(t *testing.T) {
	if !safety.Strict {
		t.Skip("this build looks at the borders of jobs")
	}
	b := NewBag()
	kept := make(chan BagWriter, 2)
	v := lawtest.Violation(t, func() error {
		parallelfor.For(2, b.ParallelWriter(), func(w *BagWriter, i int) {
			kept <- *w
			if i == 1 {
				last := <-kept
				last.PutAll([]int{i})
			}
		}, parallelfor.Batch(1), parallelfor.Sequential())
		return nil
	})
	require.ErrorIs(t, v, safety.ErrStaleView)
}

// forgetful is a view that does not name its lane when it is lent on.
type forgetful struct {
	lane *lane.Lane[int]
	safety.Hold
}

func (w *forgetful) Bind(b safety.Binding) { w.Hold.Bind(b); w.lane = lane.Of[int](b) }
func (w *forgetful) BeginSpan(batch int)   { w.lane.BeginSpan(batch) }

// Nothing gets lost then: the nested job fails, and says what the view's author forgot.
func TestAViewThatForgetsItsLaneIsFound(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := NewBag()
	v := lawtest.Violation(t, func() error {
		parallelfor.For(3, forgetful{Hold: b.guard.Hold(safety.Append, nil)}, func(w *forgetful, i int) {
			w.lane.Append(nil, i)
			if i == 1 {
				parallelfor.For(3, *w, func(*forgetful, int) {})
			}
		})
		return nil
	})
	require.ErrorIs(t, v, safety.ErrArgument)
	require.ErrorContains(t, v, "Into")
	require.Equal(t, []int{0, 1}, b.Slice())
}

// bare is what views have that take no lane when they are bound.
type bare struct {
	lane *lane.Lane[int]
	safety.Hold
}

// barest is such a view that is no SpanView either.
type barest struct {
	bare `custody:"part"`
}

// barer passes its runs on.
type barer struct {
	bare `custody:"part"`
}

func (w *barer) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

// The violation names what the view's author forgot, whether or not the view is a SpanView and
// whatever it does.
func TestAViewThatTakesNoLaneIsFound(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := NewBag()
	w := bare{Hold: b.guard.Hold(safety.Append, nil)}
	for name, do := range map[string]func(){
		"BeginSpan": func() { parallelfor.For(3, barer{w}, func(*barer, int) {}) },
		"Append":    func() { parallelfor.For(3, barest{w}, func(w *barest, i int) { w.lane.Append(&w.Hold, i) }) },
		"AppendAll": func() {
			parallelfor.For(3, barest{w}, func(w *barest, i int) { w.lane.AppendAll(&w.Hold, []int{i}) })
		},
		"Partial": func() { parallelfor.For(3, barest{w}, func(w *barest, i int) { *w.lane.Partial(&w.Hold)++ }) },
	} {
		v := lawtest.Violation(t, func() error { do(); return nil })
		require.ErrorContains(t, v, "Bind", name)
		require.ErrorContains(t, v, "lane", name)
		require.Contains(t, v.Job, "loop at driver_test.go:", name)
		require.Contains(t, v.At, "driver_test.go:", name)
	}
	require.Empty(t, b.Slice())
}

// racy is set for the test below to how it is to append from two goroutines.
const racy = "CUSTODY_LANE_RACY"

// In builds with the race detector two goroutines that append in one batch are a race, on every
// run; batches that append beside each other are none, which all other tests say.
func TestTheRaceDetectorSeesTwoGoroutinesInOneBatch(t *testing.T) {
	if !atom.Race {
		t.Skip("the race detector is not compiled in")
	}
	appends := map[string]func(w *BagWriter, v int){
		"Append":    (*BagWriter).Put,
		"TryAppend": func(w *BagWriter, v int) { w.lane.TryAppend(v) },
	}
	if add := appends[os.Getenv(racy)]; add != nil {
		b := NewBag()
		parallelfor.For(1, b.ParallelWriter(), func(w *BagWriter, i int) {
			w.Put(0) // there is room for the next ones
			first, done := make(chan bool), make(chan bool)
			go func() { // appends first, but nothing that the detector sees says so
				add(w, 1)
				atom.Hide()
				close(first)
				atom.Show()
				close(done)
			}()
			atom.Hide()
			<-first
			atom.Show()
			add(w, 2)
			<-done
		})
		return
	}
	for how := range appends {
		for range 3 {
			c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
			c.Env = append(os.Environ(), racy+"="+how, "GORACE=atexit_sleep_ms=0")
			out, err := c.CombinedOutput()
			require.Error(t, err, "%s: %s", how, out)
			require.Contains(t, string(out), "DATA RACE", how)
		}
	}
}
