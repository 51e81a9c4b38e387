package ecs

import (
	"iter"
	"strconv"

	"example.com/custody/safety"
)

// Column holds the components of one type, of all entities of a world that have one. Jobs claim it as a whole, and no
// other: those over different columns run side by side.
//
// For each chunk it notes the version of the job that was the last to have the chunk to write, whether or not it wrote a
// value; the owner's Set counts as one, too. Outside jobs it is used like a slice. A Column must not be copied.
type Column[T comparable] struct {
	guard   safety.Guard
	in      *World
	bit     set
	chunks  [][]T    // by the world's chunks; nil for those whose entities have no such component
	changed []uint32 // the version, by the world's chunks (I4)
}

// NewColumn returns a column for components of type T, which no entity has so far.
func NewColumn[T comparable](w *World, opts ...safety.Option) *Column[T] {
	w.guard.CheckWrite()
	c := &Column[T]{in: w, bit: w.nextPart()}
	c.guard.Init(c, 0, opts...)
	c.guard.Growable()
	w.columns = append(w.columns, c)
	for k := range w.chunks {
		c.grow(k, 0, false)
	}
	return c
}

func (c *Column[T]) part(w *World) set {
	w.mine(c.in)
	return c.bit
}

func (c *Column[T]) mayChange() { c.guard.CheckWrite() }

// grow makes the column have as many rows of a chunk as there are entities, if it has any there.
func (c *Column[T]) grow(chunk, rows int, here bool) {
	if chunk == len(c.chunks) {
		c.chunks = append(c.chunks, nil)
		c.changed = append(c.changed, never)
	}
	if !here {
		return
	}
	c.guard.Bump("was changed by Add")
	if c.chunks[chunk] == nil {
		c.chunks[chunk] = make([]T, 0, c.in.capacity)
	}
	c.chunks[chunk] = c.chunks[chunk][:rows]
	c.changed[chunk] = after(c.in.clock)
}

func (c *Column[T]) dispose() {
	c.guard.Dispose()
	c.chunks, c.changed = nil, nil
}

// At returns the component of an entity. That it has none is a violation.
func (c *Column[T]) At(e Entity) T {
	c.guard.CheckRead()
	return *c.row(e)
}

// Set changes the component of an entity. That it has none is a violation.
func (c *Column[T]) Set(e Entity, v T) {
	c.guard.CheckWrite()
	*c.row(e) = v
	c.changed[e.chunk] = after(c.in.clock)
}

func (c *Column[T]) row(e Entity) *T {
	if uint(e.chunk) < uint(len(c.chunks)) {
		if rows := c.chunks[e.chunk]; uint(e.row) < uint(len(rows)) {
			return &rows[e.row]
		}
	}
	v := c.guard.Violation(safety.ErrIndex, "row "+strconv.Itoa(int(e.row))+" of chunk "+strconv.Itoa(int(e.chunk))+" was used, of which "+c.guard.Container()+" has none",
		"Ask only for the components that an entity was added with.")
	v.Index = int(e.row)
	panic(v)
}

// All ranges over the components, chunk after chunk, in the order in which a job sees them. Adding entities ends the range, and so does
// scheduling a job that writes the column: the next step is a violation.
func (c *Column[T]) All() iter.Seq2[Entity, T] {
	return func(yield func(Entity, T) bool) {
		borrow := c.guard.Borrow("an iterator", 0)
		for k := 0; k < len(c.chunks); k++ {
			for r := 0; r < len(c.chunks[k]); r++ {
				if !yield(Entity{int32(k), int32(r)}, c.chunks[k][r]) {
					return
				}
				borrow.Check()
			}
		}
	}
}

// ReadOnly returns a view for a parameter of Execute that is only read.
func (c *Column[T]) ReadOnly() View[T] {
	if c == nil {
		return View[T]{}
	}
	return View[T]{Hold: c.guard.Hold(safety.Read, nil), of: c}
}

// ReadWrite returns a view for a parameter of Execute that may be written.
func (c *Column[T]) ReadWrite() View[T] {
	if c == nil {
		return View[T]{}
	}
	return View[T]{Hold: c.guard.Hold(safety.Write, nil), of: c, writes: true}
}
