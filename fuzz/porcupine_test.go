package fuzz

import (
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/internal/speclaw"
)

// TestCheckersAgree: package linear and porcupine give the same verdict on the histories of every
// kind of container, right ones and spoilt ones, with and without pending operations.
func TestCheckersAgree(t *testing.T) {
	agree(t, speclaw.Queue("unbounded", spec.Queue(), 0))
	agree(t, speclaw.Queue("bounded", spec.Queue(spec.Capacity(2)), 2))
	agree(t, speclaw.Queue("bounded and short", spec.ShortQueue(spec.Capacity(3)), 3))
	agree(t, speclaw.Queue("item by item", spec.Queue(spec.Capacity(2), spec.ItemByItem()), 2))
	agree(t, speclaw.Queue("short batches", spec.Queue(spec.ShortBatches(), spec.WeakLen()), 0))
	agree(t, speclaw.Counter("counter", spec.Counter()))
	agree(t, speclaw.Register())
	agree(t, speclaw.Claim())
	agree(t, speclaw.Map())
	agree(t, speclaw.MultiMap("multimap", false, false, false))
	agree(t, speclaw.MultiMap("multimap in no order", true, true, true))
}

func agree[S comparable, I, O any](t *testing.T, kind speclaw.Kind[S, I, O]) {
	t.Run(kind.Name, func(t *testing.T) {
		r := lawtest.Rand(t)
		c := linear.NewChecker(kind.Spec)
		verdict := map[bool]int{}
		rounds := lawtest.Rounds(600)
		for range rounds {
			h := kind.History(r, speclaw.Shape{Tasks: 2 + r.IntN(3), Ops: 2 + r.IntN(12), Spread: 5 + r.IntN(25), Pending: r.IntN(3) == 0})
			for range r.IntN(3) {
				kind.SpoilOne(r, h)
			}
			operations, pending := porcupineHistory(kind.Spec, h)
			model := porcupineModel(kind.Spec)
			if pending {
				model = porcupinePending(kind.Spec)
			}
			result := porcupine.CheckOperationsTimeout(model, operations, time.Minute)
			require.NotEqual(t, porcupine.Unknown, result)
			if kind.Spec.CheckWeak(h) != nil {
				result = porcupine.Illegal
			}
			err := c.Check(h)
			require.NotErrorIs(t, err, linear.ErrHistory)
			require.Equal(t, result == porcupine.Ok, err == nil, "porcupine says %s: %v\n%s", result, err, kind.Spec.Draw(h))
			verdict[err == nil]++
		}
		require.Greater(t, verdict[true], rounds/10, "right histories are too few")
		require.Greater(t, verdict[false], rounds/10, "wrong histories are too few")
	})
}

// sentence returns what a test says that judges the history: nothing when it passes.
func sentence[S comparable, I, O any](t *testing.T, s *linear.Spec[S, I, O], h []linear.Op[I, O], timeout time.Duration) string {
	r := &recorder{TB: t}
	r.run(func() { judge[S, I, O](r, s, h, timeout) })
	require.Equal(t, r.Failed(), r.text() != "")
	return r.text()
}

// TestJudge: what is wrong with the container fails the test, and what is wrong with the history
// ends it.
func TestJudge(t *testing.T) {
	type op = linear.Op[spec.QueueIn, spec.QueueOut]
	put := op{Call: 1, Return: 2, In: spec.QueueIn{Op: spec.TryEnqueue, Value: 1}, Out: spec.QueueOut{OK: true}}
	none := op{Task: 1, Call: 3, Return: 4, In: spec.QueueIn{Op: spec.TryDequeue}}
	length := op{Task: 1, Call: 3, Return: 4, In: spec.QueueIn{Op: spec.Len}, Out: spec.QueueOut{N: 2}}

	require.Empty(t, sentence(t, spec.Queue(), []op{put}, time.Minute))
	said := sentence(t, spec.Queue(), []op{put, none}, time.Minute)
	require.Contains(t, said, "linear: not linearizable")
	require.Contains(t, said, "task 1:                       [TryDequeue() = false]")
	require.Contains(t, sentence(t, spec.Queue(spec.WeakLen()), []op{put, length}, time.Minute), "linear: out of bounds: Len() = 2")

	put.Return = 0
	require.Contains(t, sentence(t, spec.Queue(), []op{put}, time.Minute), "was called at 1 and returned at 0")
	s := spec.Queue()
	s.Next = nil
	put.Return = linear.Pending
	require.Contains(t, sentence(t, s, []op{put}, time.Minute), "has no Next")
	require.Empty(t, sentence(t, spec.Queue(), []op{put, none}, time.Minute), "it is pending")

	// All enqueues at once, then all dequeues but in an order that only the last one contradicts.
	var hard []op
	const n = 40
	for i := range n {
		hard = append(hard, op{Task: i, Call: 1, Return: 100, In: spec.QueueIn{Op: spec.TryEnqueue, Value: i}, Out: spec.QueueOut{OK: true}})
	}
	for i := range n {
		hard = append(hard, op{Task: i, Call: 101, Return: 200, In: spec.QueueIn{Op: spec.TryDequeue}, Out: spec.QueueOut{OK: true, Value: i}})
	}
	hard[2*n-1].Out.Value = 0
	require.Contains(t, sentence(t, spec.Queue(), hard, 20*time.Millisecond), "too many to be judged within 20ms")
}

// TestJudgeLongHistories: they are judged and drawn as far as a reader can take it.
func TestJudgeLongHistories(t *testing.T) {
	type op = linear.Op[spec.RegisterIn, spec.RegisterOut]
	var h []op
	for i := range int64(100) {
		h = append(h, op{Call: 2 * i, Return: 2*i + 1, In: spec.RegisterIn{Op: spec.Load}})
	}
	require.Empty(t, sentence(t, spec.Register(), h, time.Minute))
	h[99].Out.Value = 1
	said := sentence(t, spec.Register(), h, time.Minute)
	require.Contains(t, said, "fuzz: not linearizable")
	require.Contains(t, said, "and 36 operations more")
}

// TestModelsDescribeOperations: for the pictures that porcupine draws.
func TestModelsDescribeOperations(t *testing.T) {
	h := []linear.Op[spec.QueueIn, spec.QueueOut]{{Call: 1, Return: 2, In: spec.QueueIn{Op: spec.Peek}}}
	s := spec.Queue()
	operations, _ := porcupineHistory(s, h)
	require.Equal(t, "Peek() = false", porcupineModel(s).DescribeOperation(operations[0].Input, operations[0].Output))
	s.Text = nil
	require.Contains(t, porcupinePending(s).DescribeOperation(operations[0].Input, operations[0].Output), "Peek")
	m := spec.Map()
	m.Split = func(*linear.Op[spec.MapIn, spec.MapOut]) []linear.Op[spec.MapIn, spec.MapOut] { return nil }
	require.Panics(t, func() { porcupineModel(m) })
}
