package stack_test

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/stack"
	"example.com/custody/fuzz"
)

// locked is a stack as goroutines use it beside each other: under a lock of theirs, as they would a
// slice.
func locked(bound int) fuzz.QueueOf {
	s := stack.New[*fuzz.Item](bound)
	var mu sync.Mutex
	alone := func() (unlock func()) {
		mu.Lock()
		return mu.Unlock
	}
	return fuzz.QueueOf{
		TryEnqueue: func(x *fuzz.Item) bool { defer alone()(); return s.Push(x) },
		TryDequeue: func() (*fuzz.Item, bool) { defer alone()(); return s.TryPop() },
		Peek: func() (*fuzz.Item, bool) {
			defer alone()()
			if s.Len() == 0 {
				return nil, false
			}
			return s.At(0), true
		},
		EnqueueAll: func(xs []*fuzz.Item) (n int) {
			defer alone()()
			for n < len(xs) && s.Push(xs[n]) {
				n++
			}
			return n
		},
		Len:     func() int { defer alone()(); return s.Len() },
		All:     func() iter.Seq[*fuzz.Item] { defer alone()(); return slices.Values(slices.Collect(s.All())) },
		Clear:   func() { defer alone()(); s.Clear() },
		Dispose: s.Dispose,
	}
}

// The harness does not ask in which order items come out, with Unordered;
// TestTheLastOneInIsTheFirstOut does.
func TestStack(t *testing.T) {
	fuzz.Queue(t, locked, fuzz.Bounded|fuzz.Unordered, fuzz.Misuses(misuses...))
}

func FuzzStack(f *testing.F) { fuzz.Queue(f, locked, fuzz.Bounded|fuzz.Unordered) }

func TestTheLastOneInIsTheFirstOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s := stack.New[int](1 + r.IntN(20))
		var model []int
		for k := range 200 {
			if r.IntN(5) < 3 {
				ok := s.Push(k)
				require.Equal(t, len(model) < s.Bound(), ok)
				if ok {
					model = append(model, k)
				}
			} else {
				v, ok := s.TryPop()
				require.Equal(t, len(model) > 0, ok)
				if ok {
					require.Equal(t, model[len(model)-1], v)
					model = model[:len(model)-1]
				}
			}
			require.Equal(t, len(model), s.Len())
		}
		down := slices.Clone(model)
		slices.Reverse(down)
		require.True(t, slices.Equal(down, slices.Collect(s.All())))
		for depth, v := range down {
			require.Equal(t, v, s.At(depth))
		}
		require.Zero(t, s.Rejected(), "Push says itself what it could not take")
	}
}

func TestAStackOfAnyBound(t *testing.T) {
	none := stack.New[int](0)
	require.False(t, none.Push(1))
	_, ok := none.TryPop()
	require.False(t, ok)
	all := stack.New[struct{}](math.MaxInt)
	require.True(t, all.Push(struct{}{}))
	require.Equal(t, math.MaxInt, all.Bound())
	require.False(t, all.Disposed())
	all.Dispose()
	require.True(t, all.Disposed())
}
