package counter

import (
	"errors"
	"math/rand"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// bound is a view that the test driver can move from batch to batch.
type bound interface {
	safety.View
	acc() *safety.Hold
}

func (h *held[C]) acc() *safety.Hold                   { return &h.hold }
func (w *ParallelWriter) acc() *safety.Hold            { return &w.hold }
func (w *SumParallelWriter[T]) acc() *safety.Hold      { return &w.hold }
func (w *ExtremumParallelWriter[T]) acc() *safety.Hold { return &w.hold }
func (w *HistogramParallelWriter) acc() *safety.Hold   { return &w.hold }
func (w *HistogramWriter) acc() *safety.Hold           { return &w.hold }

// copies returns what makes the copies of a view.
func copies[V any, P interface {
	*V
	bound
}](v V) func() bound {
	return func() bound {
		c := v
		return P(&c)
	}
}

// job is a loop of n indices in batches of batch, which the workers take in an order that seed
// decides; 0 is the order of the sequential loop, on the first worker. The body may panic with
// errBatch.
type job struct {
	n, batch, workers int
	seed              int64
	views             []func() bound
}

type body func(v []bound, begin, end int)

var errBatch = errors.New("batch failed")

type testWorker struct {
	of    *safety.Ticket
	scope *safety.Scope
	views []bound
	last  int
}

// run runs the job up to its seal. Each batch is a goroutine of its own, and the race detector sees
// no order between them.
func (j job) run(f body) (*safety.Ticket, *safety.Violation) {
	t := new(safety.Ticket)
	t.Reset("Job", safety.Caller(0))
	for _, v := range j.views {
		t.ClaimOf(safety.FieldOf(v(), "View"))
	}
	j.batch, j.workers = max(j.batch, 1), max(j.workers, 1)
	if v := t.Open(safety.CurrentScope(), j.n, j.workers > 1); v != nil {
		return nil, v
	}
	batches := (j.n + j.batch - 1) / j.batch
	t.Start(safety.Phase{Workers: j.workers, N: j.n, Batches: batches, BatchSize: j.batch})
	team := make([]*testWorker, j.workers)
	for i := range team {
		team[i] = &testWorker{of: t, scope: safety.NewScope(), last: none - 1}
		team[i].scope.Open(t, i, true)
		team[i].bind(j)
	}
	rnd := rand.New(rand.NewSource(j.seed))
	kept := batches
	finished := false
	defer func() {
		if !finished { // the body broke a rule: the panic goes on, with everything given back
			t.Seal(0, true, nil)
			t.Return()
		}
	}()
	for _, chunk := range j.chunks(rnd, batches) {
		w := team[0]
		if j.seed != 0 {
			w = team[rnd.Intn(len(team))]
		}
		for c := chunk[0]; c < chunk[1] && c < kept; c++ {
			if !w.batch(j, c, f) {
				kept = c + 1
				w.last = none - 1
			}
		}
	}
	for _, w := range team {
		w.scope.Close()
		w.scope.Discard()
	}
	finished = true
	t.Seal(kept, kept < batches, func(n int, f func(int)) {
		for k := range n {
			f(n - 1 - k)
		}
	})
	atom.Acquire(unsafe.Pointer(t)) // as Complete does; here there is no schedule without it
	return t, nil
}

// chunks cuts the batches into chunks, in the order in which they are taken.
func (j job) chunks(rnd *rand.Rand, batches int) (list [][2]int) {
	if j.seed == 0 {
		return [][2]int{{0, batches}}
	}
	for c := 0; c < batches; {
		end := min(batches, c+1+rnd.Intn(1+batches/j.workers))
		list = append(list, [2]int{c, end})
		c = end
	}
	rnd.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

// bind gives the worker fresh copies of the views.
func (w *testWorker) bind(j job) {
	w.views = nil
	for i, v := range j.views {
		b := v()
		safety.FieldOf(b, "").Binder.Bind(safety.NewBinding(w.scope, i, b))
		w.views = append(w.views, b)
	}
}

// batch runs one batch and reports whether it succeeded.
func (w *testWorker) batch(j job, c int, f body) bool {
	var accesses []*safety.Hold
	if safety.Strict {
		w.bind(j)
	}
	for _, v := range w.views {
		accesses = append(accesses, v.acc())
	}
	begin, end := c*j.batch, min(j.n, (c+1)*j.batch)
	views, fresh := w.views, w.last != c-1
	w.last = c
	task := &batchTask{f: func() {
		w.scope.Next(accesses, 0)
		for _, v := range views {
			v := safety.FieldOf(v, "").Binder
			if r, ok := v.(safety.SpanView); ok && fresh {
				r.BeginSpan(c)
			}
			if r, ok := v.(interface{ BeginBatch(int) }); ok {
				r.BeginBatch(c)
			}
			if r, ok := v.(safety.RangeView); ok {
				r.SetRange(begin, end)
			}
		}
		f(views, begin, end)
	}}
	done := make(chan struct{})
	go func() {
		w.scope.Do(task)
		atom.ReleaseMerge(unsafe.Pointer(w.of))
		atom.Hide()
		close(done)
		atom.Show()
	}()
	atom.Hide()
	<-done
	atom.Show()
	p := task.caught()
	if p != nil && p != errBatch {
		atom.Acquire(unsafe.Pointer(w.of))
		panic(p)
	}
	return p == nil
}

type batchTask struct {
	f        func()
	panicked any
}

func (c *batchTask) Run() {
	defer func() {
		p := recover()
		if a, ok := p.(*safety.Refused); ok {
			p = a.Violation() // while the view is still where it was
		}
		c.catch(p)
	}()
	c.f()
}

//go:norace
func (c *batchTask) catch(p any) { c.panicked = p }

//go:norace
func (c *batchTask) caught() any { return c.panicked }

// do runs the job and completes it; the job must be legal.
func (j job) do(t testing.TB, f body) {
	t.Helper()
	ticket, v := j.run(f)
	require.Nil(t, v)
	ticket.Return()
}

// violation returns what f panics with.
func violation(t testing.TB, f func()) (v *safety.Violation) {
	t.Helper()
	defer func() {
		t.Helper()
		err, ok := recover().(error)
		require.True(t, ok, "no violation")
		require.ErrorAs(t, err, &v)
	}()
	f()
	return nil
}

// checked skips a test of violations in builds that look for none.
func checked(t testing.TB) {
	if !safety.Enabled {
		t.Skip("unchecked build")
	}
}

// misuse is one row of a table of misuses: what is done, and the violation that it is.
type misuse struct {
	name string
	do   func()
	kind error
	want safety.Violation // the fields to compare, where they are set
}

func expect(t *testing.T, rows []misuse) {
	checked(t)
	for _, m := range rows {
		t.Run(m.name, func(t *testing.T) {
			v := violation(t, m.do)
			require.ErrorIs(t, v, m.kind)
			require.Equal(t, m.want.Container, v.Container)
			require.Equal(t, m.want.Job, v.Job)
			require.Equal(t, m.want.Field, v.Field)
			require.Equal(t, m.want.OtherJob, v.OtherJob)
			require.Equal(t, m.want.OtherField, v.OtherField)
			require.Equal(t, [5]int{m.want.Index, m.want.Min, m.want.Max, m.want.N, m.want.Length},
				[5]int{v.Index, v.Min, v.Max, v.N, v.Length})
		})
	}
}

// inside returns what runs f in the only batch of a job with that view.
func inside(view func() bound, f func(v bound)) func() {
	return func() {
		t, v := job{n: 1, views: []func() bound{view}}.run(func(v []bound, _, _ int) { f(v[0]) })
		if v != nil {
			panic(v)
		}
		t.Return()
	}
}

// holding schedules a job with that view, does what f does, and completes the job.
func holding(view func() bound, f func()) func() {
	return func() {
		t, v := job{n: 1, views: []func() bound{view}}.run(func([]bound, int, int) {})
		if v != nil {
			panic(v)
		}
		defer t.Return()
		f()
	}
}

// rounds is how often a random test repeats: n in normal runs.
func rounds(n int) int {
	switch {
	case os.Getenv("CUSTODY_SOAK") != "":
		return 50 * n
	case testing.Short():
		return 1 + n/10
	case atom.Race:
		return 1 + n/5
	}
	return n
}
