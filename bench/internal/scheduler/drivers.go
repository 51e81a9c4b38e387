package scheduler

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	lo "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc/iter"
	concpool "github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"
)

// driver is a way to run a loop in parallel without this library.
type driver struct {
	name string
	// nests says that a body may run a loop with the same driver. Pools whose tasks wait for tasks
	// of the same pool stand still.
	nests bool
	// loop calls body for all of [0, n), in tasks of batch indices. With batch 0 the tasks are as
	// the driver does best with: most take one for each processor.
	loop func(n, batch int, body func(begin, end int))
}

// static are the names of the drivers that give each processor one part, whatever the batch.
var static = []string{"goroutines", "goroutines and caller"}

// counted is the name of the driver whose tasks are taken from a counter.
const counted = "goroutines, counter"

// drivers are all of them, with what they need to live.
type drivers struct {
	all   []driver
	close func()
}

func startDrivers() (*drivers, error) {
	procs := runtime.GOMAXPROCS(0)
	antPool, err := ants.NewPool(procs)
	if err != nil {
		return nil, err
	}
	ponds := pond.NewPool(procs)
	workers := workerpool.New(procs)
	return &drivers{
		close: func() {
			workers.StopWait()
			ponds.StopAndWait()
			antPool.Release()
		},
		all: []driver{
			{static[0], true, byParts},
			{static[1], true, byPartsHere},
			{counted, true, byCounter},
			{"goroutines, halving", true, byHalving},
			{"errgroup", true, byErrgroup},
			{"conc pool", true, byConcPool},
			{"conc iter", true, byConcIter},
			{"lo", true, byLo},
			{"pond", false, func(n, batch int, body func(begin, end int)) {
				c, g := newCut(n, batch), ponds.NewGroup()
				for t := range c.tasks {
					g.Submit(func() { body(c.bounds(t)) })
				}
				if err := g.Wait(); err != nil {
					panic(err)
				}
			}},
			{"ants", false, submitting(func(task func()) {
				if err := antPool.Submit(task); err != nil {
					panic(err)
				}
			})},
			{"workerpool", false, submitting(workers.Submit)},
		},
	}, nil
}

// cut is [0, n) cut into tasks.
type cut struct{ n, tasks, batch int }

// newCut cuts at multiples of batch, or for batch 0 evenly, one task for each processor.
func newCut(n, batch int) cut {
	if batch == 0 {
		return cut{n, min(n, runtime.GOMAXPROCS(0)), 0}
	}
	return cut{n, (n + batch - 1) / batch, batch}
}

// bounds returns the indices of task t.
func (c *cut) bounds(t int) (begin, end int) {
	if c.batch == 0 {
		return c.n * t / c.tasks, c.n * (t + 1) / c.tasks
	}
	return t * c.batch, min((t+1)*c.batch, c.n)
}

// byParts gives each processor's part to a new goroutine.
func byParts(n, _ int, body func(begin, end int)) {
	c := newCut(n, 0)
	var wg sync.WaitGroup
	wg.Add(c.tasks)
	for t := range c.tasks {
		go func() {
			body(c.bounds(t))
			wg.Done()
		}()
	}
	wg.Wait()
}

// byPartsHere is byParts, with the last part on the goroutine that calls.
func byPartsHere(n, _ int, body func(begin, end int)) {
	c := newCut(n, 0)
	if c.tasks == 1 {
		body(0, n)
		return
	}
	var wg sync.WaitGroup
	wg.Add(c.tasks - 1)
	for t := range c.tasks - 1 {
		go func() {
			body(c.bounds(t))
			wg.Done()
		}()
	}
	body(c.bounds(c.tasks - 1))
	wg.Wait()
}

// byCounter has a goroutine for each processor, the caller one of them, take tasks from a counter.
// With batch 0 there are eight tasks for each.
func byCounter(n, batch int, body func(begin, end int)) {
	procs := runtime.GOMAXPROCS(0)
	if batch == 0 {
		batch = max(1, n/(8*procs))
	}
	c := newCut(n, batch)
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		for {
			t := int(next.Add(1)) - 1
			if t >= c.tasks {
				return
			}
			body(c.bounds(t))
		}
	}
	for range min(procs, c.tasks) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// byHalving halves the range, the right half on a new goroutine, down to the batch, or with batch 0
// to two tasks for each processor, as libraries do that fork and join: a panic of a right half is
// the caller's.
func byHalving(n, batch int, body func(begin, end int)) {
	tasks := 2 * runtime.GOMAXPROCS(0)
	if batch != 0 {
		tasks = (n + batch - 1) / batch
	}
	var halve func(begin, end, tasks int)
	halve = func(begin, end, tasks int) {
		if tasks <= 1 {
			body(begin, end)
			return
		}
		left := tasks / 2
		mid := begin + (end-begin)*left/tasks
		var failure any
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer func() {
				failure = recover()
				wg.Done()
			}()
			halve(mid, end, tasks-left)
		}()
		halve(begin, mid, left)
		wg.Wait()
		if failure != nil {
			panic(failure)
		}
	}
	halve(0, n, min(n, tasks))
}

func byErrgroup(n, batch int, body func(begin, end int)) {
	c, procs := newCut(n, batch), runtime.GOMAXPROCS(0)
	var g errgroup.Group
	if c.tasks > procs {
		g.SetLimit(procs)
	}
	for t := range c.tasks {
		g.Go(func() error {
			body(c.bounds(t))
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
}

func byConcPool(n, batch int, body func(begin, end int)) {
	c := newCut(n, batch)
	g := concpool.New().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	for t := range c.tasks {
		g.Go(func() { body(c.bounds(t)) })
	}
	g.Wait()
}

func byConcIter(n, batch int, body func(begin, end int)) {
	c := newCut(n, batch)
	iter.ForEachIdx(make([]struct{}, c.tasks), func(t int, _ *struct{}) { body(c.bounds(t)) })
}

func byLo(n, batch int, body func(begin, end int)) {
	c := newCut(n, batch)
	lo.ForEach(make([]struct{}, c.tasks), func(_ struct{}, t int) { body(c.bounds(t)) })
}

// submitting returns the loop of a pool that has no groups of tasks.
func submitting(submit func(task func())) func(n, batch int, body func(begin, end int)) {
	return func(n, batch int, body func(begin, end int)) {
		c := newCut(n, batch)
		var wg sync.WaitGroup
		wg.Add(c.tasks)
		for t := range c.tasks {
			submit(func() {
				body(c.bounds(t))
				wg.Done()
			})
		}
		wg.Wait()
	}
}
