package parallelfor

import (
	"context"
	"math"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// job is one scheduled loop, whatever its type: its grid, its custody, its workers and its outcome.
//
// A job is filled and admitted when it is scheduled. It is ready when all jobs that it runs after
// have finished, then workers join it, and it has finished when the last worker has left and its
// containers are sealed. Custody returns when a goroutine completes it.
//
// The state word holds, from the top bit: whether workers may join (joinable), whether the caller
// of a kept job sleeps (sleeping), whether the pool was made in a bubble of testing/synctest
// (inBubble), 16 bits that are unused, and three numbers of 15 bits: how many workers may join, how
// many have joined, and how many have not left. A job ends in one of two ways:
//
//   - The last worker to leave a scheduled job closes it in the same step, and finishes it alone.
//   - A job that is run and waited for in one call, and that runs after no other, is kept: worker
//     0, which is the caller, leaves when all others have left, and finishes it. No other goroutine
//     knows of the job, so none needs to be told. While the caller finds that the batches are few
//     and cheap, no other worker joins (keeper.go).
type job struct {
	_     pad.Bytes
	state atom.HiddenUint64
	_     pad.Bytes        // what follows changes seldom while workers read it
	limit atom.HiddenInt64 // cells from here on are not executed: unlimited, but for the lowest failing cell
	grid
	work *work           // nil once a job that a handle stands for has finished
	done <-chan struct{} // of ctx

	settings
	ticket  safety.Ticket
	ctx     context.Context
	after   []*job  // what the job runs after, until it has finished
	few     [2]*job // what after begins in
	place   place
	caller  *callback // that runs the job and waits for it; nil if there is none
	within  party     // scheduled this job to run after others; see waitList.enter
	mode    mode
	single  bool
	bubbled bool // scheduled in a bubble of testing/synctest; false for a kept job
	// told reports whether OpenPhase and SealPhase of the job's containers run as callbacks: they
	// may call functions of a user, and the job is not alone. A kept job of the default pool is not
	// told: it opens and seals its containers on the caller's goroutine, whose stack shows the job
	// around it, unless a body has ended that goroutine (see sealRest).
	told    bool
	orphan  bool // a body ended the goroutine of a kept job's caller
	cost    *cost
	offered atom.HiddenInt64 // how many residents of a large pool were asked; see Pool.offer
	called  atom.HiddenInt64 // when workers that slept were woken for a kept job; 0 when they were not

	over          atom.HiddenUint32 // 1 once the job has finished
	mu            atom.HiddenMutex
	cond          atom.Cond
	failure       *failure  // of the lowest batch so far
	stopped       int       // the lowest batch that a loop stopped after, plus 1; 0 if there is none
	dependents    []*job    // to tell when the job has finished
	fewDependents [2]*job   // what dependents begins in
	pending       int       // how many of after have not finished, plus 1 while awaitDeps asks them
	contexts      *contexts // of batches; nil until one is asked for

	watch *watch // for those who want to see the job; nil when nobody does
}

// mode is who waits for a job and who else knows of it.
type mode uint8

const (
	scheduled mode = iota // a handle stands for the job
	awaited               // a call waits for the job, and others may come to run after it
	called                // a call waits for the job, and no other goroutine knows of it
	kept                  // as called, and the caller is worker 0 from the start to the end
	shared                // as kept, and other workers may join
)

// ready makes a new job fit to be filled.
func (j *job) ready() {
	j.limit.Store(unlimited)
	atom.InitCond(&j.cond, &j.mu)
	j.ticket.Owner = j
}

const unlimited = math.MaxInt64

const (
	joinable    = 1 << 63
	sleeping    = 1 << 62
	inBubble    = 1 << 61
	activeBits  = 15
	joinedShift = activeBits
	placesShift = 2 * activeBits
	fieldMask   = 1<<activeBits - 1
)

// admit judges the job's claims, and takes the containers. It returns the violation of what is wrong,
// having changed nothing.
func (j *job) admit(site safety.Site, under *safety.Lease, m *image) *safety.Violation {
	n := j.n
	if j.single {
		n = 0
	}
	t := &j.ticket
	for {
		t.Reset(j.name, site)
		t.Private, t.Called, t.Ordered = j.mode >= kept, j.mode >= called, j.autoOrder
		j.divide()
		for i, v := range m.views {
			t.ClaimOf(v, m.paths[i])
		}
		if j.length.view != nil {
			j.length.claim = t.ClaimLength(j.length.view)
		}
		for _, a := range j.after {
			t.After(&a.ticket)
		}
		if v := t.OpenUnder(under, n, !j.single && j.settings.batch != -1); v != nil {
			return v
		}
		if len(t.Found()) == 0 {
			j.told = safety.Enabled && t.Foreign() && !j.alone() && (j.mode < kept || j.pool != &defaultPool)
			return nil
		}
		if v := j.order(under); v != nil {
			return v
		}
	}
}

// divide sets the ticket's Indices: the number of indices in a batch, if the body executes them one
// at a time.
func (j *job) divide() {
	if j.work.fine && !j.single {
		j.ticket.Indices = min(j.grid.batch, j.n)
	}
}

// prepare makes the job ready to be joined, when all that it runs after has finished. It reports
// whether there is anything to execute.
func (j *job) prepare() bool {
	for _, a := range j.after {
		if f := a.outcome(); f != nil {
			j.fail(&failure{cell: 0, violation: f.violation, panicked: f.panicked, goexit: f.goexit, err: f.err, cancelled: true})
			return false
		}
	}
	return (j.length.view == nil || j.measure()) && j.openPhases() && j.cells > 0
}

// openPhases opens the phases of the containers; a container that panics fails the job.
func (j *job) openPhases() (ok bool) {
	defer func() {
		if !ok {
			f := j.caught(0, recover())
			f.cancelled = true // no cell runs
			j.fail(f)
		}
	}()
	if j.told {
		j.telling(opensPhase, nil)
	} else {
		j.startPhases()
	}
	return true
}

// startPhases opens the phases of the containers.
func (j *job) startPhases() {
	j.ticket.Start(safety.Phase{Workers: j.workers, N: j.n, Cells: j.cells, Batch: j.grid.batch})
}

// admitWorkers lets n workers join; the first taken have.
func (j *job) admitWorkers(n, taken int) {
	j.state.Store(joinable | j.pool.side() | uint64(n)<<placesShift | uint64(taken)<<joinedShift | uint64(taken))
}

// roomy says whether a job in state s lets one more worker join.
func roomy(s uint64) bool {
	return s&joinable != 0 && joined(s) < places(s)
}

// joined is how many workers have joined a job in state s, and places for how many there is room.
func joined(s uint64) int { return int(s >> joinedShift & fieldMask) }
func places(s uint64) int { return int(s >> placesShift & fieldMask) }

// join makes the caller a worker of the job, if it needs one.
func (j *job) join() (worker int, ok bool) { return j.joinIf(0, 0) }

// joinFrom is join for goroutines of a pool that was offered the job. The memory of a kept job may
// be another job's by now, which the goroutine joins only on its own side of a bubble's edge (B2).
func (j *job) joinFrom(p *Pool) (worker int, ok bool) { return j.joinIf(inBubble, p.side()) }

// joinIf is join on the condition that the bits of the state word in mask equal bits.
func (j *job) joinIf(mask, bits uint64) (worker int, ok bool) {
	for {
		s := j.state.Load()
		if !roomy(s) || s&mask != bits {
			return 0, false
		}
		if j.state.CompareAndSwap(s, s+1<<joinedShift+1) {
			return joined(s), true
		}
	}
}

// quit ends the caller's time as a worker. The last one finishes the job, if nobody keeps it.
func (j *job) quit() {
	if j.mode >= kept {
		j.part()
		return
	}
	for {
		s := j.state.Load()
		n := s - 1
		if n&fieldMask == 0 {
			n = 0
		}
		if j.state.CompareAndSwap(s, n) {
			if n == 0 {
				j.finish()
			}
			return
		}
	}
}

// execute executes cells as the given worker until there are none, and quits. If a body ends the calling
// goroutine, another one goes on in its place.
func (j *job) execute(worker int) {
	j.resume(j.work.enter(worker, true))
}

func (j *job) resume(f *worker) {
	through := false
	defer func() {
		if !through {
			if j.mode >= kept {
				j.deserted(f)
			}
			f.enterIn(nil)
			atom.Go(func() { j.resume(f) })
		}
	}()
	f.hold.Do(f)
	through = true
	keeper := j.mode >= kept && f.state.index == 0
	f.leave()
	if keeper {
		j.settle()
	} else {
		j.quit()
	}
}

// err returns the error that the completed job failed with, if it was one.
func (j *job) err() error {
	if !j.ticket.Returned() {
		return nil
	}
	atom.Acquire(unsafe.Pointer(j))
	if f := j.outcome(); f != nil {
		return f.err
	}
	return nil
}
