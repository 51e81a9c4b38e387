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

// seen is in, from a loop that is watched.
func (p *prefixing) seen() []float64 {
	p.S.crew[p.Worker.Index()].Add(1)
	if p.S.how == panicking && p.S.fails() {
		panic("no slice")
	}
	return p.In.Slice()
}

func (p *prefixing) value(i int) float64 {
	p.S.must(p.Worker, i)
	return p.S.f(i)
}

func (p *prefixing) valueErr(i int) (float64, error) { return p.S.f(i), p.S.visit(p.Worker, i) }

func TestScansEqualTheirSequentialRun(t *testing.T) {
	ctx := context.Background()
	const first = 0.1
	type scan func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error)
	for name, run := range map[string]struct {
		exclusive bool
		scan      scan
	}{
		"Scan": {false, func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.Scan(s.n, p, (*prefixing).seen, (*prefixing).out, plus[float64], opts...), nil
		}},
		"ScanExclusive": {true, func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ScanExclusive(s.n, p, (*prefixing).seen, (*prefixing).out, first, plus[float64], opts...), nil
		}},
		"ScanFunc": {false, func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ScanFunc(s.n, p, (*prefixing).value, (*prefixing).out, plus[float64], opts...), nil
		}},
		"ScanExclusiveFunc": {true, func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ScanExclusiveFunc(s.n, p, (*prefixing).value, (*prefixing).out, first, plus[float64], opts...), nil
		}},
		"ScanFuncErr": {false, func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ScanFuncErr(ctx, s.n, p, (*prefixing).valueErr, (*prefixing).out, plus[float64], opts...)
		}},
		"ScanExclusiveFuncErr": {true, func(s *shape, p prefixing, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ScanExclusiveFuncErr(ctx, s.n, p, (*prefixing).valueErr, (*prefixing).out, first, plus[float64], opts...)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 120, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				in, out := array.New[float64](s.n+s.x(0)%3), array.New[float64](s.n)
				for i := range in.Len() {
					in.Set(i, s.f(i))
				}
				total, err := run.scan(s, prefixing{In: in.Reader(), Out: out.Writer(), S: s}, opts...)
				if err != nil {
					require.Zero(t, total)
					return nil, err
				}
				sum := 0.0
				if run.exclusive {
					sum = first
				}
				var bits []uint64
				for i := range s.n {
					if !run.exclusive {
						sum += s.f(i)
					}
					require.InDelta(t, sum, out.At(i), 1e-9, "element %d", i)
					if run.exclusive {
						sum += s.f(i)
					}
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
			slice := (*array.Writer[string]).Slice
			a := fresh()
			letters := fresh().Slice()
			total := parallelfor.Scan(n, a.Writer(), slice, slice, plus[string], opts...)
			b := fresh()
			exclusive := parallelfor.ScanExclusive(n, b.Writer(), slice, slice, "-", plus[string], opts...)
			text := ""
			for i := range n {
				require.Equal(t, "-"+text, b.At(i))
				text += letters[i]
				require.Equal(t, text, a.At(i))
			}
			require.Equal(t, text, total)
			require.Equal(t, "-"+text, exclusive)
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
	parallelfor.ScanFunc(100, value{out.Writer(), calls}, func(v *value, i int) int {
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
	v := violation(t, safety.ErrLength, func() {
		parallelfor.Scan(10, out.Writer(), func(*array.Writer[int]) []int { return make([]int, 9) }, (*array.Writer[int]).Slice, plus[int], parallelfor.Batch(4))
	})
	require.Equal(t, 9, v.N)
	require.Contains(t, v.Error(), "gave 9 for the indices 8 <= i < 10")
}

func TestAPanicWhileCellsAreJoinedIsTheCallers(t *testing.T) {
	var out [10]int
	slice := func(*none) []int { return out[:] }
	for want, join := range map[string]func(){
		"scan": func() {
			parallelfor.Scan(10, none{}, slice, slice, func(a, b int) int { panic("scan") }, parallelfor.Batch(1))
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
		parallelfor.ScanFunc(10, none{}, func(_ *none, i int) string { return string(rune('0' + i)) }, slice, func(a, b string) string {
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
	total, err := parallelfor.ScanFuncErr(ctx, 10, none{}, func(_ *none, i int) (int, error) { return i, nil }, func(*none) []int { return out[:] }, func(a, b int) int {
		if a == 1+2+3+0 { // the cells are being joined
			cancel(errSwap)
		}
		return a + b
	}, parallelfor.Batch(4), parallelfor.Workers(1))
	require.ErrorIs(t, err, errSwap)
	require.Zero(t, total)
}
