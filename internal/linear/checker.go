package linear

import (
	"cmp"
	"math/bits"
	"slices"
)

// maxOps is the largest number of operations in one part: the number of bits in a word.
const maxOps = 64

// Checker judges histories against one specification. It keeps its memory from one history to the
// next, so only one goroutine at a time may use it.
//
// The search is Wing and Gong's (Testing and verifying concurrent objects, 1993), depth first. It
// tries operations in the order of their returns, because that order fits most histories of correct
// containers as it is. It differs from theirs in that an operation that only reads, and fits, is
// final (I3).
//
// Cost: about 20 ns for each operation of a short history that fits, in addition to the cost of
// Step, and no allocation. In the worst case the time grows exponentially with the number of
// concurrent operations.
type Checker[S comparable, I, O any] struct {
	spec *Spec[S, I, O]

	// One part of a history. Its operations are numbered (I1).
	n     int                // the number of operations
	must  int                // operations that are not pending: those with numbers below must
	order [maxOps]int        // the operations' indices in the history
	start [maxOps + 1]uint64 // by lowest number not done: may be next, or are done
	after [maxOps]uint64     // the piece that precedes the operation, as a set

	frames [maxOps]frame[S]
	path   [maxOps]uint8 // the operations in the order that the search tries
	memory memory[S]
	best   deepest[S]

	// Buffers for histories that must be split or sorted first.
	ops      []Op[I, O]
	previous []int // by index in ops
	index    []int
	parts    []string
}

// frame is a configuration to which the search can return.
type frame[S comparable] struct {
	config[S]
	left   uint64 // the operations still to try
	states []S    // the states still to try of the pending operation that was tried last
}

// NewChecker returns a checker for a specification.
func NewChecker[S comparable, I, O any](spec *Spec[S, I, O]) *Checker[S, I, O] {
	return &Checker[S, I, O]{spec: spec}
}

// Check returns nil if the history is linearizable and its weak operations are within their bounds.
// Otherwise the error tells how many operations fit and the state in which no other operation does,
// and draws the history.
//
// An error that is [ErrHistory] is no statement about the container. The history has a return
// before its call, more than 64 operations in one part, or a pending operation although the
// specification has no Next.
func (c *Checker[S, I, O]) Check(h []Op[I, O]) error {
	s := c.spec
	ops, previous := h, []int(nil)
	if s.Weak != nil || s.Split != nil {
		for i := range h {
			if h[i].Return < h[i].Call {
				return c.unordered(&h[i])
			}
		}
		if err := s.CheckWeak(h); err != nil {
			return err
		}
		c.ops, c.previous = s.Strong(h, c.ops[:0], c.previous[:0])
		ops = c.ops
		if s.Split != nil {
			previous = c.previous
		}
	}
	if s.Part == nil {
		return c.whole(ops, previous)
	}
	return c.byPart(ops, previous)
}

func (c *Checker[S, I, O]) unordered(o *Op[I, O]) error {
	return badHistory("%s was called at %d and returned at %d", c.spec.text(o), o.Call, o.Return)
}

// whole judges a history of one part.
func (c *Checker[S, I, O]) whole(h []Op[I, O], previous []int) error {
	if len(h) > maxOps {
		return badHistory("%d operations are more than the %d that can be judged", len(h), maxOps)
	}
	for i := range h {
		c.order[i] = i
	}
	c.n = len(h)
	return c.part(h, previous, "")
}

// byPart judges each part of a history.
func (c *Checker[S, I, O]) byPart(h []Op[I, O], previous []int) error {
	c.index, c.parts = c.index[:0], c.parts[:0]
	for i := range h {
		c.index = append(c.index, i)
		c.parts = append(c.parts, c.spec.Part(h[i].In))
	}
	slices.SortStableFunc(c.index, func(i, k int) int { return cmp.Compare(c.parts[i], c.parts[k]) })
	for rest := c.index; len(rest) > 0; {
		part, k := c.parts[rest[0]], 1
		for k < len(rest) && c.parts[rest[k]] == part {
			k++
		}
		if k > maxOps {
			return badHistory("%d operations in part %q are more than the %d that can be judged", k, part, maxOps)
		}
		c.n = copy(c.order[:], rest[:k])
		if err := c.part(h, previous, part); err != nil {
			return err
		}
		rest = rest[k:]
	}
	return nil
}

// part judges the operations in order[:n], which are in the order of the history.
func (c *Checker[S, I, O]) part(h []Op[I, O], previous []int, name string) error {
	if err := c.number(h); err != nil {
		return err
	}
	c.chain(previous)
	c.memory.forget()
	c.best.depth = -1
	if c.search(h) {
		return nil
	}
	return c.failure(h, name)
}

// number sorts the operations by their returns (I1) and computes when each may be next.
func (c *Checker[S, I, O]) number(h []Op[I, O]) error {
	order := c.order[:c.n]
	c.must = c.n
	for i, o := range order {
		op := &h[o]
		k := i
		for ; k > 0 && h[order[k-1]].Return > op.Return; k-- {
			order[k] = order[k-1]
		}
		order[k] = o
		if op.Return < op.Call {
			return c.unordered(op)
		}
		if op.Pending() {
			if c.spec.Next == nil {
				return badHistory("%s is pending and the specification has no Next", c.spec.text(op))
			}
			c.must--
		}
	}
	start := c.start[:c.n+1]
	clear(start)
	for i, o := range order {
		call, prefix := h[o].Call, i
		for prefix > 0 && h[order[prefix-1]].Return >= call {
			prefix--
		}
		start[prefix] |= 1 << i
	}
	for i := 1; i < len(start); i++ {
		start[i] |= start[i-1]
	}
	return nil
}

// chain records for each piece the piece that it comes after.
func (c *Checker[S, I, O]) chain(previous []int) {
	clear(c.after[:c.n])
	if previous == nil {
		return
	}
	for i, o := range c.order[:c.n] {
		if previous[o] >= 0 {
			for k, p := range c.order[:c.n] {
				if p == previous[o] {
					c.after[i] = 1 << k
				}
			}
		}
	}
}

// search reports whether there is an order that fits.
func (c *Checker[S, I, O]) search(h []Op[I, O]) bool {
	if c.must == 0 {
		return true
	}
	var (
		step   = c.spec.Step
		at     = config[S]{0, c.spec.Init}
		left   = c.start[0]
		depth  = 0
		states []S // the states still to try of the pending operation path[depth]
	)
	for {
		var i int
		var next S
		switch {
		case len(states) > 0:
			i, next, states = int(c.path[depth]), states[0], states[1:]
			if next == at.state {
				continue // the same as not taking effect
			}
		case left != 0:
			i = bits.TrailingZeros64(left)
			left &= left - 1
			if c.after[i]&^at.done != 0 {
				continue
			}
			op := &h[c.order[i]]
			if i >= c.must {
				c.path[depth], states = uint8(i), c.spec.Next(at.state, op.In)
				continue
			}
			var ok bool
			if next, ok = step(at.state, op.In, op.Out); !ok {
				continue
			}
			if next == at.state && c.spec.Reads != nil && c.spec.Reads(op.In, op.Out) {
				left = 0 // (I3)
			}
		default: // nothing fits
			if depth > c.best.depth {
				c.best.config, c.best.depth = at, depth
				copy(c.best.path[:], c.path[:depth])
			}
			if depth == 0 {
				return false
			}
			c.memory.remember(at.done, at.state)
			depth--
			f := &c.frames[depth]
			at, left, states = f.config, f.left, f.states
			continue
		}
		done := at.done | 1<<i
		lowest := bits.TrailingZeros64(^done)
		if lowest >= c.must {
			return true // (I2)
		}
		if len(c.memory.few) > 0 && c.memory.has(done, next) {
			continue
		}
		c.frames[depth] = frame[S]{at, left, states}
		c.path[depth] = uint8(i)
		depth++
		at, left, states = config[S]{done, next}, c.start[lowest]&^done, nil
	}
}
