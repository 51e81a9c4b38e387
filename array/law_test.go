package array_test

import (
	"testing"

	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// holder is a job that holds a view and does nothing.
type holder[V any] struct{ View V }

func (*holder[V]) Execute() {}

// hold schedules a job that holds view.
func hold[V any](view V, opts ...parallelfor.Option) parallelfor.Handle {
	return parallelfor.ScheduleDo(holder[V]{view}, (*holder[V]).Execute, append(opts, parallelfor.Name("holder"))...)
}

// drive returns the driver for views of type V.
func drive[V any]() arraylaw.Driver[V] {
	return arraylaw.Driver[V]{
		Each: func(n, batch, workers int, view V, body func(v *V, i int)) {
			parallelfor.For(n, view, body, parallelfor.Batch(batch), parallelfor.Workers(workers))
		},
		Batch: func(n, batch, workers int, view V, body func(v *V, begin, end int)) {
			parallelfor.ForBatch(n, view, body, parallelfor.Batch(batch), parallelfor.Workers(workers))
		},
		Once: func(view V, body func(v *V)) { parallelfor.Do(view, body) },
		Hold: func(view V) arraylaw.Handle { return hold(view) },
	}
}

type (
	reader    = array.Reader[int]
	writer    = array.Writer[int]
	container = arraylaw.Container[reader, writer]
	law       = arraylaw.Suite[reader, writer, *reader, *writer]
)

func lawOf(kind string, fresh func(n int, opts ...safety.Option) container) *law {
	return &law{New: fresh, Type: "array." + kind + "[int]", Readers: drive[reader](), Writers: drive[writer]()}
}

func newArray(n int, opts ...safety.Option) container { return array.New[int](n, opts...) }

// newList makes a list that has grown to n elements, and has capacity for more.
func newList(n int, opts ...safety.Option) container {
	l := array.NewList[int](opts...)
	l.Grow(10)
	l.Resize(n)
	return l
}

func TestArrayKeepsTheLaw(t *testing.T) {
	l := lawOf("Array", newArray)
	l.Unmade = func() container { return new(array.Array[int]) }
	suite.Run(t, l)
}

// An array of a slice is an array like any other.
func TestArrayOfKeepsTheLaw(t *testing.T) {
	l := lawOf("Array", func(n int, opts ...safety.Option) container {
		if n < 0 {
			return newArray(n, opts...)
		}
		return array.Of(make([]int, n, n+3), opts...)
	})
	l.Unmade = func() container { return new(array.Array[int]) }
	suite.Run(t, l)
}

// The halves of a Double are arrays like any other, whichever is the back.
func TestDoubleKeepsTheLaw(t *testing.T) {
	for _, swaps := range []bool{false, true} {
		l := lawOf("Array", func(n int, opts ...safety.Option) container {
			d := array.NewDouble[int](n, opts...)
			if swaps {
				d.Swap()
			}
			return d.Back()
		})
		l.Unmade = func() container { return new(array.Double[int]).Back() }
		suite.Run(t, l)
	}
}

// The halves of a DoubleList are lists like any other.
func TestDoubleListKeepsTheLaw(t *testing.T) {
	l := lawOf("List", func(n int, opts ...safety.Option) container {
		d := array.NewDoubleList[int](opts...)
		d.Swap()
		d.Back().Resize(n)
		return d.Back()
	})
	l.Unmade = func() container { return new(array.DoubleList[int]).Back() }
	l.Empties, l.Grows = true, true
	suite.Run(t, l)
}

func TestListKeepsTheLaw(t *testing.T) {
	l := lawOf("List", newList)
	l.Unmade = func() container { return new(array.List[int]) }
	l.Empties, l.Grows = true, true
	suite.Run(t, l)
}

func TestListOfKeepsTheLaw(t *testing.T) {
	l := lawOf("List", func(n int, opts ...safety.Option) container {
		if n < 0 {
			return newList(n, opts...)
		}
		return array.ListOf(make([]int, n, n+3), opts...)
	})
	l.Unmade = func() container { return new(array.List[int]) }
	l.Empties, l.Grows = true, true
	suite.Run(t, l)
}
