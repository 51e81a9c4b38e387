package spec_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/leanovate/gopter"

	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/internal/speclaw"
)

// TestSpecificationsFollowTheModels: of one operation after the other, a specification accepts what
// a plain Go slice or map answers, and nothing else.
func TestSpecificationsFollowTheModels(t *testing.T) {
	follows(t, speclaw.Queue("unbounded", spec.Queue(), 0))
	follows(t, speclaw.Queue("bounded", spec.Queue(spec.Capacity(3)), 3))
	follows(t, speclaw.Queue("of one item", spec.ShortQueue(spec.Capacity(1)), 1))
	follows(t, speclaw.Queue("short", spec.ShortQueue(spec.Capacity(15)), 15))
	follows(t, speclaw.Counter("counter", spec.Counter()))
	follows(t, speclaw.Register())
	follows(t, speclaw.Claim())
	follows(t, speclaw.Map())
	follows(t, speclaw.MultiMap("multimap", false, false, false))
	follows(t, speclaw.MultiMap("multimap that deletes every equal value", false, true, false))
	follows(t, speclaw.MultiMap("multimap that deletes and does not count", false, false, true))
	follows(t, speclaw.MultiMap("multimap in no order", true, true, true))
}

// follows is the property, of operations that numbers stand for.
func follows[S comparable, I, O any](t *testing.T, kind speclaw.Kind[S, I, O]) {
	t.Run(kind.Name, func(t *testing.T) {
		properties := gopter.NewProperties(lawtest.Parameters(t, 200))
		spoilt := 0
		properties.Property("the specification says what the model does", prop.ForAll(func(numbers []uint64) string {
			do := kind.New()
			states := map[string]S{}
			for _, n := range numbers {
				r := rand.New(rand.NewPCG(n, 0))
				in := kind.Draw(r)
				out := do(in)
				if kind.Spec.Weak != nil && kind.Spec.Weak(in) {
					continue // has no place in an order
				}
				part := ""
				if kind.Spec.Part != nil {
					part = kind.Spec.Part(in)
				}
				s, used := states[part]
				if !used {
					s = kind.Spec.Init
				}
				wrong := out
				kind.Spoil(r, in, &wrong)
				next, said := one(kind.Spec, s, in, out)
				if said != "" {
					return said
				}
				if text := kind.Spec.Text(in, wrong); text != kind.Spec.Text(in, out) && !reordered(out, wrong) {
					spoilt++
					if _, ok := kind.Spec.Step(s, in, wrong); ok {
						return text + " is accepted where " + kind.Spec.Text(in, out) + " is right"
					}
				}
				states[part] = next
			}
			return ""
		}, gen.SliceOf(gen.UInt64())))
		properties.TestingRun(t)
		require.Positive(t, spoilt, "no wrong answer was tried")
	})
}

// one does an operation in a state, and says what is wrong with the specification.
func one[S comparable, I, O any](spec *linear.Spec[S, I, O], s S, in I, out O) (next S, wrong string) {
	text := spec.Text(in, out)
	next, ok := spec.Step(s, in, out)
	switch {
	case !ok:
		return next, text + " is refused and right"
	case spec.Reads(in, out) && next != s:
		return next, text + " reads, and changes the state"
	}
	pending := spec.Next(s, in)
	if next != s && !slices.Contains(pending, next) {
		return next, text + " leaves a state that it does not when it is pending"
	}
	for _, p := range pending {
		if p != next {
			return next, text + " leaves a state only when it is pending"
		}
	}
	return next, ""
}

// reordered reports whether the answers have the same values in different orders, which may both be
// right.
func reordered(a, b any) bool {
	x, ok := a.(spec.MultiMapOut)
	if !ok {
		return false
	}
	y := b.(spec.MultiMapOut)
	xs, ys := x.Values.Values(), y.Values.Values()
	slices.Sort(xs)
	slices.Sort(ys)
	return x.Values != y.Values && slices.Equal(xs, ys)
}
