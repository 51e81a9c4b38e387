package counter

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// blocks is what the workers of a job add to a histogram: lanes whose parts are blocks of one count
// for each bin. A block that is not part of a run is all 0 (I7).
type blocks struct {
	lanes[[]int64]
	bins []atom.Int64
	step func(k int) // fold, made once

	// Of the seal that is being made.
	into *lane[[]int64]
	kept int
}

const (
	// wide is how many bins are folded at once; their sums stand on the stack.
	wide = 256
	// worth is how many additions a fold must have for others to be asked to help.
	worth = 1 << 16
	// front is a cache line of counts.
	front = pad.Line / 8
)

func (b *blocks) init(bins []atom.Int64) {
	b.bins = bins
	b.step = b.fold
}

// block returns a new block of zeros that shares no cache line with another worker's (I2).
func block(bins int) []int64 {
	return make([]int64, front+bins+front)[front : front+bins : front+bins]
}

// seal adds the blocks of the kept runs to the bins, or to the block of the body that lent the view
// on, and clears all.
//
//go:norace
func (b *blocks) seal(into *lane[[]int64], kept int, parallel func(n int, f func(i int))) {
	b.into, b.kept = into, kept
	runs := 0
	for _, l := range b.list {
		runs += l.count()
	}
	steps := (len(b.bins) + wide - 1) / wide
	if runs > 0 && runs*len(b.bins) >= worth {
		parallel(steps, b.step)
	} else if runs > 0 {
		for k := range steps {
			b.fold(k)
		}
	}
	for _, l := range b.list {
		l.clear()
	}
	b.into = nil
}

// fold folds the k-th stretch of bins. Stretches are folded by any goroutines in any order: they have
// nothing in common.
//
//go:norace
func (b *blocks) fold(k int) {
	var sums [wide]int64
	begin := k * wide
	n := min(wide, len(b.bins)-begin)
	for _, l := range b.list {
		for r := range l.count() {
			first, part := l.run(r)
			from := (*part)[begin : begin+n]
			for i := range from {
				if first < b.kept {
					sums[i] += from[i]
				}
				from[i] = 0 // keeps (I7)
			}
		}
	}
	if b.into != nil {
		for i, d := range sums[:n] {
			b.into.part[begin+i] += d
		}
		return
	}
	atom.Hide() // batches are ordered before what follows Complete, not before every user of a bin
	for i, d := range sums[:n] {
		if d != 0 {
			b.bins[begin+i].Add(d)
		}
	}
	atom.Show()
}
