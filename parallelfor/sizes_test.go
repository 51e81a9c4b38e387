package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestSizesThatThereCannotBe(t *testing.T) {
	lawtest.Sizes(t, map[string]lawtest.Size{
		"Scratch":       {Most: lawtest.MostOf[int](0), Do: func(n int) { parallelfor.Scratch[int](parallelfor.Worker{}, n) }},
		"Scratch, wide": {Most: lawtest.MostOf[[1000]int](0), Do: func(n int) { parallelfor.Scratch[[1000]int](parallelfor.Worker{}, n) }},
		"Scratch, in a job": {Most: lawtest.MostOf[int](0), Do: func(n int) {
			parallelfor.Do(struct{ W parallelfor.Worker }{}, func(v *struct{ W parallelfor.Worker }) { parallelfor.Scratch[int](v.W, n) })
		}},
	})
}

var errReached = errors.New("a body was called")

// A loop of any length, cut in any way, runs its bodies or is refused with a violation; the runtime
// does not fail in it. The first body that is called ends the loop.
func TestLoopsOfAnyLengthRunOrAreRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	type none = struct{}
	type wide [1 << 20]int
	at := func(*none, int) { panic(errReached) }
	yes := func(*none, int) bool { panic(errReached) }
	value := func(*none, int) int { panic(errReached) }
	span := func(*none, int, int) { panic(errReached) }
	nothing := func(*none) []none { return nil }
	var all = map[string]func(n int, o ...parallelfor.Option){
		"For":      func(n int, o ...parallelfor.Option) { parallelfor.For(n, none{}, at, o...) },
		"ForBatch": func(n int, o ...parallelfor.Option) { parallelfor.ForBatch(n, none{}, span, o...) },
		"Filter":   func(n int, o ...parallelfor.Option) { parallelfor.Filter(n, none{}, yes, o...) },
		"Compact":  func(n int, o ...parallelfor.Option) { parallelfor.Compact(n, none{}, nothing, yes, o...) },
		"Find":     func(n int, o ...parallelfor.Option) { parallelfor.Find(n, none{}, yes, o...) },
		"Indices":  func(n int, o ...parallelfor.Option) { parallelfor.Indices(n, func(int) { panic(errReached) }, o...) },
		"Ranges": func(n int, o ...parallelfor.Option) {
			parallelfor.Ranges(n, func(_, _ int) { panic(errReached) }, o...)
		},
		"Reduce": func(n int, o ...parallelfor.Option) {
			parallelfor.Reduce(n, none{}, func(*none, int, int) int { panic(errReached) }, func(a, b int) int { return a }, o...)
		},
		"Reduce, wide": func(n int, o ...parallelfor.Option) {
			parallelfor.Reduce(n, none{}, func(*none, int, int) (w wide) { panic(errReached) }, func(a, b wide) wide { return a }, append(o, parallelfor.Batch(max(1, n>>30)))...)
		},
		"Scan": func(n int, o ...parallelfor.Option) {
			parallelfor.Scan(n, none{}, value, func(*none) []int { return nil }, func(a, b int) int { return a + b }, o...)
		},
		"Scan of nothing": func(n int, o ...parallelfor.Option) {
			parallelfor.Scan(n, none{}, func(*none, int) none { panic(errReached) }, nothing, func(a, b none) none { return a }, o...)
		},
		"MapSlice": func(n int, o ...parallelfor.Option) {
			parallelfor.MapSlice(make([]none, max(0, n)), func(none) none { panic(errReached) }, o...)
		},
		"FilterErr": func(n int, o ...parallelfor.Option) {
			parallelfor.FilterErr(context.Background(), n, none{}, func(*none, int) (bool, error) { panic(errReached) }, o...)
		},
	}
	for name, loop := range all {
		for _, n := range []int{math.MinInt, -2, -1, math.MaxInt / 64, math.MaxInt - 1, math.MaxInt} {
			for _, batch := range []int{-1, 0, 1, math.MaxInt / 2, math.MaxInt} {
				t.Run(fmt.Sprint(name, "/", n, "/", batch), func(t *testing.T) {
					workers := 2
					if name == "For" && strconv.IntSize == 64 { // where so many have memory, they take seconds
						workers = math.MaxInt
					}
					err := lawtest.Failure(func() error { loop(n, parallelfor.Batch(batch), parallelfor.Workers(workers)); return nil })
					var v *safety.Violation
					switch rt := runtime.Error(nil); {
					case errors.As(err, &rt):
						t.Fatal(err)
					case n < 0 && name != "MapSlice":
						require.ErrorAs(t, err, &v)
						require.ErrorIs(t, err, safety.ErrLength)
						require.Equal(t, n, v.N)
					case n > 0 && !errors.As(err, &v):
						require.ErrorIs(t, err, errReached)
					}
				})
			}
		}
	}
}

// A sort of more elements than memory holds bytes, which have no size, is refused.
func TestNoLengthOverflows(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("what is not refused takes minutes")
	}
	type none = struct{}
	sort := func(n int, o ...parallelfor.Option) {
		parallelfor.Sort(none{}, func(*none) []none { return lawtest.Nothings(n) }, func(a, b none) int { return 0 }, o...)
	}
	lawtest.Vast(t, map[string]func(n int){
		"Sort":              func(n int) { sort(n) },
		"Sort, in one":      func(n int) { sort(n, parallelfor.Batch(n)) },
		"SortByKey":         func(n int) { parallelfor.SortSliceByKey(lawtest.Nothings(n), func(none) int { return 0 }) },
		"Scratch":           func(n int) { parallelfor.Scratch[none](parallelfor.Worker{}, n) },
		"Scratch, of bytes": func(n int) { parallelfor.Scratch[byte](parallelfor.Worker{}, n) },
	})
}
