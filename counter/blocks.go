package counter

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// blocks is what the workers of a job add to a histogram: lanes whose parts are blocks of one count
// for each bin. A block that is not part of a span is all 0 (counter.I7).
type blocks struct {
	lanes[[]int64]
	bins []atom.Int64
	step func(k int) // the method fold, as a func made once

	// These belong to the seal in progress.
	into *lane[[]int64]
	kept int
}

const (
	wide  = 256          // bins of a stretch, which is folded at once; their sums are on the stack
	worth = 1 << 16      // additions from which on seal folds in parallel
	front = pad.Line / 8 // counts in a cache line, free before and behind a block
)

func (b *blocks) init(bins []atom.Int64) {
	b.bins = bins
	b.step = b.fold
}

// block returns a new block of zeros that shares no cache line with another worker's (counter.I2).
func block(bins int) []int64 {
	return make([]int64, front+bins+front)[front : front+bins : front+bins]
}

// seal adds the blocks of the kept spans to the bins or, in a nested job, to the block of the body
// that passed the view on. It clears all blocks.
//
//go:norace
func (b *blocks) seal(into *lane[[]int64], kept int, parallel func(n int, f func(i int))) {
	b.into, b.kept = into, kept
	spans := 0
	for _, l := range b.list {
		spans += l.count()
	}
	steps := (len(b.bins) + wide - 1) / wide
	if spans > 0 && spans*len(b.bins) >= worth {
		parallel(steps, b.step)
	} else if spans > 0 {
		for k := range steps {
			b.fold(k)
		}
	}
	for _, l := range b.list {
		l.clear()
	}
	b.into = nil
}

// fold folds stretch k of the bins, wide of them. Stretches are independent, so any goroutines may
// fold them in any order.
//
//go:norace
func (b *blocks) fold(k int) {
	var sums [wide]int64
	begin := k * wide
	n := min(wide, len(b.bins)-begin)
	for _, l := range b.list {
		for r := range l.count() {
			first, part := l.span(r)
			from := (*part)[begin : begin+n]
			for i := range from {
				if first < b.kept {
					sums[i] += from[i]
				}
				from[i] = 0 // keeps (counter.I7)
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
