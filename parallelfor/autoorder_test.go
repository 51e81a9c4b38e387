package parallelfor_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// mix is a job over any number of containers: what it writes depends on all that it reads, and on what was there.
type mix struct {
	ID     int
	FailAt int // the index that fails; -1 for none
	Reads  []array.Reader[int]
	Writes []array.Writer[int]
	Logs   []appender[int]
}

var errMix = errors.New("it was to fail")

func (m *mix) Execute(i int) error {
	if i == m.FailAt {
		return errMix
	}
	x := m.ID + i
	for k := range m.Reads {
		r := &m.Reads[k]
		x = 31*x + r.At(i) + r.At((i+1)%r.Len())
	}
	for k := range m.Writes {
		w := &m.Writes[k]
		w.Set(i, 17*w.At(i)+x+k)
	}
	for k := range m.Logs {
		m.Logs[k].Append(1000*m.ID + i)
	}
	return nil
}

// program is a drawn sequence of jobs over a few containers.
type program struct {
	seed uint64
	jobs int
}

const (
	programArrays = 4
	programLogs   = 2
	programSize   = 13
)

// state is the containers of one execution of a program.
type state struct {
	arrays [programArrays]*array.Array[int]
	logs   [programLogs]*journal[int]
}

func newState() (s state) {
	for i := range s.arrays {
		s.arrays[i] = numbers(programSize)
	}
	for i := range s.logs {
		s.logs[i] = newJournal[int]()
	}
	return s
}

func (s state) contents() (c [][]int) {
	for _, a := range s.arrays {
		c = append(c, values(a))
	}
	for _, l := range s.logs {
		c = append(c, l.Items())
	}
	return c
}

// draw returns the next job of the program, how long it is, and what it claims. fails says whether some do.
func (s state) draw(r *rand.Rand, id int, fails bool) (n int, m mix, c claims) {
	m = mix{ID: id, FailAt: -1}
	for i, a := range s.arrays {
		switch r.IntN(4) {
		case 0:
			c[i] = 2
			m.Writes = append(m.Writes, a.Writer())
		case 1:
			c[i] = 1
			m.Reads = append(m.Reads, a.Reader())
		}
	}
	for i, l := range s.logs {
		if r.IntN(4) == 0 {
			c[programArrays+i] = 2
			m.Logs = append(m.Logs, l.Appender())
		}
	}
	if fails && r.IntN(4) == 0 {
		m.FailAt = r.IntN(programSize)
	}
	return r.IntN(programSize + 1), m, c
}

// sequentially executes the jobs one by one.
func (p program) sequentially() [][]int {
	s, r := newState(), rand.New(rand.NewPCG(p.seed, 0))
	for id := range p.jobs {
		n, m, _ := s.draw(r, id, false)
		if err := parallelfor.RunErr(context.Background(), n, m, parallelfor.Sequential()); err != nil {
			panic(err)
		}
	}
	return s.contents()
}

// automatically schedules the jobs from one goroutine with AutoOrder, and completes them from several in any order.
func (p program) automatically(workers int) [][]int {
	s, r, how := newState(), rand.New(rand.NewPCG(p.seed, 0)), rand.New(rand.NewPCG(p.seed, 1))
	var handles []parallelfor.Handle
	for id := range p.jobs {
		n, m, _ := s.draw(r, id, false)
		opts := []parallelfor.Option{parallelfor.AutoOrder(), parallelfor.Workers(workers), parallelfor.Batch(how.IntN(4))}
		if k := len(handles); k > 0 && how.IntN(4) == 0 {
			opts = append(opts, parallelfor.After(handles[how.IntN(k)]))
		}
		switch how.IntN(8) {
		case 0:
			if err := parallelfor.RunErr(context.Background(), n, m, opts...); err != nil {
				panic(err)
			}
			continue
		case 1:
			opts = append(opts, parallelfor.Inline())
		case 2:
			if k := len(handles); k > 0 {
				handles[how.IntN(k)].Complete()
			}
		}
		handles = append(handles, parallelfor.ScheduleErr(context.Background(), n, m, opts...))
	}
	var all sync.WaitGroup
	for range 3 {
		order := how.Perm(len(handles))
		all.Go(func() {
			for _, k := range order {
				handles[k].Complete()
			}
		})
	}
	all.Wait()
	return s.contents()
}

func genProgram() gopter.Gen {
	return gopter.CombineGens(gen.UInt64(), gen.IntRange(1, 12)).Map(func(v []any) program { return program{v[0].(uint64), v[1].(int)} })
}

func TestJobsInAutoOrderEqualTheJobsOneByOne(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(300))
	p.Property("as workers come", prop.ForAll(func(p program, workers int) bool {
		return slices.EqualFunc(p.sequentially(), p.automatically(workers), slices.Equal)
	}, genProgram(), gen.IntRange(1, 8)))
	p.TestingRun(t)
}

func TestJobsInAutoOrderEqualTheJobsOneByOneWhenTheCellsAreDealt(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(150))
	p.Property("with the cells dealt", prop.ForAll(func(p program, workers int) bool {
		want := p.sequentially()
		defer handout.Force(p.seed)()
		return slices.EqualFunc(want, p.automatically(workers), slices.Equal)
	}, genProgram(), gen.IntRange(1, 8)))
	p.TestingRun(t)
}

// conflicting says whether jobs of these claims exclude each other: they are drawn over the same containers.
func conflicting(a, b claims) bool {
	for i := range a {
		if a[i] != 0 && b[i] != 0 && (a[i] > 1 || b[i] > 1) {
			return true
		}
	}
	return false
}

// claims says of each container whether a job reads it (1), or changes it (2).
type claims [programArrays + programLogs]int

// failing schedules a program of jobs of which some fail, in the order that link gives each, and returns how
// each ended and what they left.
func (p program) failing(link func(earlier []parallelfor.Handle, conflicts []int) parallelfor.Option) (errs []error, left [][]int) {
	s, r := newState(), rand.New(rand.NewPCG(p.seed, 0))
	var handles []parallelfor.Handle
	var all []claims
	for id := range p.jobs {
		n, m, c := s.draw(r, id, true)
		var conflicts []int
		for k := range all {
			if conflicting(all[k], c) {
				conflicts = append(conflicts, k)
			}
		}
		handles = append(handles, parallelfor.ScheduleErr(context.Background(), n, m, parallelfor.Batch(1), parallelfor.Sequential(), link(handles, conflicts)))
		all = append(all, c)
	}
	for i := len(handles) - 1; i >= 0; i-- {
		handles[i].Complete()
	}
	for _, h := range handles {
		errs = append(errs, h.Err())
	}
	return errs, s.contents()
}

func TestAutoOrderIsAfterEveryConflictingJob(t *testing.T) {
	watchdog(t)
	failed := 0
	p := gopter.NewProperties(parameters(200))
	p.Property("also when jobs fail", prop.ForAll(func(p program) bool {
		wantErrs, want := p.failing(func(earlier []parallelfor.Handle, conflicts []int) parallelfor.Option {
			var after []parallelfor.Handle
			for _, k := range conflicts {
				after = append(after, earlier[k])
			}
			return parallelfor.After(after...)
		})
		errs, got := p.failing(func([]parallelfor.Handle, []int) parallelfor.Option { return parallelfor.AutoOrder() })
		for _, err := range errs {
			if err != nil {
				failed++
			}
		}
		return slices.Equal(wantErrs, errs) && slices.EqualFunc(want, got, slices.Equal)
	}, genProgram()))
	p.TestingRun(t)
	require.Positive(t, failed)
}

// note is a job that appends its number to two logs, of which it may skip one.
type note struct {
	ID   int
	Logs []appender[int]
}

func (n *note) Execute() {
	for i := range n.Logs {
		n.Logs[i].Append(n.ID)
	}
}

// Of two jobs that two goroutines schedule one comes first, and it does so in every container of both.
func TestAutoOrderFromManyGoroutinesIsOneOrder(t *testing.T) {
	watchdog(t)
	for round := range rounds(60) {
		logs := []*journal[int]{newJournal[int](), newJournal[int](), newJournal[int]()}
		const each = 10
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(round), uint64(g)))
				var handles []parallelfor.Handle
				for k := range each {
					n := note{ID: g*each + k}
					skip := r.IntN(len(logs) + 1)
					for i, l := range logs {
						if i != skip {
							n.Logs = append(n.Logs, l.Appender())
						}
					}
					slices.Reverse(n.Logs[:1+k%len(n.Logs)]) // the ledger's order is its own
					if k%3 == 0 {
						parallelfor.RunSingle(n, parallelfor.AutoOrder())
						continue
					}
					handles = append(handles, parallelfor.ScheduleSingle(n, parallelfor.AutoOrder()))
				}
				r.Shuffle(len(handles), func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
				for _, h := range handles {
					h.Complete()
				}
			})
		}
		all.Wait()
		place := map[[2]int]int{} // of a pair of jobs, which was first: 1 the first of the pair, -1 the other
		for _, l := range logs {
			items := l.Items()
			for i, a := range items {
				for _, b := range items[i+1:] {
					require.NotEqual(t, a, b, "a job ran twice")
					first, pair := 1, [2]int{a, b}
					if a > b {
						first, pair = -1, [2]int{b, a}
					}
					if was, known := place[pair]; known {
						require.Equal(t, was, first, "jobs %d and %d", a, b)
					}
					place[pair] = first
				}
			}
		}
	}
}

func TestRunsInAutoOrderOfManyGoroutinesTakeTurns(t *testing.T) {
	watchdog(t)
	a := array.New[int](20)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range rounds(40) {
				parallelfor.Run(20, indexJob{a.Writer()}, parallelfor.AutoOrder(), parallelfor.Batch(3))
			}
		})
	}
	all.Wait()
	require.Equal(t, 6*rounds(40), a.At(0))
	require.Equal(t, 6*rounds(40)*20, a.At(19))
}

// The ledger finds the jobs behind a read, of which none conflicts with another.
func TestAutoOrderWaitsForAllReaders(t *testing.T) {
	watchdog(t)
	a := numbers(8)
	open := make(chan struct{})
	var readers []parallelfor.Handle
	for range 5 {
		readers = append(readers, parallelfor.Go(a.Reader(), func(r *array.Reader[int]) {
			<-open
			if r.At(3) != 3 {
				panic("too late")
			}
		}))
	}
	w := scheduleFor(8, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, -1) }, parallelfor.AutoOrder())
	require.False(t, w.Finished())
	close(open)
	w.Complete()
	require.Equal(t, -1, a.At(3))
	for _, r := range readers {
		r.Complete()
	}
}

func TestAnEmptyJobIsRunAfterByOthers(t *testing.T) {
	watchdog(t)
	for range rounds(200) {
		a := numbers(4)
		first := scheduleFor(0, a.Writer(), nothing)
		second := scheduleFor(4, a.Writer(), nothing, parallelfor.AutoOrder())
		second.Complete()
		first.Complete()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				for n := range 6 {
					scheduleFor(n%2, a.Writer(), nothing, parallelfor.AutoOrder()).Complete()
				}
			})
		}
		all.Wait()
	}
}

func TestAJobWithoutAHandleCannotBeRunAfter(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, opts := range [][]parallelfor.Option{nil, {parallelfor.After(parallelfor.Combine())}} {
		a := numbers(4)
		begun, open, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			parallelfor.Do(a.Writer(), func(*array.Writer[int]) { close(begun); <-open }, append(opts, parallelfor.Name("run"))...)
		}()
		<-begun
		for _, opt := range []parallelfor.Option{parallelfor.AutoOrder(), parallelfor.Name("late")} {
			v := violation(t, safety.ErrConflict, func() { scheduleFor(4, a.Writer(), nothing, opt) })
			require.Equal(t, "run", v.OtherJob)
			require.Contains(t, v.Error(), "was run, not scheduled")
			require.Contains(t, v.Error(), "give both jobs AutoOrder()")
		}
		close(open)
		<-done
		scheduleFor(4, a.Writer(), nothing, parallelfor.AutoOrder()).Complete()
		a.Set(0, 1)
	}
}

func TestNestedJobsInAutoOrderRunOneAfterTheOther(t *testing.T) {
	watchdog(t)
	for round := range rounds(40) {
		stop := func() {}
		if round%2 == 1 {
			stop = handout.Force(uint64(round))
		}
		a, log := numbers(12), newJournal[int]()
		type views struct {
			A   array.Writer[int]
			Log appender[int]
		}
		parallelfor.ForBatch(12, views{a.Writer(), log.Appender()}, func(v *views, begin, end int) {
			own := array.New[int](end - begin)
			n := end - begin
			var h []parallelfor.Handle
			for k := range 3 {
				h = append(h, scheduleFor(n, v.A, func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+k) }, parallelfor.AutoOrder(), parallelfor.Workers(2)))
				h = append(h, parallelfor.ScheduleSingle(note{begin + k, []appender[int]{v.Log}}, parallelfor.AutoOrder()))
				h = append(h, scheduleFor(n, own.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+k) }, parallelfor.AutoOrder()))
			}
			for _, k := range rand.New(rand.NewPCG(uint64(round), 0)).Perm(len(h)) {
				h[k].Complete()
			}
			for i := range n {
				if own.At(i) != 12 {
					panic("what the cell made itself")
				}
			}
		}, parallelfor.Batch(4), parallelfor.Workers(3))
		stop()
		for i := range 12 {
			require.Equal(t, 1000*i+12, a.At(i))
		}
		require.Equal(t, []int{0, 1, 2, 4, 5, 6, 8, 9, 10}, log.Items())
	}
}

func TestAutoOrderLendsNothingThatTheBodyDoesNotHold(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := numbers(4)
	v := violation(t, safety.ErrNotLent, func() {
		parallelfor.Do(a.Writer(), func(*array.Writer[int]) { scheduleFor(4, a.Writer(), nothing, parallelfor.AutoOrder()) })
	})
	require.Contains(t, v.Error(), "does not hold")
}

// A body makes a container and gives it away: the job that gets it runs after the body, so the body cannot run
// another one after that.
func TestAutoOrderThatWouldWaitForTheBodyIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, before := range []int{0, 1} { // jobs in whose order the nested one is noted before
		own, given, taken := make(chan parallelfor.Handle, 1), make(chan *array.Array[int]), make(chan struct{})
		outer := parallelfor.Go(none{}, func(*none) {
			c := numbers(4)
			given <- c
			<-taken
			other := scheduleFor(4, none{}, func(*none, int) {})
			opts := []parallelfor.Option{parallelfor.AutoOrder(), parallelfor.Name("nested")}
			if before == 1 {
				opts = append(opts, parallelfor.After(other))
			}
			defer other.Complete()
			scheduleFor(4, c.Writer(), nothing, opts...).Complete()
		}, parallelfor.Name("outer"))
		own <- outer
		c := <-given
		later := scheduleFor(4, c.Writer(), nothing, parallelfor.After(<-own), parallelfor.Name("later"))
		close(taken)
		v := violation(t, safety.ErrWaitCycle, outer.Complete)
		require.Equal(t, []string{"outer", "later"}, []string{v.Job, v.OtherJob})
		require.ErrorIs(t, endingOf(later.Complete).value.(error), safety.ErrWaitCycle, "the root failure")
		c.Set(0, 1)
	}
}

func TestAutoOrderWithoutConflictsRunsBesideOthers(t *testing.T) {
	watchdog(t)
	a, b := numbers(4), numbers(4)
	open := make(chan struct{})
	held := parallelfor.Go(a.Reader(), func(*array.Reader[int]) { <-open })
	h := scheduleFor(4, struct {
		A array.Reader[int]
		B array.Writer[int]
	}{a.Reader(), b.Writer()}, func(*struct {
		A array.Reader[int]
		B array.Writer[int]
	}, int) {
	}, parallelfor.AutoOrder())
	h.Complete()
	b.Set(0, 1)
	close(open)
	held.Complete()
}

func TestARunInAutoOrderFailsAsItsBodyDid(t *testing.T) {
	watchdog(t)
	out := array.New[int](10)
	first := scheduleFor(10, out.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
	err := parallelfor.ForErr(t.Context(), 10, out.Writer(), func(w *array.Writer[int], i int) error {
		if w.At(i) == 7 {
			return errSwap
		}
		return nil
	}, parallelfor.AutoOrder())
	require.ErrorIs(t, err, errSwap)
	first.Complete()
	p := panicked(t, func() {
		parallelfor.For(10, out.Writer(), func(w *array.Writer[int], i int) { panic(i) }, parallelfor.AutoOrder())
	})
	require.Equal(t, 0, p.Value)
}

// A job in AutoOrder runs after what had returned its containers before, whoever scheduled that: the race detector would
// tell of the variable.
func TestAutoOrderFollowsWhatHasReturned(t *testing.T) {
	watchdog(t)
	a, shared := numbers(1), 0
	var all sync.WaitGroup
	for k := range 3 {
		all.Go(func() {
			time.Sleep(time.Duration(k) * 30 * time.Millisecond) // which orders nothing
			scheduleFor(1, a.Writer(), func(*array.Writer[int], int) { shared++ }, parallelfor.AutoOrder()).Complete()
		})
	}
	all.Wait()
	require.Equal(t, 3, shared)
}
