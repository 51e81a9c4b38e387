package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type twoWriters struct{ A, B array.Writer[int] }

// A body that puts another view into a field of its job gets the range of that view in the next
// batch, and a violation if it does not reach that far. Strict builds, and those with the race
// detector, give each batch views of its own.
func TestABodyThatReplacesItsViewStaysWithinTheRangesOfTheOther(t *testing.T) {
	own := safety.Strict || parallelfor.Raced
	one := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(1)}
	failure := func(a, b *array.Array[int], replace func(j *twoWriters)) error {
		return lawtest.Failure(func() error {
			parallelfor.ForBatch(a.Len(), twoWriters{A: a.Writer(), B: array.Unrestricted(b.Writer())}, func(j *twoWriters, begin, end int) {
				if begin == 0 {
					replace(j)
					return
				}
				j.A.Set(begin, begin)
			}, one...)
			return nil
		})
	}
	memory := make([]int, 16)
	short, a, b := array.Of(memory[:4:4]), array.New[int](8), array.New[int](8)
	err := failure(a, short, func(j *twoWriters) { j.A, j.B = j.B, j.A })
	if !own {
		require.ErrorIs(t, err, safety.ErrLength)
	}
	require.Equal(t, make([]int, 12), memory[4:], "memory beyond the container was written")
	require.NoError(t, failure(a, b, func(j *twoWriters) { j.A = j.B }))
	want := []int{0, 1, 2, 3, 4, 5, 6, 7}
	if own {
		require.Equal(t, want, a.Slice())
	} else {
		require.Equal(t, want, b.Slice())
	}
	if err = failure(a, b, func(j *twoWriters) { *j = twoWriters{} }); !own {
		require.Error(t, err)
	}
	if err = failure(a, b, func(j *twoWriters) { j.A = short.Writer() }); !own {
		require.ErrorIs(t, err, safety.ErrLength)
	}
	require.NoError(t, lawtest.Failure(func() error {
		parallelfor.ForBatch(4, a.Writer(), func(w *array.Writer[int], begin, end int) {
			if *w = array.ByRows(*w, 2); begin > 0 && !own {
				w.Row(begin)[1] = -1
			}
		}, one...)
		return nil
	}))
	if !own {
		require.Equal(t, -1, a.At(7))
	}
}
