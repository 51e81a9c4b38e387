package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// PermutedWriter is a view for loops that scatter, as out[perm[i]] = f(i): every batch may write
// any element, and each element is written at most once in the job. This is checked on every run,
// so the loop leaves what the sequential loop leaves. A PermutedWriter works only inside the job
// that carries it. [Writer.Permuted] makes it.
//
// Cost: an atomic operation, of a few nanoseconds, for each element written; each schedule
// allocates a bit for each element. Unchecked builds do neither.
//
// Set, Ptr: once a job; lock-free; O(1); allocates never.
// Len: job reads; wait-free; O(1); allocates never.
type PermutedWriter[T any] struct {
	hold
	s     []T // none in an unbound view
	taken *bits
	of    *Array[T]
}

// Permuted returns a view that may write every element in every batch, each once in the job. The
// rows of w have no effect. In a body the view covers the window of w.
func (w Writer[T]) Permuted() PermutedWriter[T] {
	p := PermutedWriter[T]{hold: w.hold.WithKind((*permutedWriterKind[T])(nil)), of: w.of}
	if w.hold.Bound() {
		p.s, p.taken = w.s, newBits(len(w.s))
	}
	return p
}

// Set sets element i, and must be the job's only use of it. An index outside [0, Len) is a
// violation, and so is one that was set before. Of two batches that set one element, the later one
// gets the violation.
func (p *PermutedWriter[T]) Set(i int, v T) { *p.Ptr(i) = v }

// Ptr returns a pointer to element i, valid for reads and writes until the batch ends. It counts as
// a [PermutedWriter.Set].
func (p *PermutedWriter[T]) Ptr(i int) *T {
	if safety.Strict {
		p.hold.Check()
	}
	if uint(i) >= uint(len(p.s)) {
		panic(p.hold.Out(i))
	}
	if safety.Enabled && !p.taken.take(i) {
		p.again(i)
	}
	return &p.s[i]
}

// again panics with the violation of using element i a second time.
func (p *PermutedWriter[T]) again(i int) {
	p.hold.Check()
	g := &p.of.guard
	v := g.Violation(safety.ErrTwice, "element "+strconv.Itoa(i)+" of "+g.Container()+" was written twice through a Permuted view",
		"Each index may be used once in a job: check that the indices are a permutation. To change an element in several steps keep what Ptr returned, within the batch.")
	v.Index, v.Max, v.Length = i, len(p.s), len(p.s)
	panic(p.hold.Blame(v))
}

// Len returns the number of elements.
func (p *PermutedWriter[T]) Len() int {
	mustBeBound(&p.hold)
	return len(p.s)
}

// permutedWriterKind has the methods of a PermutedWriter that drivers call.
type permutedWriterKind[T any] struct{ view PermutedWriter[T] }

// Of implements safety.ViewKind.
func (*permutedWriterKind[T]) Of(view any) safety.Binder {
	return (*permutedWriterKind[T])(elem.Pointer(view.(*PermutedWriter[T])))
}

// Claim completes the claim.
func (k *permutedWriterKind[T]) Claim(c *safety.Claim) {
	p := &k.view
	if c.Guard == nil {
		return
	}
	if !p.hold.Bound() {
		p.taken = newBits(p.of.serves())
	}
	c.Unrestricted, c.Into = true, p.taken
}

// Bind implements safety.Binder.
func (k *permutedWriterKind[T]) Bind(b safety.Binding) {
	p := &k.view
	if !p.hold.Bound() {
		p.s = p.of.data
	}
	p.hold.Bind(b)
	p.taken, _ = b.State().(*bits)
}

// Window returns the indices that the view may touch and the length, for texts.
func (k *permutedWriterKind[T]) Window() (begin, end, length int) {
	return 0, len(k.view.s), len(k.view.s)
}

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
