package scheduler

import (
	"fmt"
	"slices"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// stepBy adds to a sum what it reads. All jobs of a chain read the same.
type stepBy struct {
	By array.Reader[int64]
	To array.Writer[int64]
}

func (j *stepBy) ExecuteBatch(begin, _ int) { j.To.Set(begin, j.To.At(begin)+j.By.At(begin)) }

// stepFrom writes one more than the job before it wrote.
type stepFrom struct {
	From array.Reader[int64]
	To   array.Writer[int64]
}

func (j *stepFrom) ExecuteBatch(begin, _ int) { j.To.Set(begin, j.From.At(begin)+1) }

// gate is a job that waits.
type gate struct {
	Open chan struct{} `custody:"unguarded"`
}

func (j *gate) Execute() { <-j.Open }

// chain is a way to make chains of jobs.
type chain struct {
	work string
	info bool
	// first returns what the first job runs after, and how to let it go.
	first func() (h parallelfor.Handle, release func())
	// next schedules job number i = 0, 1, ...
	next func(i int, after parallelfor.Option) parallelfor.Handle
	// left returns what a chain of so many jobs left, which must be their number, and takes it
	// away.
	left func(jobs int) int64
}

// longChain is what a schedule costs after many that were not completed: the 10,000th job of a
// chain against the 10th.
func longChain(r *run) {
	const late, early = 10_000, 10
	by, sum := array.New[int64](1), array.New[int64](1)
	by.Set(0, 1)
	turns := [2]*array.Array[int64]{array.New[int64](1), array.New[int64](1)}

	free := func() (parallelfor.Handle, func()) { return parallelfor.Handle{}, func() {} }
	gated := func() (parallelfor.Handle, func()) {
		open := make(chan struct{})
		return parallelfor.ScheduleDo(gate{open}, (*gate).Execute), func() { close(open) }
	}
	inTurn := func(i int, after parallelfor.Option) parallelfor.Handle {
		return parallelfor.ScheduleBatch(1, stepFrom{turns[i%2].Reader(), turns[1-i%2].Writer()}, (*stepFrom).ExecuteBatch, after)
	}
	turnsLeft := func(jobs int) int64 {
		n := turns[jobs%2].At(0)
		turns[0].Set(0, 0)
		turns[1].Set(0, 0)
		return n
	}
	const work = "10,000th schedule of a chain not completed, "
	for _, c := range []chain{
		{work + "each reads what the one before wrote", false, free, inTurn, turnsLeft},
		{work + "all read the same", false, free,
			func(_ int, after parallelfor.Option) parallelfor.Handle {
				return parallelfor.ScheduleBatch(1, stepBy{by.Reader(), sum.Writer()}, (*stepBy).ExecuteBatch, after)
			},
			func(int) int64 {
				n := sum.At(0)
				sum.Set(0, 0)
				return n
			}},
		{work + "nor begun", true, gated, inTurn, turnsLeft},
	} {
		s := r.chainTimes(&c, late, early)
		peer := s.Sides[1].Name
		r.Rows = append(r.Rows, report.Row{
			Group: r.Group, Work: c.work, Ours: s.Time(ours).Median, Side: ours, Sides: rows.SidesOf(s),
			Peer: peer, PeerTime: s.Time(peer).Median, Ratio: s.Ratio(ours, peer), Bar: 2, Info: c.info, Own: true,
		})
	}
}

// chainTimes makes chains and returns the times of the schedules around the late and the early one,
// each a mean over some. A repetition is several chains, of whose times the middle one counts: a
// chain is long enough for the collector to come in between. In a brief run it is one.
func (r *run) chainTimes(c *chain, late, early int) *measure.Series {
	chains := r.Sized(max(3, int(r.Config.Sample/(3*time.Millisecond))), 1)
	s := &measure.Series{
		Sides: []measure.Side{{Name: ours}, {Name: fmt.Sprintf("the %dth", early)}},
		Times: make([][]float64, 2),
	}
	c.run(late, early)
	for range r.Config.Reps {
		var times [2][]float64
		for range chains {
			for i, ns := range c.run(late, early) {
				times[i] = append(times[i], ns)
			}
		}
		for i := range times {
			slices.Sort(times[i])
			s.Times[i] = append(s.Times[i], times[i][len(times[i])/2])
		}
	}
	return s
}

// run makes one chain and returns the nanoseconds of a schedule around the late and the early one.
func (c *chain) run(late, early int) (ns [2]float64) {
	const around = 5
	jobs := 0
	last, release := c.first()
	// until schedules jobs up to number n, and returns what one takes.
	until := func(n int) float64 {
		from, start := jobs, time.Now()
		for ; jobs < n; jobs++ {
			last = c.next(jobs, parallelfor.After(last))
		}
		return float64(time.Since(start)) / float64(n-from)
	}
	until(early - around)
	ns[1] = until(early + around)
	until(late - around)
	ns[0] = until(late + around)
	release()
	last.Complete()
	rows.MustBe(c.work, c.left(jobs), int64(jobs))
	return ns
}
