package fuzz_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// graph is a drawn program over a few containers: jobs that run after each other where the rules
// demand it and nowhere else, completed as late as they allow, and what the owner does in between.
// It is legal. What it does is drawn from its seed alone, so that it can be executed in several
// ways; how it is done, by another source.
type graph struct {
	program *rand.Rand
	how     *rand.Rand // nil: one thing after the other
	broken  bool       // before what needs something else first, try without it
	boxes   []*box
	nodes   []*node
	left    [][]int // what jobs and owner have read, and what is in the containers in the end
	wrong   string  // the first thing that is
	tried   int     // how many broken rules were reported as they should be
}

// execute executes the program of so many commands.
func execute(seed uint64, commands int, how *rand.Rand, broken bool) *graph {
	g := &graph{program: rand.New(rand.NewPCG(seed, 0)), how: how, broken: broken}
	r := g.program
	kinds := []int{boxArray, boxArray}
	for range 2 + r.IntN(4) {
		kinds = append(kinds, r.IntN(boxKinds))
	}
	for i, kind := range kinds {
		g.boxes = append(g.boxes, newBox(kind, i))
	}
	for k := 0; k < commands && g.wrong == ""; k++ {
		switch r.IntN(9) {
		case 0, 1:
			g.own()
		case 2:
			g.partition()
		case 3:
			g.complete(g.several()...)
		case 4:
			g.swap()
		default:
			g.schedule()
		}
	}
	if g.wrong == "" {
		g.finish()
	}
	return g
}

func (g *graph) fail(format string, args ...any) {
	if g.wrong == "" {
		g.wrong = fmt.Sprintf(format, args...)
	}
}

// try does what must be in order.
func (g *graph) try(what string, f func()) {
	if o := attempt(f); o != (outcome{}) {
		g.fail("%s: %v", what, o)
	}
}

// refused does what must not be: a violation of that kind, because of one of the jobs.
func (g *graph) refused(what string, kind error, by []*node, f func()) (v *safety.Violation) {
	o := attempt(f)
	if o.kind() != kind || len(by) > 0 && !nodeNamed(by, o.violation.OtherJob) {
		g.fail("%s, which %d jobs forbid: %v", what, len(by), o)
		return new(safety.Violation)
	}
	g.tried++
	return o.violation
}

// conflicts tries to schedule the job after fewer jobs than it must, which is refused because of
// the others.
func (g *graph) conflicts(j *node, claims []want, v graphViews, kind int, after []*node) {
	got := g.refused(j.name+" without an edge", safety.ErrConflict, conflicts(claims, after), func() { g.start(j, claims, v, kind, 1, after, false) })
	if got.Job != j.name || got.Field == "" || got.OtherField == "" {
		g.fail("%s is not named: %v", j.name, got)
	}
}

// schedule is a command: a job.
func (g *graph) schedule() {
	r := g.program
	j := &node{name: fmt.Sprint("j", len(g.nodes))}
	views := graphViews{ID: int64(len(g.nodes)), Nest: r.IntN(3) == 0}
	kind := r.IntN(6)
	var claims []want
	for _, b := range g.usable() {
		if r.IntN(3) == 0 {
			continue
		}
		w := want{b, b.mode(r, kind >= 4), r.IntN(64)}
		claims = append(claims, w)
		if w.mode != safety.Write && r.IntN(6) == 0 {
			claims = append(claims, want{b, w.mode, r.IntN(64)})
		}
	}
	auto := false
	for with := conflicts(claims, j.after); len(with) > 0; with = conflicts(claims, j.after) {
		switch next := with[r.IntN(len(with))]; {
		case r.IntN(8) == 0:
			auto, j.after = true, conflicts(claims, nil) // and after no other job
		case r.IntN(4) == 0:
			first := g.follower(r, next)
			if g.broken {
				g.conflicts(j, claims, views, kind, j.after)
			}
			g.complete(first)
		default:
			j.after = append(j.after, g.follower(r, next))
		}
	}
	if edge := needed(r, claims, j.after); g.broken && !auto && edge >= 0 {
		g.conflicts(j, claims, views, kind, without(j.after, edge))
	}
	g.try(j.name, func() { g.start(j, claims, views, kind, 1+r.IntN(boxLength), j.after, auto) })
	g.nodes = append(g.nodes, j)
	g.take(j, claims)
	if kind&1 != 0 {
		g.giveBack(j)
	}
}

// start has the job scheduled, or run if its kind is odd, after the given ones.
func (g *graph) start(j *node, claims []want, v graphViews, kind, batch int, after []*node, auto bool) {
	v.N = boxLength
	for _, c := range claims {
		v.N = min(v.N, v.add(c.on, c.mode, c.form))
	}
	v.Seen = make([]int, v.N)
	o := []parallelfor.Option{parallelfor.Name(j.name), parallelfor.Batch(batch)}
	if auto {
		o = append(o, parallelfor.AutoOrder())
	} else {
		for _, a := range after {
			o = append(o, parallelfor.After(a.handle))
		}
	}
	switch {
	case g.how != nil:
		o = append(o, parallelfor.Workers(1+g.how.IntN(4)))
	case kind&1 != 0:
		o = append(o, parallelfor.Sequential())
	default:
		o = append(o, parallelfor.Inline()) // Sequential, and at once
	}
	switch kind {
	case 0:
		j.handle = parallelfor.Schedule(v.N, v, (*graphViews).Execute, o...)
	case 1:
		parallelfor.For(v.N, v, (*graphViews).Execute, o...)
	case 2:
		j.handle = parallelfor.ScheduleBatch(v.N, v, (*graphViews).ExecuteBatch, o...)
	case 3:
		parallelfor.ForBatch(v.N, v, (*graphViews).ExecuteBatch, o...)
	case 4:
		j.handle = parallelfor.ScheduleDo(graphSingle{v}, (*graphSingle).Execute, o...)
	case 5:
		parallelfor.Do(graphSingle{v}, (*graphSingle).Execute, o...)
	}
	g.left = append(g.left, v.Seen)
}

// complete completes jobs, on goroutines of their own and in any order if it may.
func (g *graph) complete(jobs ...*node) {
	if g.how == nil {
		for _, j := range jobs {
			g.try("completing "+j.name, j.handle.Complete)
			g.giveBack(j)
		}
		return
	}
	outcomes := make([]outcome, len(jobs))
	var all sync.WaitGroup
	for _, k := range g.how.Perm(len(jobs)) {
		if g.how.IntN(2) == 0 {
			outcomes[k] = attempt(jobs[k].handle.Complete)
		} else {
			all.Go(func() { outcomes[k] = attempt(jobs[k].handle.Complete) })
		}
	}
	all.Wait()
	for k, j := range jobs {
		if outcomes[k] != (outcome{}) {
			g.fail("completing %s: %v", j.name, outcomes[k])
		}
		g.giveBack(j)
	}
}

// several draws jobs that were not returned, some of them twice.
func (g *graph) several() (jobs []*node) {
	for _, j := range g.nodes {
		for !j.returned && g.program.IntN(3) == 0 {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// usable returns the boxes that are not in parts.
func (g *graph) usable() (boxes []*box) {
	for _, b := range g.boxes {
		if b.split == nil && !b.ended {
			boxes = append(boxes, b)
		}
	}
	return boxes
}

// wait completes jobs until none of those that by returns is left; what needs it is refused before.
func (g *graph) wait(what string, by func() []*node, f func()) {
	for g.wrong == "" && len(by()) > 0 {
		if g.broken {
			g.refused(what, safety.ErrInFlight, by(), f)
		}
		all := by()
		g.complete(g.follower(g.program, all[g.program.IntN(len(all))]))
	}
}

// own is a command: an operation of the owner.
func (g *graph) own() {
	boxes := g.usable()
	b := boxes[g.program.IntN(len(boxes))]
	op, k := b.op(g.program), g.program.IntN(b.length)
	what := ownerNames[op] + " of " + b.name
	use := func() { g.left = append(g.left, []int{int(b.do(op, k))}) }
	g.wait(what, func() []*node { return excluding(b, op) }, use)
	g.try(what, use)
}

// partition is a command: an array is split, or its parts are joined.
func (g *graph) partition() {
	b := g.boxes[g.program.IntN(len(g.boxes))]
	switch {
	case b.kind != boxArray || b.ended || b.length < 2:
	case b.split == nil:
		all := func() []*node { return holders(b) }
		g.wait("splitting "+b.name, all, func() { b.array.Split(2) })
		g.try("splitting "+b.name, func() { b.cut(g.program) })
		g.boxes = append(g.boxes, b.parts...)
		if g.broken {
			g.refused(b.name+" in parts", safety.ErrSplit, nil, func() { b.array.At(0) })
			g.refused("a job on "+b.name+" in parts", safety.ErrSplit, nil, func() { parallelfor.For(1, graphViews{Reads: readersOf(b)}, (*graphViews).Execute) })
		}
	case !slices.ContainsFunc(b.parts, func(p *box) bool { return p.split != nil }):
		g.wait("joining "+b.name, func() []*node { return holders(b.parts...) }, b.split.Join)
		g.try("joining "+b.name, b.split.Join)
		part := b.parts[0]
		for _, p := range b.parts {
			p.ended = true
		}
		b.split, b.parts = nil, nil
		if g.broken {
			g.refused(part.name+" after the join", safety.ErrDisposed, nil, func() { part.array.At(0) })
			g.refused("a job on "+part.name+" after the join", safety.ErrDisposed, nil, func() { parallelfor.For(1, graphViews{Reads: readersOf(part)}, (*graphViews).Execute) })
		}
	}
}

// swap is a command: the two arrays of a Double change places.
func (g *graph) swap() {
	b := g.boxes[g.program.IntN(len(g.boxes))]
	if b.kind != boxDouble {
		return
	}
	g.wait("swapping "+b.name, func() []*node { return writers(b) }, b.double.Swap)
	g.try("swapping "+b.name, b.double.Swap)
	b.front = 1 - b.front
}

// finish completes what is left and notes what is in the containers.
func (g *graph) finish() {
	rest := slices.DeleteFunc(slices.Clone(g.nodes), func(j *node) bool { return j.returned })
	g.complete(rest...)
	for _, b := range g.usable() {
		g.try("looking at "+b.name, func() { g.left = append(g.left, b.all()) })
	}
}

// Programs that keep to the rules are never refused, whatever the goroutines do, and leave what
// they leave when they are executed one thing after the other. Without one of the things that the
// rules demand they are refused, and the report names the job and one that is in its way.
func TestLegalGraphsOfJobs(t *testing.T) {
	parameters := lawtest.Parameters(t, 1000)
	lawtest.Check(t, parameters, "the sequential result, and no violation", prop.ForAll(func(seed uint64, commands int) string {
		want := execute(seed, commands, nil, false)
		if want.wrong != "" {
			return "sequential: " + want.wrong
		}
		if seed%4 == 0 {
			defer handout.Force(seed)()
		}
		got := execute(seed, commands, rand.New(rand.NewPCG(seed, 1)), false)
		return differ(want, got)
	}, gen.UInt64().WithShrinker(gopter.NoShrinker), gen.IntRange(1, 40)))
}

func TestGraphsOfJobsThatLackSomething(t *testing.T) {
	lawtest.CheckedOnly(t)
	tried := 0
	lawtest.Check(t, lawtest.Parameters(t, 1000), "violations, and the sequential result all the same", prop.ForAll(func(seed uint64, commands int) string {
		got := execute(seed, commands, rand.New(rand.NewPCG(seed, 1)), true)
		tried += got.tried
		return differ(execute(seed, commands, nil, false), got)
	}, gen.UInt64().WithShrinker(gopter.NoShrinker), gen.IntRange(1, 40)))
	require.Greater(t, tried, lawtest.Rounds(1000), "broken rules that were reported")
}

// differ says how the second execution differs from the first.
func differ(want, got *graph) string {
	if got.wrong != "" {
		return got.wrong
	}
	for i := range want.left {
		if i >= len(got.left) || !slices.Equal(want.left[i], got.left[i]) {
			return fmt.Sprintf("result %d is not that of the sequential execution", i)
		}
	}
	return ""
}
