package parallelfor

import (
	"math/bits"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/origin"
)

// mask has a bit for every index of a loop. Each batch has words of its own, so two batches share none.
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
		if most := amount.Most[uint64](); words > uint(most) {
			v := amount.Unowned("a loop over "+strconv.Itoa(n)+" indices that notes which of them to keep was to have", int(words), 0, most, "word")
			v.N = n
			panic(v.In(givenName(opts), ""))
		}
		m.words = make([]uint64, words)
	}
	return m
}

// of returns the words of a batch, and the index of the first bit.
func (m *mask) of(batch int) (words []uint64, first int) {
	return m.words[batch*m.stride : (batch+1)*m.stride], batch * m.grid.size
}

// starts returns how many bits are set in the batches below each batch, and last in all.
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

// masking is the kind that sets the bits of the indices to keep.
type masking[J any] struct {
	mask
	keep func(job *J, i int) bool
	form string
}

// Code implements origin.Coded.
func (k *masking[J]) Code() uintptr { return origin.Code(k.keep) }

// Form implements origin.Coded.
func (k *masking[J]) Form() string { return k.form }

// PerIndex implements Kind.
func (*masking[J]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *masking[J]) Loop(job *J, r *Batches) error {
	for r.Next() {
		words, first := k.of(r.Batch())
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if k.keep(job, i) {
				b := uint(i - first)
				words[b/64] |= 1 << (b % 64)
			}
		}
	}
	return nil
}

// maskingErr is masking by a func that can fail.
type maskingErr[J any] struct {
	mask
	keep func(job *J, i int) (bool, error)
	form string
}

// Code implements origin.Coded.
func (k *maskingErr[J]) Code() uintptr { return origin.Code(k.keep) }

// Form implements origin.Coded.
func (k *maskingErr[J]) Form() string { return k.form }

// PerIndex implements Kind.
func (*maskingErr[J]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *maskingErr[J]) Loop(job *J, r *Batches) error {
	for r.Next() {
		words, first := k.of(r.Batch())
		for i, end := r.Begin(), r.End(); i < end; i++ {
			yes, err := k.keep(job, i)
			if err != nil {
				return err
			}
			if yes {
				b := uint(i - first)
				words[b/64] |= 1 << (b % 64)
			}
		}
	}
	return nil
}
