package speclaw

import (
	"math/rand/v2"

	"example.com/custody/internal/linear"
)

// Shape describes the histories to make.
type Shape struct {
	// Tasks is the number of tasks, and Ops the number of operations in all.
	Tasks, Ops int
	// Spread is how far an interval extends to each side of its operation's moment. Moments are 10
	// apart.
	Spread int
	// Pending lets some tasks end with a pending operation.
	Pending bool
}

// History returns a linearizable history: the operations and answers of a model, with random
// intervals around the moments of the operations. Each task does one operation at a time.
func (k Kind[S, I, O]) History(r *rand.Rand, shape Shape) []linear.Op[I, O] {
	const apart = 10
	do := k.New()
	h := make([]linear.Op[I, O], shape.Ops)
	returned := make([]int64, shape.Tasks) // by task
	last := make([]int, shape.Tasks)
	for i := range h {
		h[i].Task = r.IntN(shape.Tasks)
		last[h[i].Task] = i
	}
	next := make([]int64, shape.Ops) // the moment of the same task's next operation
	later := make([]int64, shape.Tasks)
	for t := range later {
		later[t] = linear.Pending
	}
	for i := len(h) - 1; i >= 0; i-- {
		next[i] = later[h[i].Task]
		later[h[i].Task] = int64(i+1) * apart
	}
	for i := range h {
		o := &h[i]
		moment := int64(i+1) * apart
		o.Call = max(moment-r.Int64N(int64(shape.Spread)+1), returned[o.Task]+1)
		o.Return = min(moment+r.Int64N(int64(shape.Spread)+1), next[i]-1)
		returned[o.Task] = o.Return
		o.In = k.Draw(r)
		if shape.Pending && last[o.Task] == i && r.IntN(3) == 0 {
			o.Return = linear.Pending
			if r.IntN(2) == 0 {
				continue // without effect
			}
			do(o.In)
			continue
		}
		o.Out = do(o.In)
	}
	r.Shuffle(len(h), func(i, j int) { h[i], h[j] = h[j], h[i] })
	return h
}

// SpoilOne changes the answer of a random operation. The history may still be linearizable.
func (k Kind[S, I, O]) SpoilOne(r *rand.Rand, h []linear.Op[I, O]) {
	if len(h) > 0 {
		o := &h[r.IntN(len(h))]
		k.Spoil(r, o.In, &o.Out)
	}
}
