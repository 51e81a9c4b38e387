package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// shadowed says that Unrestricted views keep a shadow. Builds with -race do not: the detector sees what the shadow
// would, and more.
const shadowed = safety.Strict && !atom.Race

// shadow says of each element of an array which batches of a loop have used it, so that strict builds find out when two
// batches touch one element through an Unrestricted view and one of them writes.
//
// Whoever uses an element first says so and then looks whether others have (I1). So of two batches that use it, the one
// that says so later sees the other: each overlap is found, on every run, whatever the workers do.
type shadow struct {
	marks []mark
	outer *shadow // of the body that lent the view on
	batch int     // that body's
}

// mark is the batches that have written and read one element, plus 1; several stands for more than one.
type mark struct{ wrote, read atom.HiddenUint64 }

const several = ^uint64(0)

// newShadow returns a fresh shadow of n elements, for a job that has the view w.
func newShadow[T any](n int, w *window[T]) *shadow {
	s := new(shadow)
	if n != math.MaxInt { // or what it is is told when the phase opens
		s.size(&w.of.guard, n)
	}
	if w.shadow != nil {
		s.outer, s.batch = w.shadow, w.hold.Batch()
	}
	return s
}

// size makes marks for the n elements of the container with the guard g, unless there are some.
func (s *shadow) size(g *safety.Guard, n int) {
	if s.marks == nil {
		if most := amount.Most[mark](); n > most {
			panic(amount.Refusal(g, "was to have a mark for each of", n, 0, most, "element"))
		}
		s.marks = make([]mark, n)
	}
}

// clash is that two batches share an element that one of them writes: of a job, or around it.
type clash struct {
	batch, other int // other is -1 when it is several
	around       bool
}

// touch notes that the batch uses element i, and returns a batch that it must not share it with.
func (s *shadow) touch(i, batch int, write bool) (c clash, found bool) {
	m := &s.marks[i]
	own, theirs := &m.read, &m.wrote
	if write {
		own, theirs = &m.wrote, &m.read
	}
	me := uint64(batch) + 1
	before := note(own, me)
	if write && before != 0 && before != me {
		return clash{batch: batch, other: number(before)}, true
	}
	if c := theirs.Load(); c != 0 && c != me {
		return clash{batch: batch, other: number(c)}, true
	}
	if s.outer != nil {
		c, found = s.outer.touch(i, s.batch, write)
		c.around = true
	}
	return c, found
}

// number is the number of the batch that a mark says, or -1.
func number(mark uint64) int {
	if mark == several {
		return -1
	}
	return int(mark) - 1
}

// note makes the word say that the batch has been there, and returns what it said before.
func note(word *atom.HiddenUint64, batch uint64) (before uint64) {
	for {
		before = word.Load()
		now := batch
		if before != 0 && before != batch {
			now = several
		}
		if now == before || word.CompareAndSwap(before, now) {
			return before
		}
	}
}

// use notes in the shadow that element i is used. What is out of range is refused elsewhere.
func (w *window[T]) use(i int, write bool) {
	if w.shadow == nil || uint(i) >= uint(len(w.shadow.marks)) {
		return
	}
	c, found := w.shadow.touch(i, w.hold.Batch(), write)
	if !found {
		return
	}
	g := &w.of.guard
	batches := "several batches"
	if c.other >= 0 {
		batches = "batches " + strconv.Itoa(min(c.batch, c.other)) + " and " + strconv.Itoa(max(c.batch, c.other))
	}
	if c.around {
		batches += " of a loop around"
	}
	v := g.Violation(safety.ErrOverlap, batches+" use element "+strconv.Itoa(i)+" of "+g.Container()+" through an Unrestricted view, and one of them writes it",
		"Give each batch elements of its own: by Writer, Rows, ByOffsets, or Permuted if the indices are a permutation; or read from another array.")
	v.Index, v.Max, v.Length = i, len(w.shadow.marks), len(w.shadow.marks)
	panic(w.hold.Blame(v))
}
