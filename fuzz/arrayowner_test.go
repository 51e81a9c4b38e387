package fuzz_test

import (
	"fmt"
	"slices"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// expect returns the rules that an owner's use breaks.
func (s *slot) expect(writes bool) (broken kinds) {
	switch {
	case s.disposed:
		broken.add(safety.ErrDisposed)
	case s.held == safety.Write, s.held == safety.Read && writes:
		broken.add(safety.ErrInFlight)
	}
	return broken
}

func (p *arrays) make(s *slot, n int, adopt bool) {
	var broken kinds
	var fresh *array.Array[int]
	if n = min(n, 24); n < 0 {
		broken.add(safety.ErrLength)
	}
	if p.use(fmt.Sprintf("New of %d", n), broken, func() {
		if adopt && n >= 0 {
			fresh = array.Of(make([]int, n, n+3))
		} else {
			fresh = array.New[int](n)
		}
	}) {
		*s = slot{array: fresh, want: make([]int, n)}
	}
}

// owner is a command: a method of the Array.
func (p *arrays) owner(s *slot, what int) {
	a := s.array
	n := len(s.want)
	switch what {
	case 0, 1:
		i := p.Around(n)
		broken := s.expect(what == 1)
		if i < 0 || i >= n {
			broken.add(safety.ErrIndex)
		}
		got := 0
		if !p.use(fmt.Sprintf("index %d of %d", i, n), broken, func() {
			if what == 1 {
				a.Set(i, i*3)
			} else {
				got = a.At(i)
			}
		}) {
			return
		}
		if what == 1 {
			s.want[i] = i * 3
		} else if got != s.want[i] {
			p.fatalf("At(%d) is %d, expected %d", i, got, s.want[i])
		}
	case 2, 3:
		d := make([]int, max(0, min(p.Around(n), n+1)))
		for k := range d {
			d[k] = k * len(d)
		}
		broken := s.expect(what == 2)
		if len(d) != n {
			broken.add(safety.ErrLength)
		}
		if !p.use(fmt.Sprintf("copy of %d, of %d", len(d), n), broken, func() {
			if what == 2 {
				a.CopyFrom(d)
			} else {
				a.CopyTo(d)
			}
		}) {
			return
		}
		if what == 2 {
			copy(s.want, d)
		} else if !slices.Equal(d, s.want) {
			p.fatalf("CopyTo gave %v, expected %v", d, s.want)
		}
	case 4:
		if p.use("Clear", s.expect(true), a.Clear) {
			clear(s.want)
		}
	case 5:
		var got []int
		if p.use("All", s.expect(false), func() {
			for i, v := range a.All() {
				if i != len(got) {
					p.fatalf("All gave index %d after %d elements", i, len(got))
				}
				got = append(got, v)
			}
		}) && !slices.Equal(got, s.want) {
			p.fatalf("All gave %v, expected %v", got, s.want)
		}
	case 6: // elements that rise by little: offsets
		step := p.Next()
		if p.use("Slice", s.expect(true), func() {
			for k, d := 0, a.Slice(); k < len(d); k++ {
				d[k] = k * (step % 4) / 2
			}
		}) {
			for k := range s.want {
				s.want[k] = k * (step % 4) / 2
			}
		}
	case 7:
		var broken kinds
		if s.disposed {
			broken.add(safety.ErrDisposed)
		} else if s.held != 0 {
			broken.add(safety.ErrInFlight)
		}
		if p.use("Dispose", broken, a.Dispose) {
			s.disposed, s.want = true, nil
		}
		if a.Disposed() != s.disposed {
			p.fatalf("Disposed is %v", a.Disposed())
		}
	case 8:
		var broken kinds
		if s.disposed {
			broken.add(safety.ErrDisposed)
		}
		got := 0
		if p.use("Len", broken, func() { got = a.Len() }) && got != n {
			p.fatalf("Len is %d, expected %d", got, n)
		}
	}
}

// stray is a command: a view that is not bound, or not any more.
func (p *arrays) stray(s *slot, what int) {
	if !safety.Enabled {
		return
	}
	stale := kinds{safety.ErrStaleView}
	w, r := s.array.Writer(), s.array.Reader()
	i := p.Around(len(s.want))
	switch what {
	case 0:
		p.use("unbound Writer", stale, func() { w.Set(i, 1) })
	case 1:
		p.use("unbound Reader", stale, func() { r.At(i) })
	case 2:
		p.use("unbound Writer", stale, func() { w.Slice() })
	case 3:
		if len(s.expect(true)) > 0 {
			return
		}
		var kept array.Writer[int]
		parallelfor.Do(w, func(w *array.Writer[int]) { kept = *w })
		p.use("kept Writer", stale, func() { kept.Slice() })
	case 4:
		p.use("Rows", kinds{safety.ErrArgument}, func() { array.ByRows(w, -(i & 7)) })
	}
}
