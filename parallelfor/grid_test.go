package parallelfor_test

import (
	"errors"
	"math"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestAutomaticBatchesAreAFunctionOfTheNumberOfIndicesAlone(t *testing.T) {
	for _, c := range []struct{ n, length, batches int }{
		{0, 1, 0}, {1, 1, 1}, {2, 1, 2}, {16, 1, 16}, {17, 1, 17}, {63, 1, 63}, {64, 1, 64}, {65, 2, 33}, {100, 2, 50}, {128, 2, 64}, {129, 3, 43},
		{1000, 16, 63}, {1023, 16, 64}, {1024, 16, 64}, {1025, 17, 61}, {5000, 79, 64}, {16384, 256, 64}, {32768, 368, 90}, {100000, 640, 157}, {1000000, 2000, 500}, {10000000, 6336, 1579}, {math.MaxInt32, 524288, 4096},
	} {
		length, batches := parallelfor.Grid(c.n, 0)
		require.Equal(t, [2]int{c.length, c.batches}, [2]int{length, batches}, "n = %d", c.n)
	}
}

func TestAutomaticGridHasTwoBatchesWhenItHasTwoIndices(t *testing.T) {
	for n := 2; n < 70_000; n++ {
		if _, batches := parallelfor.Grid(n, 0); batches < 2 {
			t.Fatal(n, batches)
		}
	}
}

// So 64 workers finish a loop as early as if it were cut into single indices, if these cost the
// same.
func TestAutomaticGridFeeds64Workers(t *testing.T) {
	for n := 1; n < 70_000; n++ {
		length, batches := parallelfor.Grid(n, 0)
		rounds := (batches + 63) / 64
		if best := (n + 63) / 64; length*rounds > best && n <= 16384 || batches < 33 && n > 32 {
			t.Fatal(n, length, batches)
		}
	}
}

func TestBatchMinusOneIsOneBatch(t *testing.T) {
	for _, n := range []int{1, 2, 1000, math.MaxInt} {
		length, batches := parallelfor.Grid(n, -1)
		require.Equal(t, [2]int{n, 1}, [2]int{length, batches})
	}
	_, batches := parallelfor.Grid(0, -1)
	require.Zero(t, batches)
}

func TestBoundsDoNotOverflowNearMaxInt(t *testing.T) {
	for n := math.MaxInt - 20; n > 0 && n <= math.MaxInt-1; n++ {
		for _, batch := range []int{0, -1, 1, 2, 7, math.MaxInt / 2, math.MaxInt - 1, math.MaxInt} {
			length, batches := parallelfor.Grid(n, batch)
			require.Positive(t, length)
			require.Positive(t, batches)
			for _, c := range []int{0, batches / 2, batches - 2, batches - 1} {
				if c < 0 {
					continue
				}
				begin, end := parallelfor.Bounds(n, batch, c)
				require.GreaterOrEqual(t, begin, 0)
				require.Greater(t, end, begin)
				require.LessOrEqual(t, end-begin, length)
				if c == batches-1 {
					require.Equal(t, n, end)
				} else {
					require.Equal(t, length, end-begin)
				}
			}
		}
	}
}

func TestMoreBatchesThanTheDriverCountsAreRefused(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no loop is that long")
	}
	v := violation(t, safety.ErrArgument, func() {
		parallelfor.For(math.MaxInt, none{}, func(*none, int) {}, parallelfor.Batch(1))
	})
	require.Equal(t, 1, v.N)
}

func TestAsManyBatchesAsTheDriverCountsCanBeHandedOut(t *testing.T) {
	defer handout.Force(1)()
	failed := errors.New("failed")
	err := parallelfor.ForErr(t.Context(), math.MaxInt32, none{}, func(_ *none, i int) error {
		if i >= 8 {
			return failed
		}
		return nil
	}, parallelfor.Batch(1))
	require.ErrorIs(t, err, failed)
}

func TestBatchesAreCutAtMultiplesOfTheBatch(t *testing.T) {
	p := gopter.NewProperties(parameters(400))
	p.Property("batches tile [0, n)", prop.ForAll(func(n, batch int) bool {
		length, batches := parallelfor.Grid(n, batch)
		at := 0
		for c := range batches {
			begin, end := parallelfor.Bounds(n, batch, c)
			if begin != at || begin != c*length || end <= begin || end-begin > length || batch > 0 && length != batch {
				return false
			}
			at = end
		}
		return at == n
	}, gen.IntRange(0, 5000), gen.IntRange(-1, 200)))
	p.TestingRun(t)
}

func TestEveryIndexIsExecutedExactlyOnce(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(300))
	for _, forced := range []bool{false, true} {
		p.Property("each index once, in calls of whole batches", prop.ForAll(func(n, batch, workers int, seed uint64) bool {
			if forced {
				defer handout.Force(seed)()
			}
			hits, batches := array.New[int](n), array.New[int](n)
			opts := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
			parallelfor.For(n, hits.Writer(), func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+1) }, opts...)
			parallelfor.ForBatch(n, batches.Writer(), func(w *array.Writer[int], begin, end int) {
				for i := begin; i < end; i++ {
					w.Set(i, w.At(i)+1+begin)
				}
				if len(w.Slice()) != end-begin || w.Begin() != begin {
					panic("the window is not the batch")
				}
			}, opts...)
			length, _ := parallelfor.Grid(n, batch)
			for i := range n {
				if hits.At(i) != 1 || batches.At(i) != 1+i/length*length {
					return false
				}
			}
			return true
		}, gen.IntRange(0, 600), gen.IntRange(-1, 70), gen.IntRange(1, 9), gen.UInt64()))
	}
	p.TestingRun(t)
}

func TestStealingLosesNoBatch(t *testing.T) {
	watchdog(t)
	const n = 20_000
	batch := 4
	if parallelfor.Raced {
		batch = 64 // each batch is a goroutine there
	}
	for range rounds(40) {
		a := array.New[int](n)
		parallelfor.For(n, a.Writer(), func(w *array.Writer[int], i int) {
			if i < n/16 { // the first worker's run is heavy
				for k := range 200 {
					w.Set(i, k)
				}
			}
			w.Set(i, i+1)
		}, parallelfor.Batch(batch), parallelfor.Workers(4))
		for i := range n {
			require.Equal(t, i+1, a.At(i))
		}
	}
}
