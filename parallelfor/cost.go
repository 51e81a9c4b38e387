package parallelfor

import (
	"cmp"
	"math"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
)

// born is the time that now counts from.
var born = atom.Now()

// now returns the time in nanoseconds since born, plus 1; never 0. In a bubble of testing/synctest
// it is negative, because the bubble's clock starts in the year 2000.
func now() time.Duration { return atom.Since(born) + 1 }

// cost is what was measured of a type of job.
type cost struct {
	perIndex atom.HiddenInt64 // of one index, in 1/1024 ns; 0 when it is not known
	sharing  atom.HiddenInt64 // of sharing: a short loop's time beyond half of its work; 0 as above
}

// of returns the probable cost of n indices, and whether that is known. It is not known while a
// program is explored, whose executions must not depend on earlier ones.
func (c *cost) of(n int) (d time.Duration, known bool) {
	p := c.perIndex.Load()
	return time.Duration(p * int64(n) / 1024), p != 0 && !atom.Exploring()
}

// forget makes the costs unknown.
func (c *cost) forget() {
	c.perIndex.Store(0)
	c.sharing.Store(0)
}

// sharingPays reports whether a spinning worker shortens work of duration d.
func (c *cost) sharingPays(d time.Duration) bool {
	return 2*cmp.Or(c.sharing.Load(), firstSharing) < int64(d)
}

// forksPay reports whether a recursion of duration d is offered to other workers. For a short one
// that is what sharingPays says, which is less and less true of later ones.
func (c *cost) forksPay(d time.Duration) bool {
	if d < sharedBeats*beat {
		return false
	}
	if d >= longestSeldom || c.sharingPays(d) {
		return true
	}
	c.sharing.Store(c.sharing.Load() * 63 / 64)
	return false
}

// shared notes that work of duration d, as one worker executes it, took that time with help. A
// single time beyond that of the work does not end sharing.
func (c *cost) shared(d, took time.Duration) {
	before := cmp.Or(c.sharing.Load(), firstSharing)
	c.sharing.Store(max(before+(int64(min(took, d+d/4)-d/2)-before)/4, firstSharing/2))
}

// sample decides when a job is timed next. Timing costs as much as some hundred cheap indices, so a
// type of short jobs whose cost stays about the same is timed seldom.
type sample struct {
	wait int // jobs until the next that is timed
	long int // jobs that were longer than short ones
}

const (
	sampleSeldom = 64
	sharedSeldom = 8
	growsLoops   = 4  // times as much an index of a loop costs than was known, at most
	growsForks   = 64 // and a recursion, which depends on its argument
)

// begin returns the time if the job that begins is to be timed, and 0 otherwise.
func (s *sample) begin() time.Duration {
	if atom.Exploring() || s.wait > 0 { // a decision by the clock cannot be repeated
		s.wait--
		return 0
	}
	return max(now(), 0) // 0 in a bubble, where the clock counts only what bodies sleep
}

// end notes the cost of n indices, of all that the loop has, that the worker has executed in the
// given time. It is at most atMost times what was known. Of a short loop that is shared, more time
// than was known is not noted: it is largely that of sharing.
func (s *sample) end(c *cost, took time.Duration, n, all int, atMost int64) {
	each := int64(took) * 1024 / int64(n)
	before := c.perIndex.Load()
	short := before*int64(all)/1024 < int64(longestShort)
	if short && each/2 <= before && before <= 2*each {
		s.wait = sampleSeldom
	}
	switch {
	case each < before:
		each = (3*before + each) / 4 // an expensive loop may be expensive again
	case before != 0 && n < all && short && took < longestSeldom:
		return
	case before != 0:
		each = min(each, atMost*before) // the goroutine may have been interrupted
	}
	c.perIndex.Store(max(each, 1))
}

// Short loops are found out by contests to be faster shared or alone. A contest is a pool's: two
// rounds, in which all loops are shared, and then alone. Only the second half of a round is timed.
// In the first half the caches become those of the round: a loop that follows one that was shared
// has half of its data in another core. After the rounds comes a pause, in which each loop is as
// its type was faster.
const (
	halfRound  = 8              // loops
	aloneRound = 2 * halfRound  // the first turn in which loops are alone
	pause      = 2 * aloneRound // the pause's first turn; in it only loops that are timed count
	turns      = pause + 128
	firstTurn  = turns - 4 // a new pool's
	noTurn     = turns     // of a loop that takes no part

	shortestShort = 700 * time.Nanosecond
	longestShort  = 20 * time.Microsecond
	longestSeldom = 8 * longestShort // longer ones may seem long because they are shared,
	seldomAlone   = 512              // so one in so many is alone
)

// turn returns the turn of a job of duration d in its pool's contest, or noTurn.
func (j *exec) turn(d time.Duration) int {
	if j.work.forking != nil || d < shortestShort || d >= longestSeldom || j.workers == 1 || j.asked || handout.Forced() {
		return noTurn
	}
	s, next := &j.work.sample, &j.pool.wakeUps.turn
	if d >= longestShort {
		if s.long++; s.long%seldomAlone == 0 {
			return aloneRound
		}
		return noTurn
	}
	t := int(next.Load())
	switch {
	case t >= pause:
		if s.wait > 0 && t > pause {
			return noTurn
		}
	case t&halfRound == 0:
		s.wait = max(s.wait, 1)
	default:
		s.wait = 0
	}
	next.Store(int64(t+1) % turns)
	return t
}

// perWorker is the cost of one more worker to all workers of a job: getting a span, joining and
// leaving each transfer a cache line that all workers use.
const perWorker = 250 * time.Nanosecond

// crowd returns the number of workers for the job in turn t of a contest. It is all that the job
// may have if the cost is not known, or the program asked for them. It is 1 if the job is short and
// sharing does not pay for its type. Otherwise it shortens work of duration d most: k workers take
// d/k and k times perWorker.
func (j *exec) crowd(t int) int {
	if j.workers == 1 || j.asked || handout.Forced() {
		return j.workers
	}
	d, known := j.cost.of(j.n)
	if !known {
		return min(j.workers, j.pool.processors())
	}
	if j.work.forking != nil && !j.cost.forksPay(d) {
		return 1
	}
	if t >= aloneRound && (t < pause || d < longestShort && !j.cost.sharingPays(d)) {
		return 1
	}
	return min(j.workers, j.pool.processors(), max(int(math.Sqrt(float64(d/perWorker))), 2))
}

// wakeUps has the measured costs of a pool's help, in nanoseconds. Depending on the machine and its
// load, a wake-up takes 1 to 10 µs of the caller's time, and the worker begins 3 to 100 µs later.
type wakeUps struct {
	spent   atom.HiddenInt64 // the caller's time for a wake-up
	arrival atom.HiddenInt64 // from the wake-up until the first worker joins
	turn    atom.HiddenInt64 // of the next loop in a contest

	misses  atom.HiddenInt64 // loops in a row for which waking a worker did not pay
	forgone atom.HiddenInt64 // their work
	since   atom.HiddenInt64 // when the row began
}

const (
	leastMisses  = 6
	triesCost    = 32 // a wake-up that costs less than 1/triesCost of the work is always tried
	firstSpent   = 1000
	firstArrival = 5000
	firstSharing = 500
)

// init sets what counts until the costs are measured.
func (p *wakeUps) init() {
	p.spent.Store(firstSpent)
	p.arrival.Store(firstArrival)
	p.turn.Store(firstTurn)
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

// busyEnough counts a loop of duration d for which alone waking a worker does not pay. At the end
// of a row of such loops it reports whether the pauses between them were so short that a woken
// worker would still spin when the next one begins. A row is so long that the wake-up takes at most
// a twentieth of it.
func (p *wakeUps) busyEnough(d time.Duration) bool {
	n, work := p.misses.Load()+1, p.forgone.Load()+int64(d)
	p.misses.Store(n)
	p.forgone.Store(work)
	if n < leastMisses || work < 20*p.spent.Load() {
		return false
	}
	t := int64(now())
	idle := t - p.since.Load() - work
	p.misses.Store(0)
	p.forgone.Store(0)
	p.since.Store(t)
	return idle < n*int64(atom.SpinTime)/4
}

// arrives notes that the first worker joined a job d after its caller had woken workers.
func (p *wakeUps) arrives(d time.Duration) { drift(&p.arrival, d) }

// missed notes that a job ended d after its caller had woken workers, before any came.
func (p *wakeUps) missed(d time.Duration) { p.arrives(max(d+d/4, time.Duration(p.arrival.Load()))) }

// drift moves a cost a quarter of the way to a new measurement, of which four times the cost count.
func drift(cost *atom.HiddenInt64, d time.Duration) {
	before := cost.Load()
	cost.Store(before + (min(int64(d), 4*before)-before)/4)
}
