package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

var errAppending = errors.New("this index fails")

// recipe is what the indices of a loop append; index fail fails behind its first piece.
type recipe struct{ seed, fail int }

// pieces returns what index i appends, one piece after the other, each in its own way.
func (r recipe) pieces(i int) (all [][]int) {
	x := i*7 + r.seed
	for k := range x % 4 {
		piece := []int{}
		for v := range (x + 3*k) % 6 {
			piece = append(piece, 100*i+10*k+v)
		}
		all = append(all, piece)
	}
	return all
}

// way returns how index i appends its k-th piece: one item at a time, all, through the buffer, by a
// nested loop.
func (r recipe) way(i, k int) int { return (i + k + r.seed/4) % 4 }

// uses reports whether index i calls a method that appends, be it nothing.
func (r recipe) uses(i int) bool {
	for k, piece := range r.pieces(i) {
		if len(piece) > 0 || r.way(i, k) > 0 {
			return true
		}
	}
	return false
}

// index runs f for the pieces of index i.
func (r recipe) index(i int, f func(k int, piece []int)) error {
	for k, piece := range r.pieces(i) {
		f(k, piece)
		if i == r.fail {
			return errAppending
		}
	}
	return nil
}

// appending is a job that appends by a recipe.
type appending struct {
	Out array.ParallelWriter[int]
	recipe
}

func (j *appending) Execute(i int) error {
	return j.index(i, func(k int, piece []int) {
		switch j.way(i, k) {
		case 0:
			for _, v := range piece {
				j.Out.Append(v)
			}
		case 1:
			j.Out.AppendAll(piece)
		case 2:
			j.Out.AppendAll(append(j.Out.AvailableBuffer(), piece...))
		case 3:
			parallelfor.For(len(piece), j.Out, func(w *array.ParallelWriter[int], n int) { w.Append(piece[n]) }, parallelfor.Batch(2))
		}
	})
}

// appended is what the sequential loop leaves behind want, and whether it fails.
func (r recipe) appended(want []int, n int) ([]int, error) {
	for i := range n {
		if err := r.index(i, func(_ int, piece []int) { want = append(want, piece...) }); err != nil {
			return want, err
		}
	}
	return want, nil
}

// listed runs a program of FuzzList: a List and the slice that models it.
type listed struct {
	*program
	list     *array.List[int]
	want     []int
	held     safety.Mode // by the job in flight, 0 for not
	inFlight parallelfor.Handle
	hold     chan struct{}
}

// expect returns the rules that an owner's use breaks.
func (p *listed) expect(writes bool) (broken kinds) {
	if p.held != 0 && (writes || p.held != safety.Read) {
		broken.add(safety.ErrInFlight)
	}
	return broken
}

// place reads an index or a range, and the rules that it breaks.
func (p *listed) place(end bool) (i, j int, broken kinds) {
	n := len(p.want)
	broken = p.expect(true)
	if i, j = p.Around(n), n; end {
		j = p.Around(n)
	} else {
		j = i + 1
	}
	if i < 0 || j < i || j > n {
		broken.add(safety.ErrIndex)
	}
	return i, j, broken
}

// owner is a command: a method of the List.
func (p *listed) owner(what int) {
	l := p.list
	vs := make([]int, p.Below(5))
	for k := range vs {
		vs[k] = 1000*p.Step() + k
	}
	switch what {
	case 0:
		if p.use("Append", p.expect(true), func() { l.Append(7) }) {
			p.want = append(p.want, 7)
		}
	case 1:
		if p.use("AppendAll", p.expect(true), func() { l.AppendAll(vs) }) {
			p.want = append(p.want, vs...)
		}
	case 2:
		i, broken := p.Around(len(p.want)), p.expect(true)
		if i < 0 || i > len(p.want) {
			broken.add(safety.ErrIndex)
		}
		if p.use(fmt.Sprint("Insert at ", i), broken, func() { l.Insert(i, vs...) }) {
			p.want = slices.Insert(p.want, i, vs...)
		}
	case 3:
		if i, j, broken := p.place(false); p.use(fmt.Sprint("Remove ", i), broken, func() { l.Remove(i) }) {
			p.want = slices.Delete(p.want, i, j)
		}
	case 4:
		if i, j, broken := p.place(true); p.use(fmt.Sprint("RemoveRange ", i, " ", j), broken, func() { l.RemoveRange(i, j) }) {
			p.want = slices.Delete(p.want, i, j)
		}
	case 5, 6:
		if i, _, broken := p.place(false); p.use(fmt.Sprint("RemoveSwapBack ", i), broken, func() { l.RemoveSwapBack(i) }) {
			last := len(p.want) - 1
			p.want[i] = p.want[last]
			p.want = p.want[:last]
		}
	case 7:
		n, broken := min(p.Around(len(p.want)), 1000), p.expect(true)
		if n < 0 {
			broken.add(safety.ErrLength)
		}
		if p.use(fmt.Sprint("Resize ", n), broken, func() { l.Resize(n) }) {
			p.want = append(p.want[:min(n, len(p.want))], make([]int, max(n-len(p.want), 0))...)
		}
	case 8:
		n, room := p.Below(100), 0
		if p.use("Grow", p.expect(true), func() { l.Grow(n); room = l.Cap() - l.Len() }) && room < n {
			p.fatalf("there is room for %d, not %d", room, n)
		}
	case 9:
		if p.use("Trim", p.expect(true), l.Trim) && l.Cap() != len(p.want) {
			p.fatalf("the capacity is %d, of %d", l.Cap(), len(p.want))
		}
	case 10:
		if len(vs) < 2 {
			p.use("Clear", p.expect(true), func() { l.Clear(); p.want = nil })
		} else {
			p.look()
		}
	}
}

// look compares the list with the model.
func (p *listed) look() {
	var got []int
	if p.use("All", p.expect(false), func() {
		for i, v := range p.list.All() {
			if got = append(got, v); i != len(got)-1 || p.list.At(i) != v {
				p.fatalf("element %d", i)
			}
		}
	}) && (!slices.Equal(got, p.want) || p.list.Len() != len(got)) {
		p.fatalf("the list has %v, expected %v", got, p.want)
	}
}

// loop is a command: a loop that appends, or one that changes every element.
func (p *listed) loop(changes bool) {
	n, batch, workers := p.Below(80), p.Below(12)-1, 1+p.Below(4)
	r := recipe{p.Next(), p.Next()}
	options := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
	var broken kinds
	if p.held != 0 {
		broken.add(safety.ErrConflict)
	}
	var err error
	if !changes {
		if p.use(fmt.Sprint("a loop appends ", n, " ", r), broken, func() {
			err = parallelfor.ForErr(context.Background(), n, appending{p.list.ParallelWriter(), r}, (*appending).Execute, options...)
		}) {
			var failed error
			if p.want, failed = r.appended(p.want, n); err != failed {
				p.fatalf("the loop ended with %v, expected %v", err, failed)
			}
		}
		return
	}
	if n = min(n, len(p.want)+1); n > len(p.want) {
		broken.add(safety.ErrLength)
	}
	if p.use(fmt.Sprint("a loop changes ", n), broken, func() {
		parallelfor.For(n, p.list.Writer(), func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+i) }, options...)
	}) {
		for i := range n {
			p.want[i] += i
		}
	}
}

// late looks, and lateAppending appends, when it may.
type late struct {
	In   array.Reader[int]
	Hold <-chan struct{} `custody:"unguarded"`
	want []int           `custody:"unguarded"` // unchanging
}

func (j *late) Execute() {
	<-j.Hold
	if !slices.Equal(j.In.Slice(), j.want) {
		panic("the list has changed while it was read")
	}
}

type lateAppending struct {
	appending
	Hold <-chan struct{} `custody:"unguarded"`
}

func (j *lateAppending) Execute(i int) error {
	<-j.Hold
	return j.appending.Execute(i)
}

// lend is a command: a job holds the list until complete, which is another.
func (p *listed) lend(appends bool) {
	if p.hold != nil {
		return
	}
	p.hold = make(chan struct{})
	if p.logf("a job takes the list"); appends {
		p.held = safety.Append
		p.inFlight = parallelfor.ScheduleErr(context.Background(), 10, lateAppending{appending{p.list.ParallelWriter(), recipe{5, -1}}, p.hold}, (*lateAppending).Execute)
	} else {
		p.held = safety.Read
		p.inFlight = parallelfor.ScheduleDo(late{p.list.Reader(), p.hold, slices.Clone(p.want)}, (*late).Execute)
	}
}

func (p *listed) complete() {
	if p.hold == nil {
		return
	}
	p.logf("Complete")
	close(p.hold)
	p.hold = nil
	p.inFlight.Complete()
	if p.held == safety.Append {
		p.want, _ = recipe{5, -1}.appended(p.want, 10)
	}
	p.held = 0
}

func runList(t *testing.T, input []byte) {
	p := &listed{program: newProgram(t, input)}
	if first := make([]int, p.Below(20), 30); len(first)%2 == 0 {
		p.list, p.want = array.ListOf(first), slices.Clone(first)
	} else {
		p.list = array.NewList[int]()
	}
	for p.More() {
		switch op := p.Below(18); op {
		case 11, 12, 13:
			p.loop(false)
		case 14:
			p.loop(true)
		case 15, 16:
			p.lend(op == 15)
		case 17:
			p.complete()
		default:
			p.owner(op)
		}
		if len(p.want) > 5000 { // so that no input takes long
			break
		}
	}
	p.complete()
	p.look()
}

// script is a long input that a seed makes.
func script(seed, n int) (input []byte) {
	x := uint32(seed)
	for range n {
		x = x*1664525 + 1013904223
		input = append(input, byte(x>>24))
	}
	return input
}

func FuzzList(f *testing.F) {
	// The first byte is the length. Commands: 0 to 10 methods, each with a number of values, and
	// places; 11 to 13 a loop that appends: n, batch + 1, workers - 1, seed, index that fails; 14
	// one that changes; 15 and 16 a job that appends or reads until 17 Complete.
	f.Add([]byte{4, 1, 3, 2, 2, 3, 11, 40, 3, 2, 9, 30, 10, 3})
	f.Add([]byte{0, 15, 0, 0, 10, 3, 11, 5, 5, 5, 5, 5, 17, 10, 3})
	f.Add([]byte{6, 16, 10, 3, 1, 2, 11, 5, 5, 5, 5, 5, 17, 14, 6, 0, 3})
	for seed := range 40 {
		f.Add(script(seed, 200))
	}
	f.Fuzz(runList)
}
