package linear_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// plain is a text of several lines as it is written below: without the indentation of the source.
func plain(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "\t\t")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n\t")
}

// TestErrorText: how far the history fits, and what it looks like.
func TestErrorText(t *testing.T) {
	c := linear.NewChecker(spec.ShortQueue(spec.Capacity(2)))
	err := c.Check([]queueOp{
		by(0, 1, 4, enqueue(1, true)),
		by(0, 7, 8, dequeue(2)),
		by(1, 2, 3, enqueue(2, true)),
		by(1, 9, 12, dequeueNone()),
		by(2, 5, pending, enqueue(3, false)),
		by(2, 10, 11, peek(2)), // a task that does two things at one time is drawn in two lines
	})
	require.EqualError(t, err, plain(`
		linear: not linearizable: no order of the 5 answers of 6 operations fits
			fits:    TryEnqueue(2) = true, TryEnqueue(1) = true, TryDequeue() = 2, TryEnqueue(3)
			state:   [1 3]
			not now: Peek() = 2, TryDequeue() = false
			task 0: [TryEnqueue(1) = true -] [TryDequeue() = 2]
			task 1:  [TryEnqueue(2) = true]                    [TryDequeue() = false]
			task 2:                         [TryEnqueue(3) ...
			task 2:                                             [Peek() = 2]
`))

	err = c.Check([]queueOp{by(0, 1, 2, dequeue(2))})
	require.EqualError(t, err, plain(`
		linear: not linearizable: no order of the 1 answer of 1 operation fits
			fits:    nothing
			state:   []
			not now: TryDequeue() = 2
			task 0: [TryDequeue() = 2]
`))

	err = linear.NewChecker(spec.Queue(spec.ItemByItem(), spec.Capacity(2))).Check([]queueOp{by(2, 1, 2, enqueueAll(3, 5, 6, 7))})
	require.EqualError(t, err, plain(`
		linear: not linearizable: no order of the 3 answers of 3 operations fits
			fits:    TryEnqueue(5) = true, TryEnqueue(6) = true
			state:   [5 6]
			not now: TryEnqueue(7) = true
			task 2: [TryEnqueue(5) = true]
			task 2: [TryEnqueue(6) = true]
			task 2: [TryEnqueue(7) = true]
`))
	err = linear.NewChecker(spec.Queue(spec.ItemByItem(), spec.Capacity(2))).Check([]queueOp{by(2, 1, 2, dequeueInto(2, 5, 6))})
	require.ErrorContains(t, err, "not now: TryDequeue() = 5\n")

	weak := linear.NewChecker(spec.Queue(spec.WeakLen()))
	err = weak.Check([]queueOp{by(0, 1, 2, enqueue(1, true)), by(3, 3, 4, length(2))})
	require.EqualError(t, err, plain(`
		linear: out of bounds: Len() = 2: there were between 1 and 1 items
			task 0: [TryEnqueue(1) = true]
			task 3:                       [Len() = 2]
`))

	type op = linear.Op[spec.MapIn, spec.MapOut]
	load := op{In: spec.MapIn{Op: spec.Load, Key: 7}, Out: spec.MapOut{Value: 1, OK: true}}
	store := op{In: spec.MapIn{Op: spec.Store, Key: 6, Value: 1}}
	err = linear.NewChecker(spec.Map()).Check([]op{by(0, 1, 2, store), by(0, 3, 4, load)})
	require.EqualError(t, err, plain(`
		linear: not linearizable in part "7": no order of the 1 answer of 1 operation fits
			fits:    nothing
			state:   none
			not now: Load(7) = 1
			task 0: [Load(7) = 1]
`))
}

// TestDraw: every text has room, and columns are in the order of the times.
func TestDraw(t *testing.T) {
	require.Empty(t, spec.Queue().Draw(nil))
	s := &linear.Spec[int, int, int]{}
	h := []linear.Op[int, int]{
		{Task: 1, Call: -5, Return: -5, In: 1, Out: 2},
		{Task: 0, Call: -5, Return: 100, In: 3, Out: 4},
		{Task: 1, Call: 100, Return: linear.Pending, In: 5, Out: 6},
	}
	require.Equal(t, plain(`
		task 0: [3 = 4]
		task 1: [1 = 2]
		task 1:       [5 ...
`)+"\n", s.Draw(h))
	for len(h) < 70 {
		h = append(h, linear.Op[int, int]{Call: int64(1000 + len(h)), Return: int64(1000 + len(h))})
	}
	require.Contains(t, s.Draw(h), "and 6 operations more\n")
	require.Contains(t, s.Draw(h[:65]), "and 1 operation more\n")
}
