package copied

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
)

type beside[T any] struct {
	of  *T
	ids array.Array[int]
}

func newBeside[T any](of *T) *beside[T] { return &beside[T]{of: of} }

func noElements(c *counter.Counter) { _ = newBeside(c) }

func copyOf[T any](p *T) *T {
	v := *p
	return &v
}

func noElement(c *counter.Counter) { _ = copyOf(c) }

func index[T any](of ...*T) *hashmap.Map[int, *T] {
	m := hashmap.New[int, *T]()
	for i, p := range of {
		m.Store(i, p)
	}
	return m
}

func pointerElements(c *counter.Counter) { _ = index(c) }

func counted[T any](of *T) *counter.Counter { return counter.New() }

func noArguments(c *counter.Counter) { _ = counted(c) }
