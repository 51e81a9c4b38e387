package parallelfor

import (
	"math"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
)

// born is what now counts from.
var born = time.Now()

// now returns the time in nanoseconds since born, plus 1; never 0. In a bubble of testing/synctest
// it is negative, because the bubble's clock starts in the year 2000.
func now() time.Duration { return time.Since(born) + 1 }

// cost remembers what an index of a type of job has cost.
type cost struct {
	perIndex atom.HiddenInt64 // in 1/1024 ns; 0 when it is not known
}

// sample says when a job is timed next. Timing costs as much as some hundred cheap indices, so a type whose
// cost stays about the same is timed seldom.
type sample struct {
	wait, every int

	misses int           // loops that nobody helped with because those who could have slept
	since  time.Duration // when the count began
}

const sampleSeldom = 64

// begin returns when the job began if it is to be timed, and 0 otherwise.
func (s *sample) begin() time.Duration {
	if atom.Exploring() || s.wait > 0 { // a decision by the clock could not be repeated
		s.wait--
		return 0
	}
	return max(now(), 0) // 0 in a bubble, where the clock counts only what bodies sleep
}

// end notes what n indices have cost that the worker executed since then.
func (s *sample) end(c *cost, began time.Duration, n int) {
	if began == 0 || n == 0 {
		return
	}
	each := int64(now()-began) * 1024 / int64(n)
	before := c.perIndex.Load()
	if each/2 <= before && before <= 2*each {
		s.every = min(2*s.every+1, sampleSeldom)
	} else {
		s.every = 0
	}
	s.wait = s.every
	if each < before {
		each = (3*before + each) / 4 // a loop that was dear once may be so again
	}
	c.perIndex.Store(max(each, 1))
}

// of returns what n indices will probably cost, and whether that is known: not while a program is explored, for which
// it must not matter what was run before.
func (c *cost) of(n int) (d time.Duration, known bool) {
	p := c.perIndex.Load()
	return time.Duration(p * int64(n) / 1024), p != 0 && !atom.Exploring()
}

// busyEnough notes that nobody helps with a loop of duration d, and says whether such loops have come so close upon
// each other that a worker who is woken for one, which takes spent, will be there for the next ones. In vain that
// costs a fiftieth of the work at most.
func (s *sample) busyEnough(d, spent time.Duration) bool {
	s.misses++
	streak := max(int(50*spent/max(d, 1)), missesInARow)
	if s.misses < streak {
		return false
	}
	t := now()
	idle := t - s.since - time.Duration(streak)*d
	s.misses, s.since = 0, t
	return idle < time.Duration(streak)*atom.SpinTime/4
}

const missesInARow = 16

// perWorker is what a worker that takes part costs the job, whoever else does: to be dealt a run, to join and to
// leave is a transfer of one cache line each, and all workers use the same.
const perWorker = 250 * time.Nanosecond

// crowd returns how many workers shorten work of duration d most. k of them take d/k and k times perWorker.
func crowd(d time.Duration) int { return int(math.Sqrt(float64(d / perWorker))) }

// crowd returns how many workers the job is for: 1 when it is over before another one has begun.
func (j *exec) crowd() int {
	if j.workers == 1 || j.asked || handout.Forced() {
		return j.workers
	}
	d, known := j.cost.of(j.n)
	switch {
	case !known:
		return j.workers
	case !j.pool.wakeUps.sharingPays(d):
		return 1
	}
	return max(min(j.workers, crowd(d)), 2)
}

// wakeUps is what it takes to wake a worker, as far as is known. A wake-up may take a microsecond of the caller's
// time or ten, and be felt after three or a hundred, by the machine and what else it does.
type wakeUps struct {
	spent   atom.HiddenInt64 // ns of the caller's time
	arrival atom.HiddenInt64 // ns from the call to the worker's first batch
	sharing atom.HiddenInt64 // ns that a loop takes longer than half of its work when one who looks for work helps
}

const (
	triesCost    = 32 // a try that is in vain costs so little of the work that it is always made
	firstSpent   = 1000
	firstArrival = 5000
	firstSharing = 500
	mostSharing  = 20_000 // of longer loops other things are to blame
)

// init makes p what is usual.
func (p *wakeUps) init() {
	p.spent.Store(firstSpent)
	p.arrival.Store(firstArrival)
	p.sharing.Store(firstSharing)
}

// sharingPays says whether work that takes d is done sooner with the help of one who looks for work.
func (p *wakeUps) sharingPays(d time.Duration) bool {
	s := p.sharing.Load()
	if 2*s < int64(d) {
		return true
	}
	if s > firstSharing {
		p.sharing.Store(s - s/256) // what was learnt in a bad moment is forgotten
	}
	return false
}

// shared notes that work of duration d took so long with help.
func (p *wakeUps) shared(d, took time.Duration) {
	if d < mostSharing {
		p.sharing.Store(max(drift(p.sharing.Load(), took-d/2), firstSharing/2))
	}
}

// pays says whether waking a worker shortens work that takes d. Without it the work takes d; with it the
// caller loses what it spends, and from the arrival on the rest is halved.
func (p *wakeUps) pays(d time.Duration) bool {
	spent, arrival := p.spent.Load(), p.arrival.Load()
	if spent+arrival < int64(d) || spent*triesCost < int64(d) {
		return true
	}
	// What was learnt in a bad moment is forgotten.
	p.arrival.Store(arrival - arrival/128)
	p.spent.Store(spent - spent/128)
	return false
}

func (p *wakeUps) spends(d time.Duration)  { p.spent.Store(drift(p.spent.Load(), d)) }
func (p *wakeUps) arrives(d time.Duration) { p.arrival.Store(drift(p.arrival.Load(), d)) }

// missed notes that work of duration d was over before anybody came.
func (p *wakeUps) missed(d time.Duration) {
	if late := int64(d) * 5 / 4; late > p.arrival.Load() {
		p.arrival.Store(late)
	}
}

func drift(before int64, d time.Duration) int64 { return before + (int64(d)-before)/4 }
