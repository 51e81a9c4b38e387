package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// PermutedWriter is a view that writes any element in any batch, each at most once in the job: for loops that scatter,
// as out[perm[i]] = f(i). That no element is written twice, by whichever batches, is checked on every run; a loop
// that keeps to it leaves what the sequential loop leaves.
//
// Each write sets a bit of the element, atomically: a few nanoseconds, and each schedule allocates one bit for each
// element. Unchecked builds have no bits. It works only inside the job that carries it; make it with
// [Writer.Permuted].
type PermutedWriter[T any] struct {
	hold
	s     []T // none while the view is not bound
	taken *bits
	of    *Array[T]
}

// Permuted returns a view that may write every element in every batch, each once in the job, whatever w's rows are. In a
// body it is over the window of w, each element of which it writes once.
func (w Writer[T]) Permuted() PermutedWriter[T] {
	p := PermutedWriter[T]{hold: w.hold.WithKind((*permutedWriterKind[T])(nil)), of: w.of}
	if w.hold.Bound() {
		p.s, p.taken = w.s, newBits(len(w.s))
	}
	return p
}

// Set sets element i, which must be the job's first and only use of it. An index outside [0, Len) is a violation, and
// so is one that was set before: which of the two batches is told depends on which comes later.
func (p *PermutedWriter[T]) Set(i int, v T) { *p.Ptr(i) = v }

// Ptr returns a pointer to element i, to read and write it until the batch ends. It counts as [PermutedWriter.Set].
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
	if safety.Strict {
		p.hold.Check()
	}
	if !p.hold.Bound() {
		panic(p.hold.Stale())
	}
	return len(p.s)
}

// permutedWriterKind is the kind of PermutedWriters.
type permutedWriterKind[T any] PermutedWriter[T]

// Of implements safety.ViewKind.
func (*permutedWriterKind[T]) Of(view any) safety.Binder {
	return (*permutedWriterKind[T])(view.(*PermutedWriter[T]))
}

// Claim completes the claim.
func (p *permutedWriterKind[T]) Claim(c *safety.Claim) {
	switch {
	case c.Guard == nil:
		return
	case !p.hold.Bound():
		p.taken = newBits(p.of.serves())
	}
	c.Unrestricted, c.Into = true, p.taken
}

// Bind implements safety.Binder.
func (p *permutedWriterKind[T]) Bind(b safety.Binding) {
	if !p.hold.Bound() {
		p.s = p.of.data
	}
	p.hold.Bind(b)
	p.taken, _ = b.State().(*bits)
}

// Window says what the view may touch, for texts.
func (p *permutedWriterKind[T]) Window() (begin, end, length int) { return 0, len(p.s), len(p.s) }

// bits is a set of indices.
type bits struct{ words []atom.HiddenUint64 }

func newBits(n int) *bits {
	if !safety.Enabled {
		return nil
	}
	b := new(bits)
	if n != math.MaxInt { // or what it is is told when the phase opens
		b.size(nil, n)
	}
	return b
}

// size makes room for the indices below n, unless there is some. Any length fits, by amount.Most.
func (b *bits) size(_ *safety.Guard, n int) {
	if b.words == nil {
		b.words = make([]atom.HiddenUint64, (uint(n)+63)/64)
	}
}

// take adds i and says whether it was not there. Of several that take an index, one is told so.
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
