package hashmap

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Writer is a view that reads the keys, and reads and writes the values, of a map whose positions
// the current batch owns: index i owns the value of the i-th key, in the order of [Map.Reader]. A
// Writer changes no keys. Single jobs own all positions. A Writer works only inside the job that
// carries it.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	At, All  own batch  wait-free                        O(1)  never
//	Set      own batch  lock-free, lock for a few words  O(1)  boxed value
//	Len      job reads  wait-free                        O(1)  never
type Writer[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	writerState
}

// writerState is what a Writer knows, whatever the types of the map are.
type writerState struct {
	of         *core
	ix         *index   // nil while the view is not bound
	lo, hi     int      // the positions that the job was given: all, or the window of a body
	begin, end int      // the positions that the batch owns, from lo on
	refused    int      // the position that was refused last
	within     []uint32 // the computations that the job was scheduled within
}

// Writer returns a view that reads and writes the values. A loop may have any number of indices;
// those beyond the keys own nothing. With parallelfor.LengthOf(m.Reader()) the loop begins with as
// many indices as there are keys then. Until a job that holds one is completed, no operation may
// use the map, nor any job that is not ordered with that job.
//
// Cost: if the job starts after keys were put in or deleted, a pass over the table; see
// [Reader.At].
func (m *Map[K, V]) Writer() Writer[K, V] {
	v := coreOf(m).writer()
	return *(*Writer[K, V])(ref(&v))
}

// At returns the key at position i, and its value. A position that the batch does not own is a
// violation, whose text names the key there.
func (w *Writer[K, V]) At(i int) (K, V) {
	at := (*writerKind)(ref(w)).at(i)
	return pairAt[K, V](w.ix, at)
}

// Set makes v the value of the key at position i. A position that the batch does not own is a
// violation, whose text names the key there.
//
// Cost: that of a Store without the search for the key.
func (w *Writer[K, V]) Set(i int, v V) {
	at := w.ix.at((*writerKind)(ref(w)).at(i))
	if w.within == nil {
		w.ix.of.set(w.ix.t, at, shown(&v))
		runtime.KeepAlive(&v)
		return
	}
	// A computation waits for the job, so Set must not wait for the computation.
	val := v
	under(w.within, func() { w.ix.of.set(w.ix.t, at, ref(&val)) })
}

// Len returns how many keys the job was given.
func (w *Writer[K, V]) Len() int { return (*writerKind)(ref(w)).len() }

// All ranges over the keys and values that the batch owns.
func (w *Writer[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { walkEntries((*writerKind)(ref(w)).walk(new(walk)), yield) }
}

// writerKind is the kind of Writers, as readerKind is.
type writerKind struct {
	kept safety.Hold
	writerState
}

// at returns the position in the map of one that the batch owns.
func (w *writerKind) at(i int) int {
	if safety.Strict {
		w.kept.Check()
	}
	if i < w.begin || i >= w.end {
		w.refused = i
		panic(w.kept.Out(i))
	}
	return w.lo + i
}

// walk makes on, which it returns, pass the keys that the batch owns.
func (w *writerKind) walk(on *walk) *walk {
	w.kept.Check()
	if w.ix == nil { // in unchecked builds Check does nothing
		panic(w.kept.Stale())
	}
	return on.positions(&w.kept, w.ix, w.lo+w.begin, w.lo+w.end)
}

func (w *writerKind) len() int {
	if safety.Strict {
		w.kept.Check()
	}
	if !w.kept.Bound() {
		panic(w.kept.Stale())
	}
	return w.hi - w.lo
}

// writer returns a view of the map, which may be nil.
func (m *core) writer() writerKind {
	return writerKind{m.view(safety.Write, quiet.Kind[*writerKind]{}), writerState{of: m}}
}

// Claim completes the claim.
func (w *writerKind) Claim(c *safety.Claim) {
	c.Ranged = true
	switch {
	case w.kept.Bound():
		c.Extent = w.end - w.begin
		c.Into = w.within
	case w.of != nil:
		c.Extent = math.MaxInt
		c.Into = computing()
	}
}

// Bind implements safety.Binder.
func (w *writerKind) Bind(b safety.Binding) {
	if w.kept.Bound() {
		w.lo, w.hi = w.lo+w.begin, w.lo+w.end
	} else if s, _ := b.State().(*session); s != nil {
		w.ix, w.within = s.index(), s.within
		w.lo, w.hi = 0, len(w.ix.list)
	} else { // the job has not begun, and asks for the length of its loop
		w.lo, w.hi = 0, w.of.len()
	}
	w.kept.Bind(b)
	w.begin, w.end = 0, 0
}

// SetRange implements safety.RangeView.
func (w *writerKind) SetRange(begin, end int) {
	n := w.hi - w.lo
	w.begin, w.end = min(begin, n), min(end, n)
	if atom.Race {
		for i := w.begin; i < w.end; i++ {
			w.ix.of.declare(w.ix.t, w.ix.at(w.lo+i))
		}
	}
}

// Window implements safety.RangeView.
func (w *writerKind) Window() (begin, end, length int) { return w.begin, w.end, w.hi - w.lo }

// Elsewhere returns the advice for keys that the batch does not own.
func (w *writerKind) Elsewhere() string {
	at := ""
	if w.ix != nil && uint(w.refused) < uint(w.hi-w.lo) {
		k := w.ix.of.keyIn(w.ix.t, w.ix.at(w.lo+w.refused), new(room))
		at = fmt.Sprintf("The key there is %#v. ", reflect.NewAt(w.of.key.(reflect.Type), k).Elem())
	}
	return at + "A parallel loop may touch only the values at its own indices through a Writer. To have one body see all of them run a single job." +
		" To change any from any body take Shared()."
}
