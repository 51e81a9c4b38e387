package ecs

import (
	"math/bits"
	"strconv"

	"example.com/custody/safety"
)

// World holds entities: which there are, and what parts they have. What their components are is in its columns.
//
// It is used like a slice: by one goroutine at a time, or by several that order themselves. Adding entities while a job of a system is
// not complete is a violation. A World must not be copied.
type World struct {
	guard    safety.Guard
	capacity int // rows of a chunk; never changes
	parts    int // how many columns and tags there are
	columns  []column
	chunks   []chunk
	last     map[set]int // the chunk of an archetype that may have room
	clock    uint32      // the version of the job that was scheduled last
	shape    int         // how often chunks have changed
}

// chunk is where some entities of an archetype lie.
type chunk struct {
	parts set
	rows  int // so many of them are entities; at least 1
}

// set is a set of parts: bit k is the part number k.
type set uint64

// most is how many parts a world may have.
const most = 64

// Entity says where an entity is: entities stay where they were added.
type Entity struct{ chunk, row int32 }

// Part is what an entity can have: a *[Column] or a [Tag], of the same world.
type Part interface{ part(w *World) set }

// column is a *Column of any type.
type column interface {
	Part
	mayChange()
	grow(chunk, rows int, here bool)
	dispose()
}

// NewWorld returns a world without entities. Chunks have so many rows: at least 1.
func NewWorld(capacity int, opts ...safety.Option) *World {
	if capacity < 1 {
		v := safety.NewViolation(safety.ErrLength, "chunks of "+strconv.Itoa(capacity)+" rows were asked for", "A chunk has 1 row or more.")
		v.N = capacity
		panic(v)
	}
	w := &World{capacity: capacity, last: make(map[set]int)}
	w.guard.Init(w, 0, opts...)
	return w
}

// Tag is a part that has no value.
type Tag struct {
	in  *World
	bit set
}

// NewTag returns a tag that no entity has so far.
func (w *World) NewTag() Tag {
	w.guard.CheckWrite()
	return Tag{w, w.nextPart()}
}

func (w *World) nextPart() set {
	if w.parts == most {
		panic(w.guard.Violation(safety.ErrLength, w.guard.Container()+" was to have more than "+strconv.Itoa(most)+" columns and tags", "Take a second world."))
	}
	w.parts++
	return 1 << (w.parts - 1)
}

func (t Tag) part(w *World) set {
	w.mine(t.in)
	return t.bit
}

// mine panics when a part is one of another world.
func (w *World) mine(in *World) {
	if in != w {
		panic(w.guard.Violation(safety.ErrArgument, "a column or tag of another world was used with "+w.guard.Container(), "Columns and tags are those of the world that made them."))
	}
}

// union returns the set of all parts.
func (w *World) union(parts []Part) (all set) {
	for _, p := range parts {
		all |= p.part(w)
	}
	return all
}

// Add adds n entities that have these parts. Their components are zero values.
func (w *World) Add(n int, parts ...Part) []Entity {
	w.guard.CheckWrite()
	all := w.union(parts)
	for _, c := range w.columns {
		if c.part(w)&all != 0 {
			c.mayChange()
		}
	}
	if n < 0 {
		v := w.guard.Violation(safety.ErrLength, strconv.Itoa(n)+" entities were to be added to "+w.guard.Container(), "Add 0 entities or more.")
		v.N = n
		panic(v)
	}
	added := make([]Entity, 0, n)
	for len(added) < n {
		k := w.room(all)
		c := &w.chunks[k]
		more := min(n-len(added), w.capacity-c.rows)
		for range more {
			added = append(added, Entity{int32(k), int32(c.rows)})
			c.rows++
		}
		for _, col := range w.columns {
			col.grow(k, c.rows, col.part(w)&all != 0)
		}
	}
	w.shape++
	return added
}

// room returns a chunk of the archetype that has room, perhaps a new one. It keeps (I2).
func (w *World) room(parts set) int {
	if k, ok := w.last[parts]; ok && w.chunks[k].rows < w.capacity {
		return k
	}
	w.chunks = append(w.chunks, chunk{parts: parts})
	w.last[parts] = len(w.chunks) - 1
	return len(w.chunks) - 1
}

// Len returns how many entities have all of these parts.
func (w *World) Len(parts ...Part) (n int) {
	w.guard.CheckRead()
	all := w.union(parts)
	for _, c := range w.chunks {
		if c.parts&all == all {
			n += c.rows
		}
	}
	return n
}

// Chunks returns how many chunks there are, and of how many archetypes.
func (w *World) Chunks() (chunks, archetypes int) {
	w.guard.CheckRead()
	return len(w.chunks), len(w.last)
}

// Dispose ends the world and its columns: every later use is a violation. It is one itself while a job is not complete.
func (w *World) Dispose() {
	w.guard.Dispose()
	for _, c := range w.columns {
		c.dispose()
	}
	w.chunks = nil
}

// count returns how many parts a set has.
func (s set) count() int { return bits.OnesCount64(uint64(s)) }

// structure is the view by which a job holds its world's chunks and queries as they are (I1).
type structure struct{ safety.Hold }

func (w *World) structure() structure { return structure{w.guard.Hold(safety.Read, nil)} }
