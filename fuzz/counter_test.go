package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// counters runs a program of FuzzCounter.
type counters struct {
	*program
	data     counterData
	want     numbers
	disposed [theKinds]bool
	held     [theKinds]safety.Mode
	inFlight parallelfor.Handle
	fails    bool // the job in flight does
	flying   bool
	locals   []*counter.Local
	closed   []bool
}

// expect returns the rules that an ordinary use breaks; beside is the mode that goes with it.
func (p *counters) expect(which int, beside safety.Mode) (broken kinds) {
	switch {
	case p.disposed[which]:
		broken.add(safety.ErrDisposed)
	case p.held[which] != 0 && p.held[which] != beside:
		broken.add(safety.ErrInFlight)
	}
	return broken
}

func (p *counters) use(what string, broken kinds, f func()) bool {
	p.logf("%s: expected %v", what, []error(broken))
	if !safety.Enabled && len(broken) > 0 {
		return false
	}
	return p.judge(what, attempt(f), broken)
}

// ordinary is a command: a method outside jobs.
func (p *counters) ordinary(which, what int) {
	x := p.Next()
	if which == theFloats {
		x = summand(x)
	}
	switch what {
	case 0, 1:
		if which == theFloats && p.held[which] == safety.Append {
			return // the order in which the two arrive decides about the last bits
		}
		if (which == theMin || which == theMax) && p.held[which] == safety.Append && float(x) == 0 {
			return // of -0 and +0 the first to arrive stays
		}
		if p.use(fmt.Sprintf("add %d to %d", x, which), p.expect(which, safety.Append), func() { p.data.add(which, x) }) {
			p.want.add(which, x)
		}
	case 2:
		if p.use(fmt.Sprintf("set %d to %d", which, x), p.expect(which, 0), func() { p.data.set(which, x) }) {
			p.want.set(which, x)
		}
	case 3:
		p.look(which)
	case 4:
		var old, now any
		if which > theFloats {
			return
		}
		was := p.want
		if p.use(fmt.Sprintf("swap %d for %d", which, x), p.expect(which, 0), func() {
			var n numbers
			switch which {
			case theCounter:
				n.count = p.data.count.Swap(int64(x))
			case theSum:
				n.sum = p.data.sum.Swap(int8(x))
			case theFloats:
				n.floats = p.data.floats.Swap(float(x))
			}
			old, now = n.show(which), was.show(which)
		}) {
			p.want.set(which, x)
			if old != now {
				p.fatalf("Swap of %d gave %v, expected %v", which, old, now)
			}
		}
	case 5:
		if p.disposed[which] || x >= 64 { // seldom
			return
		}
		if p.use(fmt.Sprintf("dispose %d", which), p.expect(which, 0), func() { p.data.dispose(which) }) {
			p.disposed[which] = true
		}
	case 6:
		bin := p.Around(bins)
		broken := p.expect(theHistogram, safety.Append)
		if bin < 0 || bin >= bins {
			broken.add(safety.ErrIndex)
		}
		if p.use(fmt.Sprintf("add to bin %d", bin), broken, func() { p.data.bins.Add(bin) }) {
			p.want.counts[bin]++
		}
	case 7:
		var total int64
		for _, c := range p.want.counts {
			total += c
		}
		if p.use("Total", p.expect(theHistogram, safety.Read), func() {
			if got := p.data.bins.Total(); got != total {
				p.fatalf("Total is %d, expected %d", got, total)
			}
		}) {
			for i, got := range p.data.bins.All() {
				if got != p.want.counts[i] {
					p.fatalf("bin %d is %d, expected %d", i, got, p.want.counts[i])
				}
			}
		}
	}
}

// look compares a value with the model's.
func (p *counters) look(which int) {
	var got any
	if p.use(fmt.Sprintf("read %d", which), p.expect(which, safety.Read), func() { got = p.data.read(which) }) {
		p.same(which, got)
	}
}

func (p *counters) same(which int, got any) {
	if want := p.want.show(which); got != want {
		p.fatalf("container %d is %v, expected %v", which, got, want)
	}
}

// local is a command: something with a Local of the Counter.
func (p *counters) local(what int) {
	k := p.Next()
	if what == 0 && len(p.locals) < 8 {
		var broken kinds
		if p.disposed[theCounter] {
			broken.add(safety.ErrDisposed)
		}
		p.use("Local", broken, func() {
			p.locals = append(p.locals, p.data.count.Local())
			p.closed = append(p.closed, false)
		})
		return
	}
	if len(p.locals) == 0 {
		return
	}
	l := k % len(p.locals)
	if what == 1 {
		p.use(fmt.Sprintf("close local %d", l), nil, p.locals[l].Close)
		p.closed[l] = true
		return
	}
	broken := p.expect(theCounter, safety.Append)
	if p.closed[l] {
		if !safety.Enabled {
			return
		}
		broken.add(safety.ErrClosed)
	}
	if p.use(fmt.Sprintf("local %d adds %d", l, k), broken, func() { p.locals[l].Add(int64(k)) }) {
		p.want.count += int64(k)
	}
}

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
			switch k {
			case theCounter:
				j.Count = append(j.Count, p.data.count.ParallelWriter())
			case theSum:
				j.Sum = append(j.Sum, p.data.sum.ParallelWriter())
			case theFloats:
				j.Floats = append(j.Floats, p.data.floats.ParallelWriter())
			case theMin:
				j.Best = append(j.Best, p.data.min.ParallelWriter())
			case theMax:
				j.Best = append(j.Best, p.data.max.ParallelWriter())
			case theHistogram:
				j.Bins = append(j.Bins, p.data.bins.ParallelWriter())
			}
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
			p.inFlight = parallelfor.Schedule(n, j, options...)
		} else {
			parallelfor.Run(n, j, options...)
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

// execute does to the model of a container what a loop does. A Sum of floats adds the cells' sums up.
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

// single is a command: a job that has one container as its own, or reads it.
func (p *counters) single(reads, stay bool) {
	which, x := p.Below(theKinds), p.Next()
	if which == theFloats {
		x = summand(x)
	}
	mode := safety.Write
	var got [1]any
	w := owners{X: x, Set: p.Bit()}
	r := readers{Got: &got, Which: which}
	switch which {
	case theCounter:
		w.Count, r.Count = []counter.Writer{p.data.count.Writer()}, []counter.Reader{p.data.count.Reader()}
	case theSum:
		w.Sum, r.Sum = []counter.SumWriter[int8]{p.data.sum.Writer()}, []counter.SumReader[int8]{p.data.sum.Reader()}
	case theFloats:
		w.Floats, r.Floats = []counter.SumWriter[float64]{p.data.floats.Writer()}, []counter.SumReader[float64]{p.data.floats.Reader()}
	case theMin:
		w.Best, r.Best = []counter.ExtremumWriter[float64]{p.data.min.Writer()}, []counter.ExtremumReader[float64]{p.data.min.Reader()}
	case theMax:
		w.Best, r.Best = []counter.ExtremumWriter[float64]{p.data.max.Writer()}, []counter.ExtremumReader[float64]{p.data.max.Reader()}
	case theHistogram:
		w.Bins, r.Bins = []counter.HistogramWriter{p.data.bins.Writer()}, []counter.HistogramReader{p.data.bins.Reader()}
	}
	if reads {
		mode = safety.Read
	}
	stay = stay && !p.flying
	if !p.use(fmt.Sprintf("single job over %d, x %d set %v, mode %v stays %v", which, x, w.Set, mode, stay), p.claims([]int{which}, mode), func() {
		switch {
		case reads && stay:
			p.inFlight = parallelfor.ScheduleSingle(r)
		case reads:
			parallelfor.RunSingle(r)
		case stay:
			p.inFlight = parallelfor.ScheduleSingle(w)
		default:
			parallelfor.RunSingle(w)
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

// scale is the job of merge: each index doubles its bin, and one perhaps another's.
type scale struct {
	Bins  counter.HistogramWriter
	At    int
	Touch int
}

func (j *scale) Execute(i int) {
	j.Bins.Set(i, 2*j.Bins.At(i))
	if i == j.At {
		j.Bins.Add(j.Touch, 1)
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
		parallelfor.Run(n, scale{p.data.bins.Writer(), at, touch}, parallelfor.Batch(batch), parallelfor.Workers(3))
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

func runCounter(t *testing.T, input []byte) {
	p := &counters{program: newProgram(t, input)}
	p.data = counterData{
		count: counter.New(), sum: counter.NewSum[int8](), floats: counter.NewSum[float64](),
		min: counter.NewMin[float64](), max: counter.NewMax[float64](), bins: counter.NewHistogram(bins),
	}
	for p.More() {
		b := p.Next()
		switch op := b % 16; op {
		case 0, 1, 2, 3, 4, 5, 6, 7:
			p.ordinary(b/16%theKinds, op)
		case 8:
			p.local(b / 16 % 3)
		case 9, 10:
			p.loop(op == 10)
		case 11:
			p.single(b&16 != 0, false)
		case 12:
			p.single(b&16 != 0, true)
		case 13:
			p.merge()
		case 14:
			p.complete()
		default:
			p.look(b / 16 % theKinds)
		}
	}
	p.complete()
	for which := range theKinds {
		if !p.disposed[which] {
			p.look(which)
		}
	}
}

func FuzzCounter(f *testing.F) {
	// Commands: 0 add 2 set 3 read 4 swap 5 dispose 6 bin 7 Total, 16 times the container; 8 Local, with
	// 16 close, with 32 add; 9 loop (mask, n, batch - 1 + 8 workers, seed, fails), 10 in flight; 11 single job,
	// with 16 reads (container, operand, set), 12 in flight; 13 over bins; 14 Complete.
	f.Add([]byte{0, 5, 2, 9, 3, 0, 4, 7, 16, 200, 20, 1, 32, 5, 48, 4, 64, 3, 80, 9, 6, 0, 6, 7, 0, 7, 0})
	f.Add([]byte{8, 0, 8, 0, 40, 7, 40, 8, 3, 0, 4, 1, 40, 7, 24, 0, 40, 2, 3, 0, 24, 1, 3, 0})
	for _, fail := range []byte{0, 1, 41, 77} {
		f.Add([]byte{9, 63, 40, 26, 3, fail, 9, 127, 63, 24, 4, fail})
		f.Add([]byte{10, 63, 33, 17, 5, fail, 0, 3, 3, 0, 16, 4, 48, 200, 80, 6, 2, 5, 40, 1, 9, 1, 4, 4, 4, 4, 5, 1, 14, 3, 0})
	}
	for which := range byte(theKinds) {
		f.Add([]byte{which * 16, 8, 11, which, 7, 0, 27, which, 0, 0, 12, which, 3, 1, which * 16, 3, which*16 + 3, 0, 14, 27, which, 0, 0})
		f.Add([]byte{28, which, 0, 0, 27, which, 0, 0, which*16 + 3, 0, which * 16, 1, which*16 + 2, 1, 11, which, 1, 1, 14, which * 16, 1})
		f.Add([]byte{which*16 + 5, 0, which * 16, 1, which*16 + 3, 0, 9, 1 << which, 4, 4, 4, 4, which*16 + 4, 3})
	}
	f.Add([]byte{9, 32, 50, 3, 1, 0, 13, 7, 0, 2, 3, 13, 8, 0, 2, 3, 13, 5, 2, 4, 6, 13, 7, 1, 6, 230, 7, 0})
	f.Add([]byte{48, 1, 48, 0, 64, 0, 64, 1, 9, 24, 60, 0, 7, 0, 48, 2, 50, 2, 51, 0}) // -0, +0 and NaN
	f.Fuzz(runCounter)
}
