package parallelfor

import (
	"math"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
)

// born is the time that now counts from.
var born = time.Now()

// now returns the time in nanoseconds since born, plus 1; never 0. In a bubble of testing/synctest
// it is negative, because the bubble's clock starts in the year 2000.
func now() time.Duration { return time.Since(born) + 1 }

// cost is the measured cost of an index of a type of job.
type cost struct {
	perIndex atom.HiddenInt64 // in 1/1024 ns; 0 when it is not known
}

// of returns the probable cost of n indices, and whether that is known. It is not known while a
// program is explored, whose executions must not depend on earlier ones.
func (c *cost) of(n int) (d time.Duration, known bool) {
	p := c.perIndex.Load()
	return time.Duration(p * int64(n) / 1024), p != 0 && !atom.Exploring()
}

// sample decides when a job is timed next. Timing costs as much as some hundred cheap indices, so a
// type whose cost stays about the same is timed seldom.
//
// One in four short loops that are timed is not shared. The time of a worker that shares one is
// largely that of sharing. If that counted, loops would go on being shared because they are.
type sample struct {
	wait, every int // jobs until the next that is timed, now and after that one
	timed       int // jobs that were

	misses int           // loops for which waking a worker did not pay
	since  time.Duration // when the count began
}

const (
	sampleSeldom = 64
	sharedSeldom = 8
	missesInARow = 16
)

// begin returns the time if the job that begins is to be timed, and 0 otherwise.
func (s *sample) begin() time.Duration {
	if atom.Exploring() || s.wait > 0 { // a decision by the clock cannot be repeated
		s.wait--
		return 0
	}
	return max(now(), 0) // 0 in a bubble, where the clock counts only what bodies sleep
}

// alone reports whether a short job that could be shared is not. Jobs that are shared are timed
// more often, so that sharing that does not pay soon ends.
func (s *sample) alone() bool {
	s.wait = min(s.wait, sharedSeldom)
	return s.wait <= 0 && s.timed%4 == 1
}

// end notes the cost of n indices, of all that the loop has, that the worker has executed since
// began. As long as an index costs about the same, each timing doubles the number of jobs until the
// next, up to sampleSeldom.
func (s *sample) end(c *cost, began time.Duration, n, all int) {
	if began == 0 || n == 0 {
		return
	}
	took := now() - began
	each := int64(took) * 1024 / int64(n)
	before := c.perIndex.Load()
	s.timed++
	if n < all && took < mostSharing && each > before && before != 0 {
		s.wait = s.every
		return
	}
	if each/2 <= before && before <= 2*each {
		s.every = min(2*s.every+1, sampleSeldom)
	} else {
		s.every = 0
	}
	s.wait = s.every
	if each < before {
		each = (3*before + each) / 4 // an expensive loop may be expensive again
	}
	c.perIndex.Store(max(each, 1))
}

// busyEnough counts a loop of duration d for which alone waking a worker does not pay. At the end
// of a streak of such loops it reports whether the pauses between them were so short that a woken
// worker would still spin when the next one begins. A streak is so long that the wake-up, which
// costs the caller spent, takes at most a fiftieth of it.
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

// perWorker is the cost of one more worker to all workers of a job: getting a span, joining and
// leaving each transfer a cache line that all workers use.
const perWorker = 250 * time.Nanosecond

// crowd returns the number of workers for the job. It is all that the job may have if the cost is
// not known, or the program asked for them. It is 1 if the job ends before a second worker has
// begun, or is timed alone. Otherwise it shortens work of duration d most: k workers take d/k and k
// times perWorker.
func (j *exec) crowd() int {
	if j.workers == 1 || j.asked || handout.Forced() {
		return j.workers
	}
	d, known := j.cost.of(j.n)
	switch {
	case !known:
		return j.workers
	case !j.pool.wakeUps.sharingPays(d) || d < mostSharing && j.work.sample.alone():
		return 1
	}
	return max(min(j.workers, int(math.Sqrt(float64(d/perWorker)))), 2)
}

// wakeUps has the measured costs of a pool's help, in nanoseconds. Depending on the machine and its
// load, a wake-up takes 1 to 10 µs of the caller's time, and the worker begins 3 to 100 µs later.
type wakeUps struct {
	spent   atom.HiddenInt64 // the caller's time for a wake-up
	arrival atom.HiddenInt64 // from the wake-up until the worker joins
	sharing atom.HiddenInt64 // the time of a loop with help beyond half of its work
}

const (
	triesCost    = 32 // a wake-up that costs less than 1/triesCost of the work is always tried
	firstSpent   = 1000
	firstArrival = 5000
	firstSharing = 500
	mostSharing  = 20_000 // longer loops do not measure sharing: other costs are greater there
)

// init sets the costs that count until they are measured.
func (p *wakeUps) init() {
	p.spent.Store(firstSpent)
	p.arrival.Store(firstArrival)
	p.sharing.Store(firstSharing)
}

// sharingPays reports whether a spinning worker shortens work of duration d.
func (p *wakeUps) sharingPays(d time.Duration) bool {
	s := p.sharing.Load()
	if 2*s < int64(d) {
		return true
	}
	if s > firstSharing {
		p.sharing.Store(s - 1 - s/4096) // a bad measurement is forgotten
	}
	return false
}

// shared notes that work of duration d, as one worker executes it, took that time with help.
func (p *wakeUps) shared(d, took time.Duration) {
	if d < mostSharing {
		p.sharing.Store(max(drift(p.sharing.Load(), took-d/2), firstSharing/2))
	}
}

// pays reports whether waking a worker shortens work of duration d. The caller loses the time that
// it spends on the wake-up, and from the arrival on the rest is halved.
func (p *wakeUps) pays(d time.Duration) bool {
	spent, arrival := p.spent.Load(), p.arrival.Load()
	if spent+arrival < int64(d) || spent*triesCost < int64(d) {
		return true
	}
	// A bad measurement is forgotten.
	p.arrival.Store(arrival - arrival/128)
	p.spent.Store(spent - spent/128)
	return false
}

func (p *wakeUps) spends(d time.Duration)  { p.spent.Store(drift(p.spent.Load(), d)) }
func (p *wakeUps) arrives(d time.Duration) { p.arrival.Store(drift(p.arrival.Load(), d)) }

// missed notes that a job ended d after its caller had woken a worker, before any came.
func (p *wakeUps) missed(d time.Duration) {
	if late := int64(d) * 5 / 4; late > p.arrival.Load() {
		p.arrival.Store(late)
	}
}

// drift moves a measured cost a quarter of the way to a new measurement.
func drift(before int64, d time.Duration) int64 { return before + (int64(d)-before)/4 }
