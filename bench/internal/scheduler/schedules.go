package scheduler

import (
	"cmp"
	"slices"

	"example.com/custody/array"
	"example.com/custody/bench/internal/builds"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// The jobs of this file do next to nothing: what they take is what it costs to schedule them.

// touch has two views as most jobs have.
type touch struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *touch) ExecuteBatch(begin, _ int) { j.Out.Set(begin, j.In.At(begin)) }

func (j *touch) Execute(i int) { j.Out.Set(i, j.In.At(i)) }

type touchOnce struct{ Out array.Writer[float64] }

func (j *touchOnce) Execute() { j.Out.Set(0, 1) }

// claims0 and the others are jobs that do nothing, with so many claims.
type claims0 struct{}

func (*claims0) ExecuteBatch(begin, end int) { noBody(begin, end) }

type claims2 struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (*claims2) ExecuteBatch(begin, end int) { noBody(begin, end) }

type claims4 struct{ A, B claims2 }

func (*claims4) ExecuteBatch(begin, end int) { noBody(begin, end) }

//go:noinline
func noBody(_, _ int) {}

func noViews(_ *struct{}, begin, end int) { noBody(begin, end) }

func twoViews(_ *claims2, begin, end int) { noBody(begin, end) }

// allocations is the promise that a schedule allocates nothing in the steady state.
func allocations(r *run) {
	const n = 10_000
	p := builds.NewPair(n)
	job := func() touch { return touch{p.In.Reader(), p.Out.Writer()} }
	for _, c := range []struct {
		work string
		info bool
		do   func()
	}{
		{"ForBatch, a method", false, func() { parallelfor.ForBatch(n, job(), (*touch).ExecuteBatch) }},
		{"ForBatch, a method, one worker", false, func() { parallelfor.ForBatch(n, job(), (*touch).ExecuteBatch, parallelfor.Sequential()) }},
		{"For, a method", false, func() { parallelfor.For(n, job(), (*touch).Execute) }},
		{"Do, a method", false, func() { parallelfor.Do(touchOnce{p.Out.Writer()}, (*touchOnce).Execute) }},
		{"ForBatch, no views", false, func() { parallelfor.ForBatch(n, struct{}{}, noViews) }},
		{"ForBatch, two views", false, func() { parallelfor.ForBatch(n, claims2(job()), twoViews) }},
		{"ScheduleBatch and Complete, a method", true, func() { parallelfor.ScheduleBatch(n, job(), (*touch).ExecuteBatch).Complete() }},
	} {
		allocs := measure.Allocs(r.Config, 1000, c.do)
		r.Rows = append(r.Rows, report.Row{Group: r.Group, Work: "allocations of " + c.work, Unit: "allocs", Ours: allocs.Median, Ratio: allocs, Info: c.info})
	}
	sides := []report.Side{{Name: ours, Time: measure.Allocs(r.Config, 100, func() { parallelfor.ForBatch(n, job(), (*touch).ExecuteBatch) })}}
	for i := range r.drivers.all {
		d := &r.drivers.all[i]
		sides = append(sides, report.Side{Name: d.name, Time: measure.Allocs(r.Config, 100, func() { d.loop(n, 0, noBody) })})
	}
	few := slices.MinFunc(sides[1:], func(a, b report.Side) int { return cmp.Compare(a.Time.Median, b.Time.Median) })
	r.Rows = append(r.Rows, report.Row{
		Group: r.Group, Work: "allocations of a loop over 10k indices", Unit: "allocs", Ours: sides[0].Time.Median, Side: ours,
		Peer: few.Name, PeerTime: few.Time.Median, Ratio: sides[0].Time.Times(1 / max(few.Time.Median, 1)), Info: true, Sides: sides,
	})
}

// empty compares what it costs to have nothing done in parallel, back to back. The peers get one
// task for each processor, which is the best for them. The bars are for the fastest library;
// goroutines by halving are as good as one, those of a few lines are not.
func empty(r *run) {
	const n = 10_000
	p := builds.NewPair(n)
	none := func(n int, opts ...parallelfor.Option) func() {
		return func() { parallelfor.ForBatch(n, struct{}{}, noViews, opts...) }
	}
	two := func(n int) func() {
		return func() { parallelfor.ForBatch(n, claims2{p.In.Reader(), p.Out.Writer()}, twoViews) }
	}
	most := r.Sized(1<<20, 50_000)
	for _, c := range []struct {
		work  string
		n     int
		batch int // of the peers; 0 is as they do best
		do    func()
		bar   float64
	}{
		{"empty ForBatch, 10k indices, no views", n, 0, none(n), 0.3},
		{"empty ForBatch, 10k indices, two views", n, 0, two(n), 0},
		{"empty ForBatch, 1 index, no views", 1, 0, none(1), 1},
		{"empty ForBatch, 1 index, two views", 1, 0, two(1), 0},
		{"empty ForBatch, 100 indices, no views", 100, 0, none(100), 0},
		{"empty ForBatch, 1M indices, no views", 1 << 20, 0, none(1 << 20), 0},
		{"empty ForBatch, 10k indices one at a time", n, 1, none(n, parallelfor.Batch(1)), 0},
		{"empty ForBatch, " + rows.Thousands(most) + " indices one at a time", most, 1, none(most, parallelfor.Batch(1)), 0},
		{"empty ForBatch, 1M indices, 64 at a time", 1 << 20, 64, none(1<<20, parallelfor.Batch(64)), 0},
	} {
		s := r.contest(contest{work: c.work, loop: func() { noBody(0, c.n) }, ours: c.do, by: loops(c.n, c.batch, noBody)})
		s.Limit = ""
		if c.bar > 0 {
			s.AtMostOf(c.bar, s.Best(rows.Without(s.Peers, append(static, counted)...)...))
		}
		s.Beside()
	}
}

// claims is what claims cost a schedule. A loop of one index has one cell, so that what cells cost
// is not in it.
func claims(r *run) {
	const n = 10_000
	p, q := builds.NewPair(n), builds.NewPair(n)
	const limit = "no views"
	for _, n := range []int{1, n} {
		work, bar := ", empty ForBatch, 1 index", true
		if n > 1 {
			work, bar = ", empty ForBatch, 10k indices", false
		}
		none := measure.Do(limit, func() { parallelfor.ForBatch(n, claims0{}, (*claims0).ExecuteBatch) })
		add := func(name string, do func(), ns float64) {
			c := r.Compare(name+work, 1, []string{limit}, measure.Do(ours, do), none)
			c.LongerBy(ns)
			r.Rows[len(r.Rows)-1].Info = !bar
		}
		add("2 claims", func() { parallelfor.ForBatch(n, claims2{p.In.Reader(), p.Out.Writer()}, (*claims2).ExecuteBatch) }, 80)
		add("4 claims", func() {
			parallelfor.ForBatch(n, claims4{claims2{p.In.Reader(), p.Out.Writer()}, claims2{q.In.Reader(), q.Out.Writer()}}, (*claims4).ExecuteBatch)
		}, 130)
	}
	r.Compare("2 claims, empty ScheduleBatch and Complete, 1 index", 1, []string{plain},
		measure.Do(ours, func() {
			parallelfor.ScheduleBatch(1, claims2{p.In.Reader(), p.Out.Writer()}, (*claims2).ExecuteBatch).Complete()
		}),
		measure.Do(plain, func() { noBody(0, 1) })).LongerBy(600)
}
