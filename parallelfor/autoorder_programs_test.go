package parallelfor_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

// mix is a job over any number of containers: what it writes depends on all that it reads, and on
// what was there.
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

// draw returns the next job of the program, how long it is, and what it claims. fails reports
// whether some do.
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
		if err := parallelfor.ForErr(context.Background(), n, m, (*mix).Execute, parallelfor.Sequential()); err != nil {
			panic(err)
		}
	}
	return s.contents()
}

// automatically schedules the jobs from one goroutine with AutoOrder, and completes them from
// several in any order.
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
			if err := parallelfor.ForErr(context.Background(), n, m, (*mix).Execute, opts...); err != nil {
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
		handles = append(handles, parallelfor.ScheduleErr(context.Background(), n, m, (*mix).Execute, opts...))
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

func TestJobsInAutoOrderEqualTheJobsOneByOneWhenTheBatchesAreDealt(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(150))
	p.Property("with the batches dealt", prop.ForAll(func(p program, workers int) bool {
		want := p.sequentially()
		defer handout.Force(p.seed)()
		return slices.EqualFunc(want, p.automatically(workers), slices.Equal)
	}, genProgram(), gen.IntRange(1, 8)))
	p.TestingRun(t)
}

// conflicting reports whether jobs of these claims exclude each other: they are drawn over the same
// containers.
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

// failing schedules a program of jobs of which some fail, in the order that link gives each, and
// returns how each ended and what they left.
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
		handles = append(handles, parallelfor.ScheduleErr(context.Background(), n, m, (*mix).Execute, parallelfor.Batch(1), parallelfor.Sequential(), link(handles, conflicts)))
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
