package fuzz_test

import (
	"fmt"
	"slices"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// claims returns the rules that a job breaks that holds the containers in mode m.
func (p *counters) claims(which []int, m safety.Mode) (broken kinds) {
	for _, w := range which {
		if p.disposed[w] {
			broken.add(safety.ErrDisposed)
		}
		if p.held[w] != 0 && (p.held[w] != safety.Read || m != safety.Read) {
			broken.add(safety.ErrConflict)
		}
	}
	return broken
}

// loop is a command: a parallel loop that adds to some containers, perhaps in flight afterwards.
func (p *counters) loop(stay bool) {
	mask, n, shape := p.Next(), p.Next()%64, p.Next()
	j := adders{Seed: p.Next(), FailAt: -1}
	batch, workers := 1+shape%8, 1+shape/8%4
	if fail := p.Next(); fail&1 != 0 && n > 0 {
		j.FailAt = fail / 2 % n
	}
	var which []int
	for k := range theKinds {
		if mask>>k&1 == 0 {
			continue
		}
		which = append(which, k)
		for range 1 + mask>>6&1 { // 64: two views of each share the lane
			p.tools[k].lend(&j)
		}
	}
	broken := p.claims(which, safety.Append)
	p.logf("loop n %d batch %d workers %d over %v twice %v seed %d fails at %d stays %v", n, batch, workers, which, mask>>6&1, j.Seed, j.FailAt, stay)
	if !safety.Enabled && len(broken) > 0 {
		return
	}
	stay = stay && !p.flying
	o := attempt(func() {
		options := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
		if stay {
			p.inFlight = parallelfor.Schedule(n, j, (*adders).Execute, options...)
		} else {
			parallelfor.For(n, j, (*adders).Execute, options...)
		}
	})
	if len(broken) > 0 || o.violation != nil {
		p.judge("loop", o, broken)
		return
	}
	if failed := o.panicked != nil; failed != (j.FailAt >= 0 && !stay) || failed && o.panicked.Value != boom(j.FailAt) {
		p.fatalf("the loop ended with %v", o)
	}
	if stay {
		p.flying, p.fails = true, j.FailAt >= 0
		for _, k := range which {
			p.held[k] = safety.Append
		}
	}
	views := 1 + mask>>6&1
	for _, k := range which {
		p.execute(k, views, n, batch, j)
	}
}

// execute does to the model of a container what a loop does. A Sum of floats adds the batches' sums
// up.
func (p *counters) execute(which, views, n, batch int, j adders) {
	if j.FailAt >= 0 {
		n = j.FailAt + 1
	}
	if which != theFloats {
		for i := range n {
			for range views {
				p.want.add(which, operand(j.Seed, i))
			}
		}
		return
	}
	for begin := 0; begin < n; begin += batch {
		part := 0.0
		for i := begin; i < min(begin+batch, n); i++ {
			for range views {
				part += float(summand(operand(j.Seed, i)))
			}
		}
		p.want.floats += part
	}
}

// single is a command: a job that reads a container, or has the bins as its own.
func (p *counters) single(reads, stay bool) {
	which, x := p.Below(theKinds), p.Next()
	reads = reads || which != theHistogram
	mode := safety.Write
	var got [1]any
	w := owners{Bins: p.data.bins.Writer(), X: x, Set: p.Bit()}
	r := readers{Got: &got, Which: which}
	p.tools[which].show(&r)
	if reads {
		mode = safety.Read
	}
	stay = stay && !p.flying
	if !p.use(fmt.Sprintf("single job over %d, x %d set %v, mode %v stays %v", which, x, w.Set, mode, stay), p.claims([]int{which}, mode), func() {
		switch {
		case reads && stay:
			p.inFlight = parallelfor.ScheduleDo(r, (*readers).Execute)
		case reads:
			parallelfor.Do(r, (*readers).Execute)
		case stay:
			p.inFlight = parallelfor.ScheduleDo(w, (*owners).Execute)
		default:
			parallelfor.Do(w, (*owners).Execute)
		}
	}) {
		return
	}
	if stay {
		p.flying, p.fails = true, false
		p.held[which] = mode
	}
	switch {
	case reads && !stay:
		p.same(which, got[0])
	case reads:
	case w.Set:
		p.want.set(which, x)
	default:
		p.want.add(which, x)
	}
}

// merge is a command: a loop over the bins.
func (p *counters) merge() {
	n, batch, at, touch := p.Below(bins+2), 1+p.Below(3), p.Below(bins), p.Around(bins)
	broken := p.claims([]int{theHistogram}, safety.Write)
	if n > bins {
		broken.add(safety.ErrLength)
	}
	if !safety.Enabled && len(broken) > 0 {
		return
	}
	p.logf("loop over %d bins, batch %d; bin %d adds to bin %d", n, batch, at, touch)
	o := attempt(func() {
		parallelfor.For(n, scale{p.data.bins.Writer(), at, touch}, (*scale).Execute, parallelfor.Batch(batch), parallelfor.Workers(3))
	})
	if len(broken) > 0 {
		p.judge("loop over bins", o, broken)
		return
	}
	begin, end := at-at%batch, min(at-at%batch+batch, n)
	if safety.Strict {
		begin, end = at, at+1
	}
	switch {
	case at >= n:
	case touch < 0 || touch >= bins:
		broken.add(safety.ErrIndex)
	case touch < begin || touch >= end:
		broken.add(safety.ErrWriteRange)
	}
	if p.judge("loop over bins", o, broken) {
		for i := range n {
			p.want.counts[i] *= 2
			if i == at {
				p.want.counts[touch]++
			}
		}
		return
	}
	for i := 0; i <= at; i++ {
		p.want.counts[i] *= 2
	}
	got := p.data.bins.Counts(nil)
	if !slices.Equal(got[:at+1], p.want.counts[:at+1]) {
		p.fatalf("the bins are %v, expected %v up to %d", got, p.want.counts, at)
	}
	copy(p.want.counts[:], got)
}

func (p *counters) complete() {
	if !p.flying {
		return
	}
	p.logf("Complete")
	p.flying = false
	o := attempt(p.inFlight.Complete)
	if o.violation != nil || (o.panicked != nil) != p.fails {
		p.fatalf("the job in flight ended with %v", o)
	}
	p.held = [theKinds]safety.Mode{}
}
