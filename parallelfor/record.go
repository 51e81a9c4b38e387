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
// A job is in the graph from the moment when it has finished. Jobs that were scheduled before
// Record or after [Graph.Stop] never are, nor are those that were refused. Any number of graphs may
// record at the same time, and any goroutine may use one. A Graph must not be copied.
//
// Recording costs a job some microseconds and allocations, and each batch two readings of the
// clock, about 100 ns; the graph keeps about 50 bytes for each batch. While no graph records, it
// costs a job one load.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Stop    switch    lock  O(graphs)   one
//	Jobs    snapshot  lock  O(batches)  a copy
//	String  glance    lock  O(1)        the text
type Graph struct {
	from    time.Duration
	mu      atom.HiddenMutex
	records []*record // in the order in which the jobs finished
}

// record is what graphs know of a job. Once that has finished it does not change. Times are by now.
type record struct {
	job    RecordedJob // without After, Within and Stays
	id     uint64      // by the order of schedules
	after  []*record   // of the jobs that it runs after, as far as these are recorded
	within *record     // of the job whose body scheduled it, or nil
	stays  []stay
}

// stay is what one worker ran on one goroutine.
type stay struct {
	RecordedStay
	on *poolWorker // the worker goroutine of a pool; nil for other goroutines
}

// recording has the graphs that record. It is replaced as a whole, under recordingMu, and is nil
// while there are none.
var (
	recording   atom.HiddenPointer[[]*Graph]
	recordingMu atom.HiddenMutex
	recorded    atom.HiddenInt64 // the number of records that were made
)

// Record begins to record the jobs of all pools, until [Graph.Stop].
func Record() *Graph {
	g := &Graph{from: now()}
	g.switchTo(true)
	return g
}

// Stop ends the recording. Jobs that are scheduled from now on are not recorded; those that are
// running are. Stopping again does nothing.
func (g *Graph) Stop() { g.switchTo(false) }

//go:norace
func (g *Graph) switchTo(on bool) {
	recordingMu.Lock()
	defer recordingMu.Unlock()
	next := new([]*Graph)
	if old := recording.Load(); old != nil {
		for _, o := range *old {
			if o != g {
				*next = append(*next, o)
			}
		}
	}
	if on {
		*next = append(*next, g)
	}
	if len(*next) == 0 {
		next = nil
	}
	recording.Store(next)
}

// newRecord returns the record of a job that is being scheduled.
func newRecord(j *exec) *record {
	r := &record{
		job: RecordedJob{Name: j.name, Site: scheduledAt(j), From: now(), Within: -1},
		id:  uint64(recorded.Add(1)),
	}
	if o := j.outer(); o != nil && o.observer != nil {
		r.within = o.observer.record
	}
	return r
}

// scheduledAt returns where a job was scheduled, as file:line: the site that it has, or the nearest
// place up the stack that is not in this package.
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

// close completes the record when the job has sealed its containers.
func (r *record) close(o *observer) {
	j := o.job
	r.job.N, r.job.Batches, r.job.Workers = j.n, j.batches, j.workers
	r.job.Failed = j.outcome() != nil
	for _, a := range j.after {
		if a.observer != nil && a.observer.record != nil {
			r.after = append(r.after, a.observer.record)
		}
	}
	for i := range o.workers {
		r.stays = append(r.stays, o.workers[i].stays...)
	}
	r.job.To = now()
}

// add puts the record of a finished job into the graph, and publishes it to Jobs.
//
//go:norace
func (g *Graph) add(r *record) {
	atom.ReleaseMerge(unsafe.Pointer(g))
	g.mu.Lock()
	g.records = append(g.records, r)
	g.mu.Unlock()
}

// RecordedJob is a job that a [Graph] has recorded. Times are since the recording began.
type RecordedJob struct {
	Name     string        // the name of the job, as in violations
	Site     string        // where it was scheduled, as file:line
	N        int           // the number of indices
	Batches  int           // the number of batches
	Workers  int           // the number of workers that the job had room for
	Failed   bool          // the job failed or was cancelled
	From, To time.Duration // when it was scheduled, and finished
	After    []int         // the recorded jobs that it ran after, as positions in the list of jobs
	Within   int           // the job whose body scheduled it, as such a position, or -1
	Stays    []RecordedStay
}

// RecordedStay is what one worker of a job ran between entering the job and leaving it.
type RecordedStay struct {
	Worker    int // as [Worker.Index]
	Goroutine int // a pool's worker goroutine, counted from 1; 0 for others and in nested jobs
	From, To  time.Duration
	Batches   []RecordedBatch // in the order in which it ran them
}

// RecordedBatch is a batch that was run, of the indices Begin <= i < End.
type RecordedBatch struct {
	Batch      int           // its number
	Begin, End int           // its indices
	From, To   time.Duration // when the body was called, and returned
}

// Jobs returns the jobs that have finished, in the order in which they were scheduled. Any
// goroutine may call it, also while the graph records. It copies all that was recorded.
func (g *Graph) Jobs() []RecordedJob {
	records := g.all()
	atom.Acquire(unsafe.Pointer(g))
	slices.SortFunc(records, func(a, b *record) int { return cmp.Compare(a.id, b.id) })
	position := map[*record]int{}
	goroutines := map[*poolWorker]int{nil: 0}
	jobs := make([]RecordedJob, len(records))
	for i, r := range records {
		position[r] = i
		j := r.job
		g.since(&j.From, &j.To)
		for _, a := range r.after {
			if k, ok := position[a]; ok { // otherwise another graph alone has it
				j.After = append(j.After, k)
			}
		}
		if k, ok := position[r.within]; ok {
			j.Within = k
		}
		for _, t := range r.stays {
			if _, known := goroutines[t.on]; !known {
				goroutines[t.on] = len(goroutines)
			}
			s := t.RecordedStay
			s.Goroutine, s.Batches = goroutines[t.on], slices.Clone(t.Batches)
			g.since(&s.From, &s.To)
			for k := range s.Batches {
				g.since(&s.Batches[k].From, &s.Batches[k].To)
			}
			j.Stays = append(j.Stays, s)
		}
		jobs[i] = j
	}
	return jobs
}

// since converts two times of now to times since the recording began.
func (g *Graph) since(from, to *time.Duration) { *from, *to = *from-g.from, *to-g.from }

//go:norace
func (g *Graph) all() (records []*record) {
	g.mu.Lock()
	//lint:ignore S1011 append would show all of them to the race detector, in spite of norace
	for _, r := range g.records {
		records = append(records, r)
	}
	g.mu.Unlock()
	return records
}
