package hashmap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

var errBatch = errors.New("this index fails")

// multiModel is what a multimap is to be: the keys in the order of their first values.
type multiModel[K comparable] struct {
	keys []K
	vals [][]int
}

// of returns the number of a key; -1 says that it has no values. A NaN never has.
func (m *multiModel[K]) of(k K) int { return slices.Index(m.keys, k) }

func (m *multiModel[K]) add(k K, v int) {
	i := m.of(k)
	if i < 0 {
		i = len(m.keys)
		m.keys, m.vals = append(m.keys, k), append(m.vals, nil)
	}
	m.vals[i] = append(m.vals[i], v)
}

func (m *multiModel[K]) drop(i int) {
	m.keys, m.vals = slices.Delete(m.keys, i, i+1), slices.Delete(m.vals, i, i+1)
}

// multiAdding is a job that adds to a multimap.
type multiAdding[K comparable] struct {
	W, Again MultiParallelWriter[K, int]
	do       func(add, again func(K, int), i int) error `custody:"unguarded"`
	nest     func(w MultiParallelWriter[K, int], i int) `custody:"unguarded"`
}

func (j *multiAdding[K]) Execute(i int) error {
	j.nest(j.W, i)
	return j.do(j.W.Add, j.Again.Add, i)
}

// multiRun runs a drawn program on a multimap and on its model, and says what is wrong.
func multiRun[K comparable](seed uint64, m *MultiMap[K, int], key func(int) K) (wrong string) {
	r := rand.New(rand.NewPCG(seed, 1))
	model := new(multiModel[K])
	for step := range 2 + r.IntN(6) {
		var what string
		switch r.IntN(8) {
		case 0, 1, 2:
			what = multiJob(r, m, model, key)
		case 3:
			what = "ordinary operations"
			for range r.IntN(40) {
				multiOrdinary(r, m, model, key)
			}
		case 4:
			what = "a Writer"
			multiChange(r, m, model)
		case 5:
			if r.IntN(3) == 0 {
				what = "Clear"
				m.Clear()
				*model = multiModel[K]{}
			}
		default:
			what = "a Reader"
			if wrong := multiRead(r, m, model, key); wrong != "" {
				return fmt.Sprintf("step %d: %s", step, wrong)
			}
		}
		if wrong := multiCompare(m, model); wrong != "" {
			return fmt.Sprintf("step %d, after %s: %s", step, what, wrong)
		}
	}
	return ""
}

// multiJob adds in a loop that may fail, and has loops inside.
func multiJob[K comparable](r *rand.Rand, m *MultiMap[K, int], model *multiModel[K], key func(int) K) string {
	n, distinct, fail := r.IntN(120), 1+r.IntN(60), -1
	if r.IntN(3) == 0 {
		fail = r.IntN(120)
	}
	draw, nested := r.IntN(1000), r.IntN(2) == 0
	adds := func(add func(K, int), i int) {
		for x := range (i*7 + draw) % 4 {
			add(key((i*13+x*5+draw)%distinct), i*10+x)
		}
	}
	inner := func(add func(K, int), i, k int) { add(key((i+k*3)%distinct), -i*100-k) }
	job := multiAdding[K]{m.ParallelWriter(), m.ParallelWriter(), func(add, again func(K, int), i int) error {
		adds(add, i)
		if i == fail {
			return errBatch
		}
		again(key(i%distinct), -i)
		return nil
	}, func(w MultiParallelWriter[K, int], i int) {
		if nested && i%11 == 3 {
			parallelfor.For(i%17, w, func(w *MultiParallelWriter[K, int], k int) { inner(w.Add, i, k) }, parallelfor.Batch(2))
		}
	}}
	err := parallelfor.ForErr(context.Background(), n, job, (*multiAdding[K]).Execute, parallelfor.Batch(r.IntN(9)), parallelfor.Workers(1+r.IntN(8)))
	for i := range n {
		if nested && i%11 == 3 {
			for k := range i % 17 {
				inner(model.add, i, k)
			}
		}
		adds(model.add, i)
		if i == fail {
			break
		}
		model.add(key(i%distinct), -i)
	}
	if failed := fail >= 0 && fail < n; failed != (err != nil) {
		return fmt.Sprintf("a job that ended with %v", err)
	}
	return "a job"
}

func multiOrdinary[K comparable](r *rand.Rand, m *MultiMap[K, int], model *multiModel[K], key func(int) K) {
	k, v := key(r.IntN(70)), r.IntN(5)
	i := model.of(k)
	switch r.IntN(7) {
	case 0, 1:
		m.Add(k, v)
		model.add(k, v)
	case 2:
		m.AddAll(k, []int{v, 1, 2})
		for _, v := range []int{v, 1, 2} {
			model.add(k, v)
		}
	case 3, 4:
		m.Delete(k)
		if i >= 0 {
			model.drop(i)
		}
	case 5:
		m.DeleteValue(k, v)
		if i >= 0 {
			if x := slices.Index(model.vals[i], v); x >= 0 {
				if model.vals[i] = slices.Delete(model.vals[i], x, x+1); len(model.vals[i]) == 0 {
					model.drop(i)
				}
			}
		}
	default:
		vs := make([]int, r.IntN(4))
		m.Replace(k, vs)
		switch {
		case i >= 0 && len(vs) == 0:
			model.drop(i)
		case i >= 0:
			model.vals[i] = slices.Clone(vs)
		case len(vs) > 0:
			model.keys, model.vals = append(model.keys, k), append(model.vals, slices.Clone(vs))
		}
	}
}

// multiChange changes values in place.
func multiChange[K comparable](r *rand.Rand, m *MultiMap[K, int], model *multiModel[K]) {
	n := len(model.keys) + r.IntN(3)
	parallelfor.ForBatch(n, m.Writer(), func(w *MultiWriter[K, int], begin, end int) {
		at := begin
		for _, vals := range w.Groups() {
			for x := range vals {
				vals[x] += at
			}
			at++
		}
		if w.Len() > begin {
			_, vals := w.At(begin)
			vals[0]--
		}
	}, parallelfor.Batch(3), parallelfor.Workers(4))
	for i, vals := range model.vals {
		for x := range vals {
			vals[x] += i
		}
		if i%3 == 0 {
			vals[0]--
		}
	}
}

// multiRead looks at everything in a job.
func multiRead[K comparable](r *rand.Rand, m *MultiMap[K, int], model *multiModel[K], key func(int) K) (wrong string) {
	parallelfor.For(1, m.Reader(), func(v *MultiReader[K, int], _ int) {
		if v.Len() != len(model.keys) {
			wrong = fmt.Sprintf("a Reader has %d keys instead of %d", v.Len(), len(model.keys))
			return
		}
		for i := range v.Len() {
			if k, vals := v.At(i); k != model.keys[i] && k == k || !slices.Equal(vals, model.vals[i]) {
				wrong = fmt.Sprintf("the key at %d is %v: %v, not %v: %v", i, k, vals, model.keys[i], model.vals[i])
			}
		}
		for x := range 80 {
			var want []int
			if i := model.of(key(x)); i >= 0 {
				want = model.vals[i]
			}
			if got := v.Values(key(x)); !slices.Equal(got, want) {
				wrong = fmt.Sprintf("%v has %v, not %v", key(x), got, want)
			}
		}
	})
	return wrong
}

// multiCompare compares a multimap, seen from outside, with its model.
func multiCompare[K comparable](m *MultiMap[K, int], model *multiModel[K]) string {
	i, values := 0, 0
	for k, vals := range m.Groups() {
		if i >= len(model.keys) || k != model.keys[i] && k == k || !slices.Equal(vals, model.vals[i]) {
			return fmt.Sprintf("number %d is %v: %v; expected %v: %v", i, k, vals, model.keys, model.vals)
		}
		values += len(vals)
		i++
	}
	if i != len(model.keys) || m.LenKeys() != i || m.Len() != values {
		return fmt.Sprintf("%d keys came, there are %d and %d values; expected %d and %d", i, m.LenKeys(), m.Len(), len(model.keys), values)
	}
	return ""
}

// Whatever is done to a multimap in phases and between them, it is what the sequential loops make
// of it, in values and in order.
func TestMultiMapIsWhatTheSequentialLoopMakesOfIt(t *testing.T) {
	lawtest.Check(t, lawtest.Parameters(t, 150), "programs", prop.ForAll(func(seed uint64) string {
		if seed%4 > 0 {
			defer handout.Force(seed)()
		}
		s := multiSizes{stripes: 1 << (seed % 4), part: 1 + int(seed%13), few: int(seed % 7)}
		switch seed / 16 % 4 {
		case 0:
			return multiRun(seed, multi[int, int](s, nil), number)
		case 1:
			return multiRun(seed, multi[string, int](s, nil), strconv.Itoa)
		case 2:
			return multiRun(seed, multi[string, int](s, bad{2}), strconv.Itoa)
		}
		return multiRun(seed, multi[float64, int](s, nil), func(k int) float64 {
			if k%9 == 5 {
				return math.NaN()
			}
			return float64(k)
		})
	}, gen.UInt64()))
}

// The same with so many values that parts are built beside each other, into an empty multimap and
// into one that has many keys.
func TestLongLoopsGroupInOrder(t *testing.T) {
	const n = 200_000
	for _, distinct := range []int{1, 1000, n} {
		m := NewMulti[int, int]()
		for round := range 3 {
			parallelfor.ForBatch(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], begin, end int) {
				for i := begin; i < end; i++ {
					w.Add(i*7%distinct<<10, i)
				}
			}, parallelfor.Workers(4), parallelfor.Batch(1000))
			require.Equal(t, distinct, m.LenKeys())
			require.Equal(t, n*(round+1), m.Len())
			at := 0
			for k, vals := range m.Groups() {
				if k != at*7%distinct<<10 || len(vals) != (round+1)*n/distinct {
					t.Fatalf("key %d is %d, with %d values", at, k, len(vals))
				}
				for i, v := range vals {
					if v != at+i*distinct%n {
						t.Fatalf("value %d of key %d is %d", i, k, v)
					}
				}
				at++
			}
		}
	}
}
