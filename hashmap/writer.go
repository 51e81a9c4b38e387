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
	window
	writerState
}

// writerState is what a Writer knows, whatever the types of the map are.
type writerState struct {
	of     *core
	ix     *index   // nil while the view is not bound
	within []uint32 // the computations that the job was scheduled within
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
	at := (*windowKind)(ref(w)).at(i)
	return pairAt[K, V](w.ix, at)
}

// Set makes v the value of the key at position i. A position that the batch does not own is a
// violation, whose text names the key there.
//
// Cost: that of a Store without the search for the key.
func (w *Writer[K, V]) Set(i int, v V) {
	at := w.ix.at((*windowKind)(ref(w)).at(i))
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
func (w *Writer[K, V]) Len() int { return (*windowKind)(ref(w)).len() }

// All ranges over the keys and values that the batch owns.
func (w *Writer[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { walkEntries((*writerKind)(ref(w)).walk(new(walk)), yield) }
}

// window is the positions of a view that writes.
type window struct {
	lo, hi     int // those that the job was given: all, or the window of a body
	begin, end int // those that the batch owns, from lo on
	refused    int // the one that was refused last
}

// windowKind is the part that the kinds of Writers and MultiWriters share.
type windowKind struct {
	kept safety.Hold
	window
}

// at returns the position in the map of one that the batch owns.
func (w *windowKind) at(i int) int {
	if safety.Strict {
		w.kept.Check()
	}
	if i < w.begin || i >= w.end {
		w.refused = i
		panic(w.kept.Out(i))
	}
	return w.lo + i
}

func (w *windowKind) len() int {
	quiet.MustBeBound(&w.kept)
	return w.hi - w.lo
}

// Claim completes the claim.
func (w *windowKind) Claim(c *safety.Claim) {
	if c.Ranged = true; w.kept.Bound() {
		c.Extent = w.end - w.begin
	} else if c.Guard != nil {
		c.Extent = math.MaxInt
	}
}

// bind binds a view that has n positions, or, if it is bound, those of its batch.
func (w *windowKind) bind(b safety.Binding, n int) {
	if w.kept.Bound() {
		w.lo, w.hi = w.lo+w.begin, w.lo+w.end
	} else {
		w.lo, w.hi = 0, n
	}
	w.kept.Bind(b)
	w.begin, w.end = 0, 0
}

// SetRange implements safety.RangeView.
func (w *windowKind) SetRange(begin, end int) {
	n := w.hi - w.lo
	w.begin, w.end = min(begin, n), min(end, n)
}

// Window implements safety.RangeView.
func (w *windowKind) Window() (begin, end, length int) { return w.begin, w.end, w.hi - w.lo }

// writerKind is the kind of Writers, as readerKind is.
type writerKind struct {
	windowKind
	writerState
}

// walk makes on, which it returns, pass the keys that the batch owns.
func (w *writerKind) walk(on *walk) *walk {
	quiet.MustBeUsable(&w.kept)
	return on.positions(&w.kept, w.ix, w.lo+w.begin, w.lo+w.end)
}

// writer returns a view of the map, which may be nil.
func (m *core) writer() writerKind {
	return writerKind{windowKind{kept: m.view(safety.Write, quiet.Kind[*writerKind]{})}, writerState{of: m}}
}

// Claim completes the claim.
func (w *writerKind) Claim(c *safety.Claim) {
	w.windowKind.Claim(c)
	if w.kept.Bound() {
		c.Into = w.within
	} else if w.of != nil {
		c.Into = computing()
	}
}

// Bind implements safety.Binder.
func (w *writerKind) Bind(b safety.Binding) {
	n := 0
	switch s, _ := b.State().(*session); {
	case w.kept.Bound():
	case s != nil:
		w.ix, w.within = s.index(), s.within
		n = len(w.ix.list)
	default: // the job has not begun, and asks for the length of its loop
		n = w.of.len()
	}
	w.bind(b, n)
}

// SetRange implements safety.RangeView.
func (w *writerKind) SetRange(begin, end int) {
	w.windowKind.SetRange(begin, end)
	if atom.Race {
		for i := w.begin; i < w.end; i++ {
			w.ix.of.declare(w.ix.t, w.ix.at(w.lo+i))
		}
	}
}

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
