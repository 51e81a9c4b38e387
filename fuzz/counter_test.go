package fuzz_test

import (
	"fmt"
	"testing"

	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// counters runs a program of FuzzCounter.
type counters struct {
	*program
	data     counterData
	tools    [theKinds]tool
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
		if p.use(fmt.Sprintf("add %d to %d", x, which), p.expect(which, safety.Append), func() { p.tools[which].add(x) }) {
			p.want.add(which, x)
		}
	case 2:
		if p.use(fmt.Sprintf("set %d to %d", which, x), p.expect(which, 0), func() { p.tools[which].set(x) }) {
			p.want.set(which, x)
		}
	case 3:
		p.look(which)
	case 4:
		swap := p.tools[which].swap
		if swap == nil {
			return
		}
		var got numbers
		if p.use(fmt.Sprintf("swap %d for %d", which, x), p.expect(which, 0), func() { swap(x, &got) }) {
			if old, want := got.show(which), p.want.show(which); old != want {
				p.fatalf("Swap of %d gave %v, expected %v", which, old, want)
			}
			p.want.set(which, x)
		}
	case 5:
		if p.disposed[which] || x >= 64 { // seldom
			return
		}
		if p.use(fmt.Sprintf("dispose %d", which), p.expect(which, 0), p.tools[which].dispose) {
			p.disposed[which] = true
		}
	case 6:
		bin := p.Around(bins)
		broken := p.expect(theHistogram, safety.Append)
		if bin < 0 || bin >= bins {
			broken.add(safety.ErrIndex)
		}
		if p.use(fmt.Sprintf("add to bin %d", bin), broken, func() { p.data.bins.Add(bin, 1) }) {
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
	var got numbers
	if p.use(fmt.Sprintf("read %d", which), p.expect(which, safety.Read), func() { p.tools[which].read(&got) }) {
		p.same(which, got.show(which))
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

func runCounter(t *testing.T, input []byte) {
	p := &counters{program: newProgram(t, input)}
	p.data = newCounterData()
	p.tools = p.data.tools()
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
	// Commands: 0 add 2 set 3 read 4 swap 5 dispose 6 bin 7 Total, 16 times the container; 8 Local,
	// with 16 close, with 32 add; 9 loop (mask, n, batch - 1 + 8 workers, seed, fails), 10 in
	// flight; 11 single job, with 16 reads (container, operand, set), 12 in flight; 13 over bins;
	// 14 Complete.
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
