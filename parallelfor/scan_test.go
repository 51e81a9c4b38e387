package parallelfor_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// prefixing is what the tests of scans give theirs.
type prefixing struct {
	Worker parallelfor.Worker
	In     array.Reader[float64]
	Out    array.Writer[float64]
	S      *shape `custody:"unguarded"`
}

func (p *prefixing) out() []float64 { return p.Out.Slice() }

func (p *prefixing) value(i int) float64 {
	p.S.must(p.Worker, i)
	return p.In.At(i)
}

func (p *prefixing) valueErr(i int) (float64, error) { return p.In.At(i), p.S.visit(p.Worker, i) }

func TestScansEqualTheirSequentialRun(t *testing.T) {
	ctx := context.Background()
	for name, scan := range map[string]func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error){
		"Scan": func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.Scan(s.n, p, (*prefixing).value, (*prefixing).out, plus[float64], opts...), nil
		},
		"ScanErr": func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ScanErr(ctx, s.n, p, (*prefixing).valueErr, (*prefixing).out, plus[float64], opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 120, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				in, out := array.New[float64](s.n), array.New[float64](s.n)
				for i := range in.Len() {
					in.Set(i, s.f(i))
				}
				total, err := scan(s, prefixing{In: in.Reader(), Out: out.Writer(), S: s}, opts...)
				if err != nil {
					require.Zero(t, total)
					return nil, err
				}
				sum := 0.0
				var bits []uint64
				for i := range s.n {
					sum += s.f(i)
					require.InDelta(t, sum, out.At(i), 1e-9, "element %d", i)
					bits = append(bits, math.Float64bits(out.At(i)))
				}
				require.InDelta(t, sum, total, 1e-9)
				return append(bits, math.Float64bits(total)), nil
			})
		})
	}
}

// Text shows which elements a prefix is made of, in which order, and joining it does not commute.
func TestScansOfTextInPlace(t *testing.T) {
	for n := range 30 {
		for batch := -1; batch <= n; batch++ {
			fresh := func() *array.Array[string] {
				a := array.New[string](n)
				for i := range n {
					a.Set(i, string(rune('a'+i)))
				}
				return a
			}
			opts := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(3)}
			a := fresh()
			letters := fresh().Slice()
			total := parallelfor.Scan(n, a.Writer(), (*array.Writer[string]).At, (*array.Writer[string]).Slice, plus[string], opts...)
			text := ""
			for i := range n {
				text += letters[i]
				require.Equal(t, text, a.At(i))
			}
			require.Equal(t, text, total)
		}
	}
}

func TestAScanCallsItsValueOnceForEachIndex(t *testing.T) {
	calls := make([]int, 100)
	type value struct {
		Out   array.Writer[int]
		Calls []int `custody:"unguarded"`
	}
	out := array.New[int](100)
	parallelfor.Scan(100, value{out.Writer(), calls}, func(v *value, i int) int {
		v.Calls[i]++
		return i
	}, func(v *value) []int { return v.Out.Slice() }, plus[int])
	for i, n := range calls {
		require.Equal(t, 1, n)
		require.Equal(t, i*(i+1)/2, out.At(i))
	}
}

func TestAScanOfTooFewElementsIsAViolation(t *testing.T) {
	out := array.New[int](10)
	at := func(w *array.Writer[int], i int) int { return w.At(i) }
	short := func(*array.Writer[int]) []int { return make([]int, 9) }
	v := violation(t, safety.ErrLength, func() { parallelfor.Scan(10, out.Writer(), at, short, plus[int], parallelfor.Batch(4)) })
	require.Equal(t, 9, v.N)
	require.Equal(t, beginning(t, short), v.At, "of the function that gave them")
	require.Contains(t, v.Error(), "gave 9 for the indices 8 <= i < 10")
}

// A slice that is as long as a batch is not taken for the elements of every batch.
func TestAScanIntoTheElementsOfOneBatchIsAViolation(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("the race detector reports the batches")
	}
	one := func(*none, int) int { return 1 }
	for _, opts := range [][]parallelfor.Option{{parallelfor.Sequential()}, {parallelfor.Workers(3)}} {
		out := make([]int, 7)
		v := violation(t, safety.ErrLength, func() {
			parallelfor.Scan(98, none{}, one, func(*none) []int { return out }, plus[int], append(opts, parallelfor.Batch(7), parallelfor.Name("sums"))...)
		})
		require.Equal(t, 7, v.N)
		require.Equal(t, "sums", v.Job)
		require.Contains(t, v.Error(), "gave the same 7 for the indices 0 <= i < 7 and from 7 on")
		require.Contains(t, v.At, "scan_test.go")
		require.Equal(t, 7, parallelfor.Scan(7, none{}, one, func(*none) []int { return out }, plus[int], append(opts, parallelfor.Batch(7))...))
	}
	nothings := func(*none) []none { return make([]none, 98) }
	parallelfor.Scan(98, none{}, func(*none, int) none { return none{} }, nothings, func(a, b none) none { return a }, parallelfor.Batch(7))
}

func TestAPanicWhileBatchesAreJoinedIsTheCallers(t *testing.T) {
	var out [10]int
	slice := func(*none) []int { return out[:] }
	for want, join := range map[string]func(){
		"scan": func() {
			parallelfor.Scan(10, none{}, func(*none, int) int { return 0 }, slice, func(a, b int) int { panic("scan") }, parallelfor.Batch(1))
		},
		"reduce": func() {
			parallelfor.Reduce(10, none{}, func(*none, int, int) int { return 0 }, func(a, b int) int { panic("reduce") })
		},
	} {
		require.Equal(t, want, endingOf(join).value)
	}
}

// In the second pass, combine can fail too.
func TestAPanicInTheSecondPassOfAScan(t *testing.T) {
	defer handout.Force(3)()
	var out [10]string
	slice := func(*none) []string { return out[:] }
	p := panicked(t, func() {
		parallelfor.Scan(10, none{}, func(_ *none, i int) string { return string(rune('0' + i)) }, slice, func(a, b string) string {
			if a == "0123" && b == "4" {
				panic("so far")
			}
			return a + b
		}, parallelfor.Batch(2), parallelfor.Workers(4))
	})
	require.Equal(t, "so far", p.Value)
	require.Equal(t, []int{4, 6}, []int{p.Begin, p.End})
}

// A failure between the passes is that of the second.
func TestAScanWhoseContextEndsBetweenItsPasses(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	var out [10]int
	total, err := parallelfor.ScanErr(ctx, 10, none{}, func(_ *none, i int) (int, error) { return i, nil }, func(*none) []int { return out[:] }, func(a, b int) int {
		if a == 1+2+3+0 { // the batches are being joined
			cancel(errSwap)
		}
		return a + b
	}, parallelfor.Batch(4), parallelfor.Workers(1))
	require.ErrorIs(t, err, errSwap)
	require.Zero(t, total)
}
