package parallelfor

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// Grid returns how the driver cuts [0, n): the length of a batch, and how many there are.
func Grid(n, batch int) (length, batches int) {
	g := newGrid(n, batch)
	return g.size, g.batches
}

// Bounds returns the indices of batch c of the grid.
func Bounds(n, batch, c int) (begin, end int) {
	g := newGrid(n, batch)
	return g.bounds(c)
}

// Refusal returns what refuses a job that is of the type, or has a view of it.
func Refusal(t reflect.Type, job string) *safety.Violation { return fieldPlanOf(t).refusal(job) }

// IdleWorkers returns how many worker goroutines of the pool sleep or are about to, and how many it
// has.
func IdleWorkers(p *Pool) (idle, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle), p.count
}

// DefaultPool is the pool of jobs that name no other.
var DefaultPool = &defaultPool

// Raced reports whether the race detector, and with it the engine of one goroutine a batch, is
// compiled in.
const Raced = atom.Race

// HandOut gives batches to workers that all ask at once, as long as there are any, and calls got
// with the spans [begin, end) of each in the order in which it got them.
func HandOut(batches, workers int, got func(worker, begin, end int)) {
	var h distribution
	h.reset(batches, workers, batches%2 == 1)
	var ready atomic.Int32
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			ready.Add(1)
			for ready.Load() < int32(workers) {
				runtime.Gosched()
			}
			for {
				begin, end, ok := h.take(w)
				if !ok {
					return
				}
				got(w, begin, end)
			}
		})
	}
	all.Wait()
}

// Dependents returns the number of jobs that wait for the handle's job, which has not finished, to
// be started.
func Dependents(h Handle) int {
	j := execOf(h)
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.dependents)
}

// CostKey returns the word under which the cost of loops of the function is remembered.
func CostKey(body func(v *struct{}, begin, end int)) uintptr {
	return typeWord(perBatch[struct{}](body)) ^ origin.Code(body)*31
}

// Places is how many workers a job that is opened for n has room for.
func Places(n int) int {
	j := exec{pool: &defaultPool}
	j.admitWorkers(n, 0)
	return places(j.state.Load())
}

// TakeAsWorkerOf does what a worker goroutine of p does that was offered the job when its memory
// was another job's. It returns false when the job needs no worker.
func TakeAsWorkerOf(p *Pool, h Handle) bool {
	w, ok := execOf(h).join(nil)
	if ok {
		(&poolWorker{pool: p}).take(execOf(h), w)
	}
	return ok
}

// Sampled returns for how many jobs of its type none will be timed, as far as the handle's job
// knows, and SetSampled sets it. The job has not ended.
func Sampled(h Handle) int          { return execOf(h).work.sample.wait }
func SetSampled(h Handle, wait int) { execOf(h).work.sample.wait = wait }

// ForgetAutoOrder makes as if no job had been scheduled with AutoOrder, and no ticket been asked
// for. No job is uncompleted.
func ForgetAutoOrder() { allStay.Store(0) }

// SameExec reports whether two handles have one exec.
func SameExec(a, b Handle) bool { return a.job == b.job }

// Queued returns the number of jobs in the pool's queue.
func Queued(p *Pool) int { return int(p.queued.Load()) }

// NoteWaits has n jobs wait for n others, and ends the waits. It returns the room that the list of
// waits had meanwhile, and has afterwards.
func NoteWaits(n int) (during, after int) {
	var l waitList
	jobs := make([]*exec, 2*n)
	for i := range jobs {
		jobs[i] = new(exec)
		jobs[i].ready(new(work))
	}
	for i := range n {
		l.note(party{job: jobs[2*i]}, point{job: jobs[2*i+1]})
	}
	during = cap(l.list)
	for i := range n {
		l.end(party{job: jobs[2*i]}, point{job: jobs[2*i+1]})
	}
	return during, cap(l.list)
}

// Seat returns the number of the worker that runs the call of f. Worker 0 has begun the recursion,
// and the others run halves that were given away. In builds with the race detector it is 0.
func Seat[A, R any](f *Forks[A, R]) int { return f.w.at }

// Asks returns whether a worker that waits for a part gets one of another worker, which runs that
// part if within is true, and nothing otherwise.
func Asks(within bool) bool {
	w, a, p := new(forker), new(forker), new(given)
	if within {
		w.runs = &given{outer: p}
	}
	a.waits.Store(p)
	w.asker.Store(a)
	return w.asked() == a && a.inbox.Load() != &nothing
}
