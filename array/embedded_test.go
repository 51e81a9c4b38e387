package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A view is found where another one embeds it, also behind other fields.
func TestViewsThatOthersEmbed(t *testing.T) {
	type reads struct {
		n                 int
		array.Reader[int] `custody:"part"`
	}
	type writes struct {
		n                 int
		array.Writer[int] `custody:"part"`
	}
	type offsets struct {
		n                       int
		array.OffsetWriter[int] `custody:"part"`
	}
	type permuted struct {
		n                         int
		array.PermutedWriter[int] `custody:"part"`
	}
	in, out := array.Of([]int{1, 2, 3, 4}), array.New[int](4)
	sum := array.New[int](1)
	parallelfor.For(4, writes{n: 10, Writer: out.Writer()}, func(w *writes, i int) { w.Set(i, w.n+i) })
	require.Equal(t, []int{10, 11, 12, 13}, out.Slice())
	type summing struct {
		In  reads
		Sum array.Writer[int]
	}
	parallelfor.Do(summing{reads{n: 10, Reader: in.Reader()}, sum.Writer()}, func(s *summing) {
		for _, v := range s.In.All() {
			*s.Sum.Ptr(0) += s.In.n * v
		}
	})
	require.Equal(t, []int{100}, sum.Slice())
	parallelfor.For(4, offsets{n: 20, OffsetWriter: array.ByOffsets(out.Writer(), array.Of([]int{0, 1, 2, 3, 4}).Reader())}, func(w *offsets, i int) { w.Slice()[0] = w.n + i })
	require.Equal(t, []int{20, 21, 22, 23}, out.Slice())
	parallelfor.For(4, permuted{n: 30, PermutedWriter: array.Permuted(out.Writer())}, func(w *permuted, i int) { w.Set(3-i, w.n+i) })
	require.Equal(t, []int{33, 32, 31, 30}, out.Slice())
}

// meddling embeds a view, and has a method that no driver calls.
type meddling struct {
	array.Writer[int] `custody:"part"`
}

func (*meddling) BeginBatch(int) {}

func TestAViewAroundAnotherHasNoMethodsOfABinder(t *testing.T) {
	a := array.New[int](3)
	v := lawtest.Violation(t, func() error {
		parallelfor.For(3, struct{ V meddling }{meddling{a.Writer()}}, func(*struct{ V meddling }, int) {})
		return nil
	})
	require.ErrorIs(t, v, safety.ErrField)
	require.Equal(t, "V", v.Field)
}
