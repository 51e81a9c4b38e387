package parallelfor

import (
	"iter"
	"math/bits"

	"example.com/custody/internal/origin"
)

// mask has a bit for every index of a loop. Each batch has words of its own.
type mask struct {
	grid
	stride int // words of a batch
	words  []uint64
}

func newMask(n int, opts []Option) mask {
	m := mask{grid: gridOf(n, opts)}
	if m.batches > 0 {
		m.stride = divUp(m.grid.size, 64)
		words := uint(m.batches) * uint(m.stride)
		m.words = placesFor[uint64](n, words, "that notes which of them to keep", "word", opts)
	}
	return m
}

// of returns the words of a batch, and the index of the first bit.
func (m *mask) of(batch int) (words []uint64, first int) {
	return m.words[batch*m.stride : (batch+1)*m.stride], batch * m.grid.size
}

// starts returns the number of bits that are set below each batch, and in all batches.
func (m *mask) starts() []int {
	at := make([]int, m.batches+1)
	for c := range m.batches {
		words, _ := m.of(c)
		at[c+1] = at[c]
		for _, w := range words {
			at[c+1] += bits.OnesCount64(w)
		}
	}
	return at
}

// kept returns the indices of a batch whose bits are set, in ascending order.
func (m *mask) kept(batch int) iter.Seq[int] {
	return func(yield func(i int) bool) {
		words, first := m.of(batch)
		for k, w := range words {
			for ; w != 0; w &= w - 1 {
				if !yield(first + 64*k + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// predicate is a function of the program that is asked about indices: holds, or holdsErr if it can
// fail. The other is nil.
type predicate[J any] struct {
	holds    func(j *J, i int) bool
	holdsErr func(j *J, i int) (bool, error)
}

// about returns the about of a kind that calls the predicate, with that form.
func (p *predicate[J]) about(form string) about {
	if p.holds != nil {
		return about{origin.Code(p.holds), form, indexUnit}
	}
	return about{origin.Code(p.holdsErr), form, indexUnit}
}

// masking is the kind that sets the bits of the indices for which a predicate holds.
type masking[J any] struct {
	about about
	predicate[J]
	mask
}

func newMasking[J any](n int, keep predicate[J], form string, opts []Option) *masking[J] {
	a := keep.about(form)
	checkBody(a.code == 0)
	return &masking[J]{a, keep, newMask(n, opts)}
}

// Loop implements [Kind].
func (k *masking[J]) Loop(job *J, r *Batches) error {
	for r.Next() {
		words, first := k.of(r.batch)
		for i, end := r.begin, r.end; i < end; i++ {
			var yes bool
			if k.holds != nil {
				yes = k.holds(job, i)
			} else if held, err := k.holdsErr(job, i); err != nil {
				return err
			} else {
				yes = held
			}
			if yes {
				b := uint(i - first)
				words[b/64] |= 1 << (b % 64)
			}
		}
	}
	return nil
}
