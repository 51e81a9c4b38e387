package safety_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// lateUse is a test of the methods of a view outside its job.
type lateUse func(t *testing.T)

// lateUses returns the test of all methods of a view: of the view itself, of a pointer that a body
// has kept, and of a copy that a body has kept.
func lateUses[V any](view V) lateUse {
	return func(t *testing.T) {
		var kept *V
		var copied V
		parallelfor.Do(view, func(v *V) { kept, copied = v, *v })
		for name, v := range map[string]*V{"unbound": &view, "kept": kept, "copied": &copied} {
			t.Run(name, func(t *testing.T) {
				told := everyMethodTellsTheLine(t, reflect.ValueOf(v))
				require.True(t, told || name == "copied") // a copy of a lane is found in strict builds
			})
		}
	}
}

// ofDrivers are the types whose methods drivers and containers call.
var ofDrivers = []reflect.Type{
	reflect.TypeFor[*safety.Hold](), reflect.TypeFor[safety.RangeView](), reflect.TypeFor[safety.SpanView](),
	reflect.TypeFor[interface{ BeginBatch(batch int) }](),
}

// indexed are the methods that are small, so that they are inlined, and panic with their access.
var indexed = []string{"At", "Set", "Ptr", "Add", "Count", "RowOf"}

// ofDriver reports whether drivers call the method, or the library itself for its texts.
func ofDriver(method string) bool {
	for _, t := range ofDrivers {
		if _, ok := t.MethodByName(method); ok {
			return true
		}
	}
	return method == "Serial" || method == "Batches"
}

// everyMethodTellsTheLine calls the methods of a view that may not be used. A violation has its
// line in the deferred function that recovers it. Later it has the line, or says how to learn it.
// It reports whether there was a violation.
func everyMethodTellsTheLine(t *testing.T, v reflect.Value) (told bool) {
	for i := range v.NumMethod() {
		method := v.Type().Method(i).Name
		if ofDriver(method) {
			continue
		}
		var err error
		func() {
			defer func() {
				r := recover()
				if r == nil {
					return
				}
				err = r.(error)
				var now *safety.Violation
				require.ErrorAs(t, err, &now, method)
				require.NotEmpty(t, now.At, method)
			}()
			callWithZeros(v.Method(i))
		}()
		if err == nil {
			continue
		}
		told = true
		var late *safety.Violation
		require.True(t, errors.As(err, &late))
		if late.At == "" {
			assert.Contains(t, indexed, method)
			require.Contains(t, late.Error(), "To learn the line, take the text in the deferred function that recovers the panic.", method)
		} else {
			require.Contains(t, late.Error(), "It happened at "+late.At, method)
		}
	}
	return told
}

// callWithZeros calls a function with zero values, and functions that return zero values. It calls
// the functions that are returned too, so it begins the loop over a sequence.
func callWithZeros(f reflect.Value) {
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		in := f.Type().In(i)
		switch {
		case in.Kind() == reflect.Func:
			args = append(args, reflect.MakeFunc(in, func([]reflect.Value) (out []reflect.Value) {
				for t := range in.Outs() {
					out = append(out, reflect.Zero(t))
				}
				return out
			}))
		case f.Type().IsVariadic() && i == f.Type().NumIn()-1: // no arguments
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	for _, out := range f.Call(args) {
		if out.Kind() == reflect.Func && !out.IsNil() {
			callWithZeros(out)
		}
	}
}

// A view that is used outside its job tells the line of the use, or how to learn it.
func TestLateUsesOfAllViewsTellTheLine(t *testing.T) {
	lawtest.CheckedOnly(t)
	a, l, s, x := array.New[int](4), array.NewList[int](), array.NewStream[int](), array.NewValue(1)
	c, h, sum, low := counter.New(), counter.NewHistogram(3), counter.NewSum[float64](), counter.NewMin[int]()
	q, r := queue.New[int](), queue.NewRing[int](4)
	m, mm := hashmap.New[int, int](), hashmap.NewMulti[int, int]()
	type row struct{ V int }
	tb := table.New[row]()
	for name, late := range map[string]lateUse{
		"array.Reader":         lateUses(a.Reader()),
		"array.Writer":         lateUses(a.Writer()),
		"array.ParallelWriter": lateUses(l.ParallelWriter()), "array.UnrestrictedWriter": lateUses(array.Unrestricted(a.Writer())),
		"array.StreamReader": lateUses(s.Reader()), "array.StreamWriter": lateUses(s.Writer()),
		"array.StreamParallelWriter": lateUses(s.ParallelWriter()), "array.StreamKeyedWriter": lateUses(s.KeyedWriter()),
		"array.ValueReader": lateUses(x.Reader()), "array.ValueWriter": lateUses(x.Writer()),
		"counter.Reader": lateUses(c.Reader()), "counter.ParallelWriter": lateUses(c.ParallelWriter()),
		"counter.HistogramReader": lateUses(h.Reader()), "counter.HistogramWriter": lateUses(h.Writer()),
		"counter.HistogramParallelWriter": lateUses(h.ParallelWriter()),
		"counter.SumReader":               lateUses(sum.Reader()), "counter.SumParallelWriter": lateUses(sum.ParallelWriter()),
		"counter.ExtremumReader":         lateUses(low.Reader()),
		"counter.ExtremumParallelWriter": lateUses(low.ParallelWriter()),
		"queue.Reader":                   lateUses(q.Reader()), "queue.Writer": lateUses(q.Writer()), "queue.ParallelWriter": lateUses(q.ParallelWriter()),
		"queue.Shared": lateUses(q.Shared()), "queue.RingShared": lateUses(r.Shared()),
		"hashmap.Reader": lateUses(m.Reader()), "hashmap.Writer": lateUses(m.Writer()), "hashmap.ParallelWriter": lateUses(m.ParallelWriter()),
		"hashmap.Shared": lateUses(m.Shared()), "hashmap.MultiReader": lateUses(mm.Reader()), "hashmap.MultiWriter": lateUses(mm.Writer()),
		"hashmap.MultiParallelWriter": lateUses(mm.ParallelWriter()), "hashmap.MultiShared": lateUses(mm.Shared()),
		"table.Stager": lateUses(tb.Stager()), "table.Lookup": lateUses(tb.Lookup()),
	} {
		t.Run(name, late)
	}
}
