package parallelfor_test

import (
	"slices"
	"sync"

	"example.com/custody/safety"
)

// journal is a container of this test: a list that jobs append to. It knows of the driver only what
// package safety says of views and phases.
type journal[T any] struct {
	guard safety.Guard
	items []T
}

func newJournal[T any]() *journal[T] {
	j := new(journal[T])
	j.guard.Init(j, 0, safety.Named("journal"))
	return j
}

// Items returns a copy of the items.
func (j *journal[T]) Items() []T {
	j.guard.CheckRead()
	return slices.Clone(j.items)
}

// Appender returns a view that appends.
func (j *journal[T]) Appender() appender[T] {
	return appender[T]{Hold: j.guard.Hold(safety.Append, nil)}
}

// journalRun is what one worker appended in a run of batches.
type journalRun[T any] struct {
	batch int
	items []T
}

// journalPhase has the runs of a phase. Two views of one job share the runs, so what they append
// keeps its order.
type journalPhase[T any] struct {
	mu   sync.Mutex
	runs map[int]*journalRun[T]
}

func (p *journalPhase[T]) begin(batch int) *journalRun[T] {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.runs[batch]
	if r == nil {
		r = &journalRun[T]{batch: batch}
		p.runs[batch] = r
	}
	return r
}

// OpenPhase implements safety.Phased.
func (j *journal[T]) OpenPhase(p *safety.Phase) {
	p.State = &journalPhase[T]{runs: map[int]*journalRun[T]{}}
}

// SealPhase implements safety.Phased.
func (j *journal[T]) SealPhase(p *safety.Phase) {
	var runs []*journalRun[T]
	for _, r := range p.State.(*journalPhase[T]).runs {
		if r.batch < p.Kept {
			runs = append(runs, r)
		}
	}
	slices.SortFunc(runs, func(a, b *journalRun[T]) int { return a.batch - b.batch })
	into := &j.items
	if outer, nested := p.Into.(*journalRun[T]); nested {
		into = &outer.items
	}
	p.Parallel(1, func(int) {
		for _, r := range runs {
			*into = append(*into, r.items...)
		}
	})
}

type appender[T any] struct {
	safety.Hold
	phase *journalPhase[T]
	run   *journalRun[T]
}

// Claim completes the claim.
func (a *appender[T]) Claim(c *safety.Claim) {
	if a.Hold.Bound() {
		c.Into = a.run
	}
}

// Bind implements safety.Binder.
func (a *appender[T]) Bind(b safety.Binding) {
	a.Hold.Bind(b)
	a.phase, a.run = b.State().(*journalPhase[T]), nil
}

// BeginSpan implements safety.SpanView.
func (a *appender[T]) BeginSpan(batch int) { a.run = a.phase.begin(batch) }

// Append appends.
func (a *appender[T]) Append(v T) {
	a.Hold.Check()
	a.run.items = append(a.run.items, v)
}

// folded is a container of this test: a float that jobs add to, folded batch by batch.
type folded struct {
	guard safety.Guard
	sum   float64
	seals []safety.Phase // what the phases were sealed with
	back  []bool         // what ReturnPhase was told
}

func newFolded() *folded {
	f := new(folded)
	f.guard.Init(f, 0, safety.Named("folded"))
	return f
}

// Value returns the sum.
func (f *folded) Value() float64 {
	f.guard.CheckRead()
	return f.sum
}

// Adder returns a view that adds.
func (f *folded) Adder() adder { return adder{Hold: f.guard.Hold(safety.Append, nil)} }

// OpenPhase implements safety.Phased.
func (f *folded) OpenPhase(p *safety.Phase) { p.State = make([]float64, p.Batches) }

// SealPhase implements safety.Phased.
func (f *folded) SealPhase(p *safety.Phase) {
	for _, part := range p.State.([]float64)[:p.Kept] {
		f.sum += part
	}
	f.seals = append(f.seals, *p)
}

// ReturnPhase implements safety.Returner.
func (f *folded) ReturnPhase(ok bool) { f.back = append(f.back, ok) }

type adder struct {
	safety.Hold
	parts []float64
	part  *float64
}

// Bind implements safety.Binder.
func (a *adder) Bind(b safety.Binding) {
	a.Hold.Bind(b)
	a.parts = b.State().([]float64)
}

// BeginBatch is called before each batch: see safety.Binder.
func (a *adder) BeginBatch(batch int) { a.part = &a.parts[batch] }

// Add adds.
func (a *adder) Add(v float64) { *a.part += v }
