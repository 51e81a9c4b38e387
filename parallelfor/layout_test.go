package parallelfor_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type goal struct {
	Costs array.Writer[int]
	Best  int
}

type parts struct {
	Pair [2]array.Reader[int]
	More []array.Reader[int]
	Who  parallelfor.Worker
}

type router struct {
	goals []goal
	Parts parts
	parts // embedded
	Grid  [2][2]goal
}

func TestViewsAreFoundInStructsArraysAndSlicesWithTheirPaths(t *testing.T) {
	checkedOnly(t)
	const n = 6
	var arrays []*array.Array[int]
	next := func() *array.Array[int] {
		arrays = append(arrays, numbers(n))
		return arrays[len(arrays)-1]
	}
	ps := func() parts {
		return parts{Pair: [2]array.Reader[int]{next().Reader(), next().Reader()}, More: []array.Reader[int]{next().Reader(), next().Reader()}}
	}
	goals := []goal{{Costs: next().Writer()}, {Costs: next().Writer()}, {Costs: next().Writer()}, {Costs: next().Writer()}}
	r := router{goals: goals, Parts: ps(), parts: ps()}
	for i := range r.Grid {
		for k := range r.Grid[i] {
			r.Grid[i][k].Costs = next().Writer()
		}
	}
	h := scheduleFor(n, r, func(r *router, i int) {
		sum := 0
		for _, p := range []*parts{&r.Parts, &r.parts} {
			for k := range p.More {
				sum += p.More[k].At(i) + p.Pair[k].At(i)
			}
			_ = p.Who.Index()
		}
		for k := range r.goals {
			r.goals[k].Costs.Set(i, sum+k)
			if !safety.Strict {
				r.goals[k].Best = sum // lost
			}
		}
		r.Grid[1][0].Costs.Set(i, -1)
	}, parallelfor.Workers(3), parallelfor.Name("router"))
	var fields []string
	for _, a := range arrays {
		v := violation(t, safety.ErrInFlight, func() { a.Set(0, 0) })
		fields = append(fields, v.OtherField)
	}
	require.Equal(t, []string{
		"Views.goals[0].Costs", "Views.goals[1].Costs", "Views.goals[2].Costs", "Views.goals[3].Costs",
		"Views.Parts.Pair[0]", "Views.Parts.Pair[1]", "Views.Parts.More[0]", "Views.Parts.More[1]",
		"Views.parts.Pair[0]", "Views.parts.Pair[1]", "Views.parts.More[0]", "Views.parts.More[1]",
		"Views.Grid[0][0].Costs", "Views.Grid[0][1].Costs", "Views.Grid[1][0].Costs", "Views.Grid[1][1].Costs",
	}, fields)
	h.Complete()
	for k := range 4 {
		require.Equal(t, 8*3+k, arrays[k].At(3))
	}
	require.Zero(t, goals[1].Best, "plain fields of copies are lost, also in slices")
	parallelfor.For(n, r, func(r *router, i int) { r.goals[3].Costs.Set(i, 0) })
}

func TestSlicesOfViewsOfDifferentLengths(t *testing.T) {
	for _, k := range []int{3, 0, 1, 5, 2} {
		a := array.New[int](100)
		var views []array.Reader[int]
		for range k {
			views = append(views, a.Reader())
		}
		parallelfor.For(10, parts{Pair: [2]array.Reader[int]{a.Reader(), a.Reader()}, More: views}, func(p *parts, i int) {
			if len(p.More) != k {
				panic(len(p.More))
			}
			for m := range p.More {
				_ = p.More[m].At(i)
			}
		}, parallelfor.Workers(3))
	}
}

// doubled embeds a view beside another: it is a struct of views, and not the first view.
type doubled struct {
	array.Writer[int]
	Other array.Reader[int]
}

func TestAnEmbeddedViewBesideOthersIsNotTheWholeJob(t *testing.T) {
	checkedOnly(t)
	a, b := numbers(5), numbers(5)
	parallelfor.For(5, doubled{a.Writer(), b.Reader()}, func(d *doubled, i int) { d.Set(i, d.Other.At(i)+10) })
	require.Equal(t, 14, a.At(4))
	v := violation(t, safety.ErrUnassigned, func() { parallelfor.For(5, doubled{Writer: a.Writer()}, func(d *doubled, i int) {}) })
	require.Equal(t, "Other", v.Field)
}

func TestAViewInAViewIsAClaimOfItsOwn(t *testing.T) {
	checkedOnly(t)
	data, offsets := numbers(6), numbers(7)
	h := scheduleFor(6, array.ByOffsets(data.Writer(), offsets.Reader()), func(w *array.OffsetWriter[int], i int) { w.Set(i, -i) })
	require.Equal(t, "Views", violation(t, safety.ErrInFlight, func() { data.At(0) }).OtherField)
	require.Equal(t, "Views.offsets", violation(t, safety.ErrInFlight, func() { offsets.Set(0, 0) }).OtherField)
	_ = offsets.At(0)
	h.Complete()
	require.Equal(t, -5, data.At(5))
	v := violation(t, safety.ErrUnassigned, func() { parallelfor.For(0, array.ByOffsets(data.Writer(), array.Reader[int]{}), nothing) })
	require.Equal(t, "offsets", v.Field)
}

func TestAnUnassignedViewIsRefusedWithItsPath(t *testing.T) {
	checkedOnly(t)
	v := violation(t, safety.ErrUnassigned, func() {
		parallelfor.For(1, struct{ Goals []goal }{make([]goal, 4)}, func(*struct{ Goals []goal }, int) {}, parallelfor.Name("r"))
	})
	require.Equal(t, []string{"r", "Goals[0].Costs"}, []string{v.Job, v.Field})
	v = violation(t, safety.ErrUnassigned, func() { parallelfor.For(1, array.Reader[int]{}, nothing) })
	require.Empty(t, v.Field, "the view is the whole of the views")
}

// advisedField wants a job that is a V refused for the field of that path, and a text that says
// what to do instead.
func advisedField[V any](t *testing.T, path, advice string) {
	t.Helper()
	var views V
	v := violation(t, safety.ErrField, func() { parallelfor.For(1, views, nothing, parallelfor.Name("bad")) })
	require.Equal(t, []string{"bad", path}, []string{v.Job, v.Field})
	require.Contains(t, v.Error(), advice)
	violation(t, safety.ErrField, func() { parallelfor.For(1, views, nothing) })
}

// refusedField is advisedField for data.
func refusedField[V any](t *testing.T, path string) {
	t.Helper()
	advisedField[V](t, path, unguarded)
}

const unguarded = "custody:\"unguarded\""

// advisedType is advisedField for a type of which no loop is compiled.
func advisedType(t *testing.T, views reflect.Type, path, advice string) {
	t.Helper()
	v := parallelfor.Refusal(views, "bad")
	require.ErrorIs(t, v, safety.ErrField, views)
	require.Equal(t, []string{"bad", path}, []string{v.Job, v.Field}, views)
	require.Contains(t, v.Error(), advice, views)
}

func refusedType(t *testing.T, views reflect.Type, path string) {
	t.Helper()
	advisedType(t, views, path, unguarded)
}

// Containers, and pointers to views, are where newcomers put them, and so the text says what
// belongs there.
func TestFieldsThatShouldBeViewsAreRefusedWithAnAdvice(t *testing.T) {
	const carry = "Carry a view, as the container's Reader() or Writer() returns it"
	advisedField[struct{ A *array.Array[int] }](t, "A", carry)
	advisedType(t, reflect.TypeFor[struct{ A array.Array[int] }](), "A", carry)
	advisedType(t, reflect.TypeFor[struct{ A []*array.Double[int] }](), "A", unguarded)
	advisedType(t, reflect.TypeFor[struct{ A *array.Double[int] }](), "A", carry)
	advisedType(t, reflect.TypeFor[struct{ A *counter.Min[int] }](), "A", carry)
	advisedType(t, reflect.TypeFor[struct{ A *array.DoubleList[int] }](), "A", carry)
	advisedField[*counter.Counter](t, "", carry)
	advisedType(t, reflect.TypeFor[struct{ A *array.Reader[int] }](), "A", "Carry the view itself")
	advisedType(t, reflect.TypeFor[struct {
		A *struct{ R array.Reader[int] }
	}](), "A", unguarded)
}

func TestFieldsThatWorkersWouldShareAreRefusedEachWithItsPath(t *testing.T) {
	type in[T any] struct {
		Fine int
		A    struct{ B [2]T }
	}
	refusedField[in[[]int]](t, "A.B[0]")
	refusedType(t, reflect.TypeFor[in[map[int]int]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[*int]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[chan int]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[func()]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[any]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[error]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[unsafe.Pointer]](), "A.B[0]")
	advisedType(t, reflect.TypeFor[in[*array.Array[int]]](), "A.B[0]", "is a container")
	advisedType(t, reflect.TypeFor[in[*array.List[int]]](), "A.B[0]", "is a container")
	advisedType(t, reflect.TypeFor[in[*array.Reader[int]]](), "A.B[0]", "points to a view")
	refusedType(t, reflect.TypeFor[in[safety.View]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[in[[][]int]](), "A.B[0]")
	refusedType(t, reflect.TypeFor[struct{ Gs []struct{ P *int } }](), "Gs")
	type mixed struct {
		R array.Reader[int]
		P *int
	}
	refusedType(t, reflect.TypeFor[struct{ Gs []mixed }](), "Gs[].P")
	refusedType(t, reflect.TypeFor[struct{ Gs [][]mixed }](), "Gs[][].P")
	refusedType(t, reflect.TypeFor[[][2]mixed](), "[][0].P")
	refusedField[[]int](t, "")
	refusedType(t, reflect.TypeFor[*int](), "")
	refusedType(t, reflect.TypeFor[struct{ X, Y *int }](), "X")
}

func TestValuesThatNobodyChangesArePlainFields(t *testing.T) {
	type shared struct{ p *int }
	parallelfor.Immutable[shared]()
	type plain struct {
		S    string
		T    time.Time
		A    netip.Addr
		AP   netip.AddrPort
		P    netip.Prefix
		F    float64
		C    complex128
		N    [3]uint8
		U    uintptr
		_    [0]func()
		_    struct{}
		Own  shared
		Owns [2]shared
	}
	x := 1
	v := plain{S: "s", Own: shared{&x}, T: time.Now()}
	parallelfor.For(3, v, func(p *plain, _ int) {
		if p.S != "s" || *p.Own.p != 1 || p.T.IsZero() {
			panic("lost")
		}
	}, parallelfor.Sequential(), parallelfor.Batch(3))
}

func TestAnUnguardedFieldIsLeftAlone(t *testing.T) {
	type views struct {
		Out   array.Writer[int]
		Table map[int]int         `custody:"unguarded"`
		Wild  array.Writer[int]   `custody:"unguarded"`
		Many  []array.Writer[int] `custody:"unguarded"`
	}
	a := numbers(3)
	parallelfor.For(3, views{Out: a.Writer(), Table: map[int]int{1: 7}, Wild: a.Writer()}, func(v *views, i int) { v.Out.Set(i, v.Table[1]) })
	require.Equal(t, []int{7, 7, 7}, values(a))
	if safety.Enabled {
		violation(t, safety.ErrStaleView, func() {
			parallelfor.For(3, views{Out: a.Writer(), Wild: a.Writer()}, func(v *views, i int) { v.Wild.Set(i, 1) })
		})
	}
}

func TestOneContainerTwiceInOneJob(t *testing.T) {
	checkedOnly(t)
	a := numbers(4)
	type both struct {
		R array.Reader[int]
		W array.Writer[int]
	}
	v := violation(t, safety.ErrAliased, func() { parallelfor.For(4, both{a.Reader(), a.Writer()}, nothing) })
	require.Equal(t, []string{"both", "R", "W"}, []string{v.Job, v.Field, v.OtherField})
	parallelfor.For(4, [2]array.Reader[int]{a.Reader(), a.Reader()}, nothing)
}

// tree is a job type that contains itself.
type tree struct {
	Leaf array.Reader[int]
	Kids []tree
}

func TestAJobTypeThatContainsItselfIsRefused(t *testing.T) {
	if !inChild(t) {
		require.Empty(t, child(t, t.Name()), "a walk without end takes the process with it")
	}
	refusedField[tree](t, "Kids")
	refusedType(t, reflect.TypeFor[struct{ T tree }](), "T.Kids")
	refusedType(t, reflect.TypeFor[struct{ Trees []tree }](), "Trees")
	refusedType(t, reflect.TypeFor[forest](), "Trees")
}

// forest is a job type that its own elements contain.
type forest struct {
	Leaf  array.Reader[int]
	Trees []struct{ Of []forest }
}
