package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// PermutedWriter is a view for loops that scatter, as out[perm[i]] = f(i): every batch may write
// any element, and each element is written at most once in the job. This is checked on every run,
// so the loop leaves what the sequential loop leaves. A PermutedWriter works only inside the job
// that carries it. [Permuted] makes it.
//
// Cost: an atomic operation, of a few nanoseconds, for each element written; each schedule
// allocates a bit for each element. Unchecked builds do neither.
//
// Set, Ptr: once a job; lock-free; O(1); allocates never.
// Len: job reads; wait-free; O(1); allocates never.
type PermutedWriter[T any] struct {
	hold  `custody:"part"`
	s     []T // none in an unbound view
	taken *bits
	of    *core
}

// Permuted returns a view that may write every element in every batch, each once in the job. The
// rows of w have no effect. In a body the view covers the window of w.
//
//go:noinline
func Permuted[T any](w Writer[T]) (p PermutedWriter[T]) {
	(*permutedWriterKind)(elem.Pointer(&p)).init((*windowKind)(elem.Pointer(&w)))
	return p
}

// Set sets element i, and must be the job's only use of it. An index outside [0, Len) is a
// violation, and so is one that was set before. Of two batches that set one element, the later one
// gets the violation.
func (p *PermutedWriter[T]) Set(i int, v T) { *p.Ptr(i) = v }

// Ptr returns a pointer to element i, valid for reads and writes until the batch ends. It counts as
// a [PermutedWriter.Set].
func (p *PermutedWriter[T]) Ptr(i int) *T {
	return (*T)((*permutedWriterKind)(elem.Pointer(p)).at(i))
}

// Len returns the number of elements.
func (p *PermutedWriter[T]) Len() int {
	quiet.MustBeBound(quiet.Of(&p.hold))
	return len(p.s)
}

// permutedWriterKind has the layout of a PermutedWriter, and the methods that drivers call.
type permutedWriterKind struct {
	kept  safety.Hold
	s     slice
	taken *bits
	of    *core
}

// init makes the zero p a view of what w has.
func (p *permutedWriterKind) init(w *windowKind) {
	if p.kept, p.of = w.kept.WithKind(permutedWriters), w.of; w.kept.Bound() {
		p.s, p.taken = w.s, newBits(w.s.len)
	}
}

// at is Ptr.
func (p *permutedWriterKind) at(i int) elem.Pointer {
	if safety.Strict {
		p.kept.Check()
	}
	if uint(i) >= uint(p.s.len) {
		panic(p.kept.Out(i))
	}
	if safety.Enabled && !p.taken.take(i) {
		panic(p.again(i))
	}
	return p.s.at(i, p.of.size)
}

// again returns the violation of using element i a second time.
func (p *permutedWriterKind) again(i int) *safety.Violation {
	p.kept.Check()
	g := &p.of.guard
	v := g.Violation(safety.ErrTwice, "element "+strconv.Itoa(i)+" of "+g.Container()+" was written twice through a Permuted view",
		"Each index may be used once in a job: check that the indices are a permutation. To change an element in several steps keep what Ptr returned, within the batch.")
	v.Index, v.Max, v.Length = i, p.s.len, p.s.len
	return p.kept.Blame(v)
}

// Claim completes the claim.
func (p *permutedWriterKind) Claim(c *safety.Claim) {
	if c.Guard == nil {
		return
	}
	if !p.kept.Bound() {
		p.taken = newBits(p.of.serves())
	}
	c.Unrestricted, c.Into = true, p.taken
}

// Bind implements safety.Binder.
func (p *permutedWriterKind) Bind(b safety.Binding) {
	if !p.kept.Bound() {
		p.s = p.of.data
	}
	p.kept.Bind(b)
	p.taken, _ = b.State().(*bits)
}

// Window returns the indices that the view may touch and the length, for texts.
func (p *permutedWriterKind) Window() (begin, end, length int) { return 0, p.s.len, p.s.len }

// bits is a set of indices.
type bits struct{ words []atom.HiddenUint64 }

// newBits returns an empty set of indices below n, or nil in unchecked builds. If n is math.MaxInt,
// the length is not known yet, and size is called when the phase opens.
func newBits(n int) *bits {
	if !safety.Enabled {
		return nil
	}
	b := new(bits)
	if n != math.MaxInt {
		b.size(nil, n)
	}
	return b
}

// size makes room for the indices below n, unless there is room. Any length fits: see amount.Most.
func (b *bits) size(_ *safety.Guard, n int) {
	if b.words == nil {
		b.words = make([]atom.HiddenUint64, (uint(n)+63)/64)
	}
}

// take adds i and reports whether i was not in the set. Of several calls for i one returns true.
//
//go:norace
func (b *bits) take(i int) bool {
	word, bit := &b.words[i/64], uint64(1)<<(i%64)
	for {
		w := word.Load()
		if w&bit != 0 {
			return false
		}
		if word.CompareAndSwap(w, w|bit) {
			return true
		}
	}
}
