package parallelfor

import (
	"cmp"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
)

// Graph is what [Record] records: the jobs that are scheduled while it is on, what each runs after,
// and which worker ran which of its batches when. [Graph.Jobs] returns them; package timeline draws
// them.
//
// A job is in the graph from the moment when it has finished; those scheduled before Record or
// after [Graph.Stop], and those that were refused, never are. Any number of graphs may record at
// the same time, and any goroutine may use one. A Graph must not be copied.
//
// Recording costs a job some microseconds and allocations, and each batch two readings of the
// clock, some 100 ns; the graph keeps some 50 bytes for each batch. While nothing records it costs
// a job one load.
type Graph struct {
	from    int64
	mu      atom.HiddenMutex
	records []*record // in the order in which they finished
}

// record is what a graph knows of a job. Nothing in it changes once the job has finished.
type record struct {
	id       uint64 // by the order of schedules
	name     string
	site     string // where it was scheduled
	grid     grid
	workers  int
	failed   bool
	from, to int64     // when it was scheduled, and finished
	after    []*record // what it runs after, as far as recorded
	within   *record   // whose body scheduled it, if that is recorded
	parts    []part
}

// part is what one worker ran on one goroutine, between entering the job and leaving it.
type part struct {
	worker   int
	resident *resident // the worker goroutine of a pool; nil for others
	from, to int64
	spans    []span
}

// span is one batch, of the indices [begin, end).
type span struct {
	batch, begin, end int
	from, to          int64
}

// Record begins to record the jobs of all pools, until [Graph.Stop].
func Record() *Graph {
	g := &Graph{from: clock()}
	change(g, true)
	return g
}

// Stop ends the recording: jobs that are scheduled from now on are not recorded, those that are running still
// are. Stopping again does nothing.
func (g *Graph) Stop() { change(g, false) }

// change puts the graph among those that record, or takes it away.
//
//go:norace
func change(g *Graph, on bool) {
	s := &switches
	s.mu.Lock()
	next := new([]*Graph)
	if now := s.graphs.Load(); now != nil {
		for _, o := range *now {
			if o != g {
				*next = append(*next, o)
			}
		}
	}
	if on {
		*next = append(*next, g)
	}
	s.graphs.Store(next)
	s.flip(recordJobs, len(*next) > 0)
	s.mu.Unlock()
}

var recorded atom.HiddenInt64 // jobs that were

// newRecord returns the record of a job that is being scheduled.
func newRecord(j *exec) *record {
	r := &record{id: uint64(recorded.Add(1)), name: j.name, site: scheduledAt(j), from: clock()}
	if o := j.outer(); o != nil && o.watch != nil {
		r.within = o.watch.record
	}
	return r
}

// scheduledAt returns where a job was scheduled, as file:line: where it says, or else the nearest place up the stack that is not in this package.
func scheduledAt(j *exec) string {
	if site := j.ticket.Site(); site != 0 {
		return site.String()
	}
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	own := reflect.TypeFor[Graph]().PkgPath() + "."
	f, more := frames.Next()
	for more && strings.HasPrefix(f.Function, own) {
		f, more = frames.Next()
	}
	return filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
}

// close completes the record, when the job has sealed its containers.
func (r *record) close(w *watch) {
	j := w.job
	r.grid, r.workers = j.grid, j.workers
	r.failed = j.outcome() != nil
	for _, a := range j.after {
		if w := a.watch; w != nil && w.record != nil {
			r.after = append(r.after, w.record)
		}
	}
	for i := range w.eyes {
		r.parts = append(r.parts, w.eyes[i].parts...)
	}
	r.to = clock()
}

// add puts a finished job into the graph. Who looks at the graph later may rely on it.
func (g *Graph) add(r *record) {
	atom.ReleaseMerge(unsafe.Pointer(g))
	g.put(r)
}

//go:norace
func (g *Graph) put(r *record) {
	g.mu.Lock()
	g.records = append(g.records, r)
	g.mu.Unlock()
}

// RecordedJob is a job that a [Graph] has recorded. Times are since the recording began.
type RecordedJob struct {
	Name     string        // as in violations
	Site     string        // where it was scheduled, as file:line
	N        int           // indices
	Batches  int           // into which they were cut
	Workers  int           // that the job had room for
	Failed   bool          // or cancelled
	From, To time.Duration // when it was scheduled, and finished
	After    []int         // the recorded jobs that it ran after, as positions in the list of jobs
	Within   int           // the job whose body scheduled it, as such a position, or -1
	Stays    []RecordedStay
}

// RecordedStay is what one worker of a job ran between entering the job and leaving it.
type RecordedStay struct {
	Worker    int // as [Worker.Index]
	Goroutine int // the number of the pool's worker goroutine, from 1 on; 0 for other goroutines and in nested jobs
	From, To  time.Duration
	Batches   []RecordedBatch // in the order in which it ran them
}

// RecordedBatch is a batch that was run, of the indices Begin <= i < End.
type RecordedBatch struct {
	Batch      int           // its number
	Begin, End int           // its indices
	From, To   time.Duration // when the body was called, and returned
}

// Jobs returns the jobs that have finished, in the order in which they were scheduled. It may be
// called by any goroutine, also while the graph records. It copies all that was recorded.
func (g *Graph) Jobs() []RecordedJob {
	records := g.all()
	atom.Acquire(unsafe.Pointer(g))
	slices.SortFunc(records, func(a, b *record) int { return cmp.Compare(a.id, b.id) })
	since := func(t int64) time.Duration { return time.Duration(t - g.from) }
	position := map[*record]int{}
	goroutines := map[*resident]int{nil: 0}
	jobs := make([]RecordedJob, len(records))
	for i, r := range records {
		position[r] = i
		j := RecordedJob{Name: r.name, Site: r.site, N: r.grid.n, Batches: r.grid.batches, Workers: r.workers, Failed: r.failed,
			From: since(r.from), To: since(r.to), Within: -1}
		for _, a := range r.after {
			if k, ok := position[a]; ok { // otherwise another graph alone has it
				j.After = append(j.After, k)
			}
		}
		if k, ok := position[r.within]; ok {
			j.Within = k
		}
		for _, p := range r.parts {
			if _, known := goroutines[p.resident]; !known {
				goroutines[p.resident] = len(goroutines)
			}
			s := RecordedStay{Worker: p.worker, Goroutine: goroutines[p.resident], From: since(p.from), To: since(p.to)}
			for _, c := range p.spans {
				s.Batches = append(s.Batches, RecordedBatch{c.batch, c.begin, c.end, since(c.from), since(c.to)})
			}
			j.Stays = append(j.Stays, s)
		}
		jobs[i] = j
	}
	return jobs
}

//go:norace
func (g *Graph) all() (jobs []*record) {
	g.mu.Lock()
	//lint:ignore S1011 append would show all of them to the race detector, in spite of norace
	for _, r := range g.records {
		jobs = append(jobs, r)
	}
	g.mu.Unlock()
	return jobs
}
