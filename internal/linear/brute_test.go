package linear_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/internal/speclaw"
)

// fits says by the definition alone whether the operations can be put in order: it tries every
// order.
func fits[S comparable, I, O any](s *linear.Spec[S, I, O], ops []linear.Op[I, O], after []int, done []bool, state S) bool {
	complete := true
	for i := range ops {
		if done[i] {
			continue
		}
		complete = complete && ops[i].Pending()
		early := after[i] >= 0 && !done[after[i]]
		for k := range ops {
			early = early || !done[k] && ops[k].Before(&ops[i])
		}
		if early {
			continue
		}
		var states []S
		if ops[i].Pending() {
			states = s.Next(state, ops[i].In)
		} else if next, ok := s.Step(state, ops[i].In, ops[i].Out); ok {
			states = []S{next}
		}
		done[i] = true
		for _, next := range states {
			if fits(s, ops, after, done, next) {
				return true
			}
		}
		done[i] = false
	}
	return complete
}

// agree compares the checker with the definition, on histories that are right and on spoilt ones.
func agree[S comparable, I, O any](t *testing.T, kind speclaw.Kind[S, I, O]) {
	t.Run(kind.Name, func(t *testing.T) {
		r := lawtest.Rand(t)
		c := linear.NewChecker(kind.Spec)
		verdict := map[bool]int{}
		rounds := lawtest.Rounds(4000)
		for range rounds {
			h := kind.History(r, randomShape(r, 6))
			spoilt := r.IntN(4) > 0
			if spoilt {
				kind.SpoilOne(r, h)
			}
			want := kind.Spec.CheckWeak(h) == nil
			ops, after := kind.Spec.Strong(h, nil, nil)
			want = want && fits(kind.Spec, ops, after, make([]bool, len(ops)), kind.Spec.Init)
			if kind.Spec.Part != nil {
				want = kind.Spec.CheckWeak(h) == nil && partsFit(kind.Spec, ops)
			}
			if !spoilt {
				require.True(t, want, "%s", kind.Spec.Draw(h))
			}
			err := c.Check(h)
			require.Equal(t, want, err == nil, "%v\n%s", err, kind.Spec.Draw(h))
			verdict[want]++
		}
		require.Greater(t, verdict[false], rounds/20, "wrong histories are too few")
		require.Greater(t, verdict[true], rounds/20, "right histories are too few")
	})
}

func partsFit[S comparable, I, O any](s *linear.Spec[S, I, O], ops []linear.Op[I, O]) bool {
	parts := map[string][]linear.Op[I, O]{}
	for _, o := range ops {
		parts[s.Part(o.In)] = append(parts[s.Part(o.In)], o)
	}
	for _, p := range parts {
		none := make([]int, len(p))
		for i := range none {
			none[i] = -1
		}
		if !fits(s, p, none, make([]bool, len(p)), s.Init) {
			return false
		}
	}
	return true
}

// TestCheckerFollowsTheDefinition: for every kind of container.
func TestCheckerFollowsTheDefinition(t *testing.T) {
	agree(t, speclaw.Queue("unbounded", spec.Queue(), 0))
	agree(t, speclaw.Queue("bounded", spec.ShortQueue(spec.Capacity(2)), 2))
	agree(t, speclaw.Queue("item by item", spec.Queue(spec.Capacity(2), spec.ItemByItem()), 2))
	agree(t, speclaw.Queue("short batches", spec.ShortQueue(spec.ShortBatches()), 0))
	agree(t, speclaw.Queue("short batches item by item", spec.Queue(spec.ShortBatches(), spec.ItemByItem(), spec.WeakLen()), 0))
	agree(t, speclaw.Counter("counter", spec.Counter()))
	agree(t, speclaw.Counter("cells", spec.Counter(spec.Cells())))
	agree(t, speclaw.Register())
	agree(t, speclaw.Claim())
	agree(t, speclaw.Map())
	agree(t, speclaw.MultiMap("multimap", false, false, false))
	agree(t, speclaw.MultiMap("multimap in no order", true, true, true))
}
