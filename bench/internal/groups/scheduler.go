package groups

import (
	"context"
	"runtime"
	"sync"

	"github.com/alitto/pond/v2"
	"github.com/panjf2000/ants/v2"
	concpool "github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/parallelfor"
)

func schedulerRows(r *Run) {
	allocations(r)
	empty(r)
}

// touch is a job that does next to nothing, with two views as most jobs have.
type touch struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *touch) ExecuteBatch(begin, _ int) { j.Out.Set(begin, j.In.At(begin)) }

func (j *touch) Execute(i int) { j.Out.Set(i, j.In.At(i)) }

type touchOnce struct{ Out array.Writer[float64] }

func (j *touchOnce) Execute() { j.Out.Set(0, 1) }

// allocations is the promise that a schedule allocates nothing in the steady state.
func allocations(r *Run) {
	const n = 10_000
	p := newPair(n)
	job := func() touch { return touch{p.in.Reader(), p.out.Writer()} }
	for _, c := range []struct {
		work string
		info bool
		do   func()
	}{
		{"RunBatch, struct job", false, func() { parallelfor.RunBatch(n, job()) }},
		{"RunBatch, struct job, one worker", false, func() { parallelfor.RunBatch(n, job(), parallelfor.Sequential()) }},
		{"Run, struct job", false, func() { parallelfor.Run(n, job()) }},
		{"RunSingle, struct job", false, func() { parallelfor.RunSingle(touchOnce{p.out.Writer()}) }},
		{"ScheduleBatch and Complete, struct job", true, func() { parallelfor.ScheduleBatch(n, job()).Complete() }},
	} {
		allocs := measure.Allocs(r.Config, 1000, c.do)
		r.Rows = append(r.Rows, report.Row{Group: r.Group, Work: "allocations of " + c.work, Unit: "allocs", Ours: allocs.Median, Ratio: allocs, Info: c.info})
	}
}

// nothing is an empty body with a receiver to call.
type nothing struct{}

func (*nothing) ExecuteBatch(begin, end int) { noBody(begin, end) }

//go:noinline
func noBody(_, _ int) {}

// empty compares what it costs to have nothing done in parallel, back to back. The peers get one task
// for each processor, which is the best for them.
func empty(r *Run) {
	const n = 10_000
	procs := runtime.GOMAXPROCS(0)
	part := func(_, begin, end int) { noBody(begin, end) }

	ponds := pond.NewPool(procs)
	defer ponds.StopAndWait()
	antPool, err := ants.NewPool(procs)
	if err != nil {
		r.Note("skipped: ants: " + err.Error())
		return
	}
	defer antPool.Release()

	peers := []measure.Side{
		measure.Do("goroutines", func() { parts(n, part) }),
		measure.Do("goroutines and caller", func() { partsHere(n, part) }),
		measure.Do("errgroup", func() {
			g, _ := errgroup.WithContext(context.Background())
			for p := range procs {
				g.Go(func() error { noBody(n*p/procs, n*(p+1)/procs); return nil })
			}
			_ = g.Wait()
		}),
		measure.Do("conc", func() {
			g := concpool.New().WithMaxGoroutines(procs)
			for p := range procs {
				g.Go(func() { noBody(n*p/procs, n*(p+1)/procs) })
			}
			g.Wait()
		}),
		measure.Do("pond", func() {
			g := ponds.NewGroup()
			for p := range procs {
				g.Submit(func() { noBody(n*p/procs, n*(p+1)/procs) })
			}
			_ = g.Wait()
		}),
		measure.Do("ants", func() {
			var wg sync.WaitGroup
			wg.Add(procs)
			for p := range procs {
				if err := antPool.Submit(func() { noBody(n*p/procs, n*(p+1)/procs); wg.Done() }); err != nil {
					panic(err)
				}
			}
			wg.Wait()
		}),
	}
	names := make([]string, len(peers))
	for i := range peers {
		names[i] = peers[i].Name
	}
	jobs := []struct {
		work string
		do   func()
	}{
		{"empty RunBatch, 10k indices, no views", func() { parallelfor.RunBatch(n, nothing{}) }},
	}
	p := newPair(n)
	jobs = append(jobs, struct {
		work string
		do   func()
	}{"empty RunBatch, 10k indices, two views", func() { parallelfor.RunBatch(n, touch{p.in.Reader(), p.out.Writer()}) }})
	for _, j := range jobs {
		c := r.compare(j.work, 1, nil, append([]measure.Side{measure.Do(ours, j.do)}, peers...)...)
		for _, name := range names {
			c.atMostOf(0, name)
		}
	}
}
