package copied

import (
	"example.com/custody/array"
	"example.com/custody/counter"
)

type world struct {
	Heights array.Array[int]
	hits    *counter.Counter
}

func take(a array.Array[int]) {} // want `a parameter of type .*Array\[int\] copies a container: use a pointer to it`

func (w world) method() {} // want `a receiver of type world copies a container`

func give(w *world) (out world) { // want `a result of type world copies a container`
	return *w // want `return copies container \*w: use a pointer to it`
}

func pointers(w *world, a *array.Array[int], all []*array.Array[int], values []array.Array[int]) *world {
	b := a
	c := *a // want `the assignment copies container \*a`
	take(c) // want `the call copies container c`
	_ = w.Heights
	var d = w.Heights         // want `the variable copies container w.Heights`
	_ = []array.Array[int]{d} // want `the literal copies container d`
	_ = world{Heights: d}     // want `the literal copies container d`
	_, _, _ = len(values), new(world), b
	for _, x := range all {
		_ = x
	}
	for i, x := range values { // want `range copies containers to x: range over the indices`
		_, _ = i, x
	}
	for i := range values {
		values[i].Set(0, 1)
	}
	views := []array.Reader[int]{a.Reader()}
	view := views[0]
	_ = view
	return w
}

func generic[T any](v T) T {
	w := v
	return w
}

type nest struct {
	counters *array.Array[counter.Counter] // want `the elements of Array are containers of type .*Counter, which are copied with them: use pointers to them`
	lists    *array.List[*array.Array[int]]
}

func nested(values []world) *nest {
	_ = array.New[counter.Counter](4) // want `the elements of New are containers of type .*Counter`
	_ = array.Of(values)              // want `the elements of Of are containers of type world`
	return &nest{lists: array.NewList[*array.Array[int]]()}
}

func lent[T any](n int) *array.Array[T] { return array.New[T](n) }

func elementsOfResult() { _ = lent[counter.Counter](1) } // want `the elements of lent are containers`
