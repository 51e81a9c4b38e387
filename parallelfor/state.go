package parallelfor

import (
	"example.com/custody/internal/atom"
)

// The state word of a job holds, from the top bit: whether workers may join (joinable), whether the
// caller of a kept job sleeps (sleeping), whether the pool was made in a bubble of testing/synctest
// (inBubble), 16 bits that are unused, and three numbers of 15 bits: how many workers may join, how
// many have joined, and how many have not left.
const (
	joinable    = 1 << 63
	sleeping    = 1 << 62
	inBubble    = 1 << 61
	activeBits  = 15
	joinedShift = activeBits
	placesShift = 2 * activeBits
	fieldMask   = 1<<activeBits - 1
)

// admitWorkers lets n workers join; the first taken have.
func (j *exec) admitWorkers(n, taken int) {
	j.state.Store(joinable | j.pool.side() | uint64(n)<<placesShift | uint64(taken)<<joinedShift | uint64(taken))
}

// roomy reports whether a job in state s lets one more worker join.
func roomy(s uint64) bool {
	return s&joinable != 0 && joined(s) < places(s)
}

// joined is how many workers have joined a job in state s, and places for how many there is room.
func joined(s uint64) int { return int(s >> joinedShift & fieldMask) }
func places(s uint64) int { return int(s >> placesShift & fieldMask) }

// join makes the caller a worker of the job, if it needs one.
func (j *exec) join() (worker int, ok bool) { return j.joinIf(0, 0) }

// joinFrom is join for goroutines of a pool that was offered the job. The memory of a kept job may
// be another job's by now, which the goroutine joins only on its own side of a bubble's edge (B2).
func (j *exec) joinFrom(p *Pool) (worker int, ok bool) { return j.joinIf(inBubble, p.side()) }

// joinIf is join on the condition that the bits of the state word in mask equal bits.
func (j *exec) joinIf(mask, bits uint64) (worker int, ok bool) {
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
func (j *exec) quit() {
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

// execute executes batches as the given worker until there are none, and quits. If a body ends the
// calling goroutine, another one goes on in its place.
func (j *exec) execute(worker int) {
	j.resume(j.work.enter(worker, true))
}

func (j *exec) resume(f *worker) {
	through := false
	defer func() {
		if !through {
			if j.mode >= kept {
				j.deserted(f)
			}
			f.on = nil
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
