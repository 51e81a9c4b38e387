package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// shadowed reports whether Unrestricted views keep a shadow. Builds with -race do not: the detector
// finds all that the shadow would.
const shadowed = safety.Strict && !atom.Race

// shadow records which batches of a loop have used each element, so that strict builds find two
// batches that touch one element through an Unrestricted view when one of them writes.
//
// A batch that uses an element first leaves its mark and then looks for marks of others. So of two
// batches that use it, the one that marks later sees the other: each overlap is found on every run.
type shadow struct {
	marks []mark
	outer *shadow // of the job whose body passed the view on; nil: there is none
	batch int     // that body's batch
	first int     // the element of outer that is element 0
}

// mark has the batch that has written one element, and the batch that has read it, each plus 1. A
// word is 0 if there is no such batch, and several if there are more.
type mark struct{ wrote, read atom.HiddenUint64 }

const several = ^uint64(0)

// newShadow returns a fresh shadow of n elements, for a job that has the view w.
func newShadow(n int, w *windowKind) *shadow {
	s := new(shadow)
	if n != math.MaxInt { // otherwise size is called when the phase opens
		s.size(&w.of.guard, n)
	}
	if w.shadow != nil {
		s.outer, s.batch, s.first = w.shadow, w.kept.Batch(), w.min
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

// touch marks that the batch uses element i. It returns a text of the batches that must not share
// the element, or "". around reports whether they are batches of a loop around the job.
func (s *shadow) touch(i, batch int, write bool) (batches string, around bool) {
	m := &s.marks[i]
	own, theirs := &m.read, &m.wrote
	if write {
		own, theirs = &m.wrote, &m.read
	}
	me := uint64(batch) + 1
	if before := note(own, me); write && before != 0 && before != me {
		return clash(me, before), false
	}
	if c := theirs.Load(); c != 0 && c != me {
		return clash(me, c), false
	}
	if s.outer != nil {
		batches, _ = s.outer.touch(s.first+i, s.batch, write)
	}
	return batches, true
}

// clash returns a text of the batches of two words of marks. a is of one batch.
func clash(a, b uint64) string {
	if b == several {
		return "several batches"
	}
	return "batches " + strconv.FormatUint(min(a, b)-1, 10) + " and " + strconv.FormatUint(max(a, b)-1, 10)
}

// note adds a batch to a word of a mark, and returns what the word was. batch is its number plus 1.
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

// use marks that the batch uses element i. It panics with a violation if the batch must not share
// the element with another one. Accessors refuse an index out of range themselves.
func (w *windowKind) use(i int, write bool) {
	if w.shadow == nil || uint(i) >= uint(len(w.shadow.marks)) {
		return
	}
	batches, around := w.shadow.touch(i, w.kept.Batch(), write)
	if batches == "" {
		return
	}
	if around {
		batches += " of a loop around"
	}
	g := &w.of.guard
	v := g.Violation(safety.ErrOverlap, batches+" use element "+strconv.Itoa(i)+" of "+g.Container()+" through an Unrestricted view, and one of them writes it",
		"Give each batch elements of its own: by Writer, ByRows, ByOffsets, or Permuted if the indices are a permutation; or read from another array.")
	v.Index, v.Max, v.Length = i, len(w.shadow.marks), len(w.shadow.marks)
	panic(w.kept.Blame(v))
}
