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

// Grid returns how the driver cuts [0, n): the length of a cell, and how many there are.
func Grid(n, batch int) (length, cells int) {
	g := newGrid(n, batch)
	return g.batch, g.cells
}

// Bounds returns the indices of cell c of the grid.
func Bounds(n, batch, c int) (begin, end int) {
	g := newGrid(n, batch)
	return g.bounds(c)
}

// Refusal returns what refuses a job whose views, or who itself, is of the type.
func Refusal(t reflect.Type, job string) *safety.Violation { return layoutOf(t).refusal(job) }

// IdleResidents returns how many residents of the pool sleep or are about to, and how many it has.
func IdleResidents(p *Pool) (idle, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle), p.count
}

// DefaultPool is the pool of jobs that name no other.
var DefaultPool = &defaultPool

// Raced says whether the race detector, and with it the engine of one goroutine a cell, is compiled in.
const Raced = atom.Race

// HandOut hands cells out to workers that all ask at once, as long as there are any, and gives each what
// it got: the runs [begin, end) in the order in which it got them.
func HandOut(cells, workers int, got func(worker, begin, end int)) {
	var h hand
	h.reset(cells, workers)
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
	j := jobOf(h.life)
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.dependents)
}

// FillCounts brings the word that counts the pool's jobs and cells close to where it is emptied.
func FillCounts(p *Pool, jobs, cells uint64) { p.books.alone.word.Store(jobs<<twinShift | cells) }

// Span is one cell of a job, in nanoseconds since the recording began.
type Span struct {
	Cell, Begin, End int
	From, To         int64
}

// Part is what a worker ran on one goroutine; residents have numbers from 1 on.
type Part struct {
	Worker, Resident int
	Spans            []Span
}

// Recorded is a job as a graph knows it. After and Within are places in the list of jobs; Within is -1 for none.
type Recorded struct {
	Name, Site                string
	N, Batch, Workers, Within int
	Failed                    bool
	After                     []int
	Parts                     []Part
}

// GraphOf returns a graph of the jobs, as if they had been recorded.
func GraphOf(jobs []Recorded) *Graph {
	g := new(Graph)
	residents := map[int]*tally{}
	records := make([]*record, len(jobs))
	for i, j := range jobs {
		r := &record{id: uint64(i + 1), name: j.Name, site: j.Site, grid: newGrid(j.N, j.Batch), workers: j.Workers, failed: j.Failed}
		for _, a := range j.After {
			r.after = append(r.after, records[a])
		}
		if j.Within >= 0 {
			r.within = records[j.Within]
		}
		for _, p := range j.Parts {
			q := part{worker: p.Worker}
			if p.Resident > 0 {
				if residents[p.Resident] == nil {
					residents[p.Resident] = new(tally)
				}
				q.resident = residents[p.Resident]
			}
			for k, s := range p.Spans {
				if k == 0 {
					q.from = s.From
				}
				q.spans = append(q.spans, span{cell: s.Cell, begin: s.Begin, end: s.End, from: s.From, to: s.To})
				q.to, r.to = s.To, max(r.to, s.To)
			}
			r.parts = append(r.parts, q)
		}
		records[i] = r
	}
	for i := range records { // they finish the other way round
		g.add(records[len(records)-1-i])
	}
	return g
}

// CostKey returns the word under which the cost of loops of the function is remembered.
func CostKey(body func(v *struct{}, begin, end int)) uintptr {
	key, _, _ := costKey(batchFunc[struct{}]{body})
	return key
}

// Places is how many workers a job that is opened for n has room for.
func Places(n int) int {
	j := job{settings: settings{pool: &defaultPool}}
	j.admitWorkers(n, 0)
	return places(j.state.Load())
}

// TakeAsResidentOf does what a resident of p does that was offered the job when its memory was another job's. It
// returns false when the job needs no worker.
func TakeAsResidentOf(p *Pool, h Handle) bool {
	w, ok := jobOf(h.life).join()
	if ok {
		(&resident{pool: p}).take(jobOf(h.life), w)
	}
	return ok
}

// Sampled returns for how many jobs of its type none will be timed, as far as the handle's job knows, and SetSampled sets it. The job has not ended.
func Sampled(h Handle) int          { return jobOf(h.life).sample.wait }
func SetSampled(h Handle, wait int) { jobOf(h.life).sample.wait = wait }

// Every kind that calls one function of the program tells which.
var _ = []origin.Coded{
	indexFunc[int]{}, batchFunc[int]{}, singleFunc[int]{}, indexErrFunc[int]{}, batchErrFunc[int]{}, singleErrFunc[int]{}, new(eachFunc[int, int]),
	new(eachErrFunc[int, int]), new(finding[int]), new(findingErr[int]), new(masking[int]), new(maskingErr[int]),
	new(reducing[int, int]), new(scanning[int, int]), new(shifting[int, int]), new(sorting[int, int]), compacting[int]{},
}

// Queued returns the number of jobs in the pool's queue.
func Queued(p *Pool) int { return int(p.queued.Load()) }

// TellNone tells a list with room for so many jobs, of which most were on it, and returns its room
// afterwards.
func TellNone(room, most int) int {
	next := &told{jobs: make([]*job, 0, room), most: most}
	tellAll(next)
	return cap(next.jobs)
}

// NoteWaits has n jobs wait for n others, and ends the waits. It returns the room that the list of
// waits had meanwhile, and has afterwards.
func NoteWaits(n int) (during, after int) {
	var l waitList
	jobs := make([]*job, 2*n)
	for i := range jobs {
		jobs[i] = new(job)
		jobs[i].ready()
	}
	for i := range n {
		l.note(party{job: jobs[2*i]}, point{life: jobs[2*i+1].ticket.Life()})
	}
	during = cap(l.list)
	for i := range n {
		l.end(party{job: jobs[2*i]}, point{life: jobs[2*i+1].ticket.Life()})
	}
	return during, cap(l.list)
}
