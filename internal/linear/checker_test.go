package linear_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/internal/speclaw"
)

// TestPartsAreJudgedByThemselves: 64 operations are the limit of one key, not of a map.
func TestPartsAreJudgedByThemselves(t *testing.T) {
	r := lawtest.Rand(t)
	c := linear.NewChecker(spec.Map())
	long := make([]linear.Op[spec.MapIn, spec.MapOut], 1000)
	for k := range long {
		o := &long[k]
		o.Call, o.Return = int64(2*k), int64(2*k+1)
		o.In = spec.MapIn{Op: spec.Load, Key: k % 20}
		if k < 20 {
			o.In.Op, o.In.Value = spec.Store, 7
		}
		o.Out = spec.MapOut{Value: 7, OK: true}
	}
	r.Shuffle(len(long), func(i, j int) { long[i], long[j] = long[j], long[i] })
	require.NoError(t, c.Check(long))
	for i := range long {
		if long[i].In.Key == 13 && long[i].In.Op == spec.Load {
			long[i].Out.OK = false
			break
		}
	}
	require.ErrorContains(t, c.Check(long), `in part "13"`)
}

// TestHistoriesThatCannotBeJudged: an error of its own kind, which accuses no container.
func TestHistoriesThatCannotBeJudged(t *testing.T) {
	many := make([]queueOp, 65)
	for i := range many {
		many[i] = by(0, int64(2*i), int64(2*i+1), enqueue(0, true))
	}
	c := linear.NewChecker(spec.Queue())
	require.NoError(t, c.Check(many[:64]))
	err := c.Check(many)
	require.ErrorIs(t, err, linear.ErrHistory)
	require.ErrorContains(t, err, "65 operations are more than the 64 that can be judged")

	pieces := []queueOp{by(0, 1, 2, enqueueAll(65, make([]int, 65)...))}
	require.ErrorIs(t, linear.NewChecker(spec.Queue(spec.ItemByItem())).Check(pieces), linear.ErrHistory)
	require.NoError(t, c.Check(pieces), "it is one operation here")

	err = c.Check([]queueOp{by(0, 2, 1, enqueue(3, true))})
	require.ErrorIs(t, err, linear.ErrHistory)
	require.ErrorContains(t, err, "TryEnqueue(3) = true was called at 2 and returned at 1")
	weak := linear.NewChecker(spec.Queue(spec.WeakLen()))
	require.ErrorIs(t, weak.Check([]queueOp{by(0, 2, 1, length(0))}), linear.ErrHistory)

	s := *spec.Queue()
	s.Next = nil
	err = linear.NewChecker(&s).Check([]queueOp{by(0, 1, pending, enqueue(3, true))})
	require.ErrorIs(t, err, linear.ErrHistory)
	require.ErrorContains(t, err, "TryEnqueue(3) is pending and the specification has no Next")

	loads := make([]linear.Op[spec.MapIn, spec.MapOut], 65)
	for i := range loads {
		loads[i] = by(0, 1, 2, loads[i])
		loads[i].In = spec.MapIn{Op: spec.Load, Key: 4}
	}
	m := linear.NewChecker(spec.Map())
	require.NoError(t, m.Check(loads[:64]))
	require.ErrorContains(t, m.Check(loads), `65 operations in part "4"`)
}

// TestCheckersAreUsedAgain: a checker is as good after a thousand histories as a new one.
func TestCheckersAreUsedAgain(t *testing.T) {
	r := lawtest.Rand(t)
	kind := speclaw.Queue("queue", spec.Queue(spec.Capacity(2)), 2)
	old := linear.NewChecker(kind.Spec)
	for range lawtest.Rounds(2000) {
		h := kind.History(r, speclaw.Shape{Tasks: 1 + r.IntN(8), Ops: r.IntN(65), Spread: r.IntN(60), Pending: r.IntN(2) == 0})
		if r.IntN(2) == 0 {
			kind.SpoilOne(r, h)
		}
		require.Equal(t, linear.NewChecker(kind.Spec).Check(h), old.Check(h))
	}
}

// TestMemoryIsNeeded: 16 concurrent additions have 16! orders, but only 2^16 sets of them that come
// first.
func TestMemoryIsNeeded(t *testing.T) {
	c := linear.NewChecker(spec.Counter())
	var h []linear.Op[spec.CounterIn, spec.CounterOut]
	for i := range 16 {
		h = append(h, by(i, 1, 4, linear.Op[spec.CounterIn, spec.CounterOut]{In: spec.CounterIn{Op: spec.Add, Value: 1}}))
	}
	value := linear.Op[spec.CounterIn, spec.CounterOut]{In: spec.CounterIn{Op: spec.Value}, Out: spec.CounterOut{Value: 17}}
	require.ErrorContains(t, c.Check(append(h, by(0, 5, 6, value))), "not linearizable")
	value.Out.Value = 16
	require.NoError(t, c.Check(append(h, by(0, 5, 6, value))))
}

// TestReadsAreTakenForGood: operations that only read have one order, however many are concurrent.
func TestReadsAreTakenForGood(t *testing.T) {
	s, steps := *spec.Queue(), 0
	step := s.Step
	s.Step = func(l spec.Line, in spec.QueueIn, out spec.QueueOut) (spec.Line, bool) {
		steps++
		return step(l, in, out)
	}
	h := []queueOp{by(0, 1, 2, enqueue(1, true)), by(0, 3, 10, dequeue(1)), by(0, 11, 12, peek(1))}
	for i := range 40 {
		h = append(h, by(i+1, 3, 9, peek(1)))
	}
	require.ErrorContains(t, linear.NewChecker(&s).Check(h), "not linearizable")
	require.Less(t, steps, 5000)
}

// TestNoAllocations: once a checker has its memory, a history that fits costs none.
func TestNoAllocations(t *testing.T) {
	r := lawtest.Rand(t)
	for _, h := range queueHistories(r, 100, 9) {
		c := linear.NewChecker(spec.ShortQueue(spec.Capacity(2)))
		require.NoError(t, c.Check(h))
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = c.Check(h) }), "%s", spec.ShortQueue().Draw(h))
	}
}

// randomShape returns a shape of few operations.
func randomShape(r *rand.Rand, ops int) speclaw.Shape {
	return speclaw.Shape{Tasks: 1 + r.IntN(4), Ops: r.IntN(ops + 1), Spread: r.IntN(40), Pending: r.IntN(2) == 0}
}

// queueHistories returns linearizable histories of TryEnqueue and TryDequeue on a queue for 2
// items, by 3 tasks.
func queueHistories(r *rand.Rand, n, ops int) (all [][]queueOp) {
	kind := speclaw.Queue("queue", spec.ShortQueue(spec.Capacity(2)), 2)
	draw := kind.Draw
	kind.Draw = func(r *rand.Rand) spec.QueueIn {
		for {
			if in := draw(r); in.Op == spec.TryEnqueue || in.Op == spec.TryDequeue {
				return in
			}
		}
	}
	for range n {
		all = append(all, kind.History(r, speclaw.Shape{Tasks: 3, Ops: ops, Spread: 20}))
	}
	return all
}
