package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// Stats says what a pool has done since it was made. All but Residents only grow. What a job did is counted
// before the job has finished: who has completed it finds it there, entire. What is still running is counted
// in part. Nested jobs count like others, and so do the loops in which containers are sealed.
//
// Counting costs a job one addition to a word of its pool, and a worker that helps one to a line of its own; it
// costs a batch nothing. In builds with the race detector, where every batch has a goroutine of its own, every job
// is Shared, and nobody steals, parks or is resident.
type Stats struct {
	// Alone is how many jobs were run and waited for in one call and executed by the caller alone: those of one
	// worker, those too short to share, and those that had nothing to execute.
	Alone uint64
	// Shared is how many other jobs have finished: those that were offered to residents, and all scheduled ones.
	Shared uint64
	// Batches is how many batches were begun: calls of a body that takes a batch.
	Batches uint64
	// Steals is how often a worker took batches out of another's run.
	Steals uint64
	// Offers is how often a resident that looked for work was given some, without a lock or a wake-up.
	Offers uint64
	// Parks is how often a resident went to sleep, and Wakes how often one was woken.
	Parks, Wakes uint64
	// Residents is how many goroutines the pool has now.
	Workers int
}

// PoolStats returns what the default pool has done, which runs the jobs that name no other. It may be called at
// any time by any goroutine; it takes the pool's lock.
func PoolStats() Stats { return defaultPool.Stats() }

// Stats returns what the pool has done. It takes the pool's lock. Any goroutine may call it at any
// time, also after Close.
func (p *Pool) Stats() Stats {
	if p.copied() {
		panic(safety.NewViolation(safety.ErrCopied, "the Stats of a pool were asked for through a copy of its struct", keepPointer))
	}
	return p.stats()
}

//go:norace
func (p *Pool) stats() Stats {
	b := &p.books
	p.mu.Lock()
	s := b.gone
	s.Parks, s.Wakes = b.parks, b.wakes
	s.Steals += b.steals.Load()
	s.Workers = p.count
	var batches uint64
	s.Alone, batches = b.alone.sum()
	s.Batches += batches
	s.Shared, batches = b.shared.sum()
	s.Batches += batches
	if all := p.workers.Load(); all != nil {
		for i := range *all {
			(*all)[i].Load().tally.addTo(&s)
		}
	}
	p.mu.Unlock()
	return s
}

// books is where a pool's counts are kept.
type books struct {
	_      pad.Bytes
	alone  twin
	shared twin
	steals atom.HiddenUint64 // of workers that are no residents

	// The pool's lock protects these.
	parks, wakes uint64
	gone         Stats // what residents did that have ended
	_            pad.Bytes
}

// twin counts jobs and batches in one word, for a short job to add to both at once: jobs in the upper 24 bits, batches
// in the lower 40. Before either has no room left, the word is emptied into what has.
type twin struct {
	word          atom.HiddenUint64
	jobs, batches uint64 // the pool's lock protects them
}

const (
	twinShift   = 40
	twinBatches = 1<<twinShift - 1
	twinFull    = 1<<63 | 1<<(twinShift-1) // as many as there were are to come before it runs over
)

// add counts jobs and batches.
func (t *twin) add(p *Pool, jobs, batches int) {
	if t.word.Add(uint64(jobs)<<twinShift|uint64(batches))&twinFull != 0 {
		p.carry(t)
	}
}

// carry empties the word.
//
//go:norace
func (p *Pool) carry(t *twin) {
	p.mu.Lock()
	for {
		v := t.word.Load()
		if t.word.CompareAndSwap(v, 0) {
			t.jobs += v >> twinShift
			t.batches += v & twinBatches
			break
		}
	}
	p.mu.Unlock()
}

// sum returns both counts. The pool is locked.
//
//go:norace
func (t *twin) sum() (jobs, batches uint64) {
	v := t.word.Load()
	return t.jobs + v>>twinShift, t.batches + v&twinBatches
}

// tally is what one resident has done. Only the resident changes it, by plain stores; others look at it. On
// 32-bit machines it counts modulo 2^32.
type tally struct {
	_                       pad.Bytes
	batches, steals, offers atom.Stamp
	_                       pad.Bytes
}

func (t *tally) offered() { t.offers.Store(t.offers.Load() + 1) }

//go:norace
func (t *tally) addTo(s *Stats) {
	s.Batches += uint64(t.batches.Load())
	s.Steals += uint64(t.steals.Load())
	s.Offers += uint64(t.offers.Load())
}

// retire keeps the counts of a resident that ends. The pool is locked.
//
//go:norace
func (p *Pool) retire(r *poolWorker) { r.tally.addTo(&p.books.gone) }

// slept and woken count under the pool's lock.
//
//go:norace
func (p *Pool) slept() { p.books.parks++ }

//go:norace
func (p *Pool) woken() { p.books.wakes++ }

// serve makes the resident a worker of the job, which it has joined.
func (r *poolWorker) serve(j *exec, worker int) {
	f := j.work.enter(worker, true)
	f.enterIn(&r.tally)
	j.resume(f)
}

// begun is what a worker has counted of its part of a job.
type begun struct {
	tally   *tally // of the resident that is the worker; nil when none is
	batches int    // of the runs before the current one
	from    int    // where the current run of batches began
}

// enterIn says in whose books the worker's part counts; nil for those of the pool.
func (r *Batches) enterIn(t *tally) { r.begun.tally = t }

// leg counts the batches of the run that is over, when another one begins at the given batch.
func (r *Batches) leg(begin int) {
	r.begun.batches += r.batch + 1 - r.begun.from
	r.begun.from = begin
}

// account counts what the worker did. It comes before the worker leaves, so before the job finishes.
func (r *Batches) account() {
	r.leg(0)
	j, t := r.job, r.begun.tally
	batches, steals := r.begun.batches, 0
	if r.state.index == 0 {
		j.work.sample.end(j.cost, j.work.timed, min(batches*j.grid.size, j.n))
	}
	if !r.given && r.state.index < len(j.work.distribution.spans) {
		own := &j.work.distribution.spans[r.state.index]
		steals, own.steals = own.steals, 0
	}
	r.begun = begun{}
	switch {
	case t != nil:
		t.batches.Store(t.batches.Load() + uintptr(batches))
		t.steals.Store(t.steals.Load() + uintptr(steals))
		return
	case j.mode >= kept && r.state.index == 0:
		j.work.mine = batches
	default:
		j.pool.books.shared.add(j.pool, 0, batches)
	}
	if steals > 0 {
		j.pool.books.steals.Add(uint64(steals))
	}
}

// account counts the job, and the batches of its keeper. It comes once, when nothing is left to execute.
func (j *exec) account() {
	t := &j.pool.books.shared
	if j.mode == kept {
		t = &j.pool.books.alone
	}
	t.add(j.pool, 1, j.work.mine)
	j.work.mine = 0
}
