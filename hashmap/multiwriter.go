package hashmap

import (
	"fmt"
	"iter"
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// MultiWriter is a view that changes values in place. Its indices are the keys, in the order of
// their first values: index i owns the values of the i-th key. A MultiWriter changes neither keys
// nor the numbers of their values. Single jobs own all keys. It works only inside the job that
// carries it.
//
// At, Groups: own batch; wait-free; O(1); allocates never.
// Len: job reads; wait-free; O(1); allocates never.
type MultiWriter[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	window
	multiWriterState
}

// multiWriterState is what a MultiWriter knows, whatever the types of the multimap are.
type multiWriterState struct {
	of   *multiCore
	keys []multiKey // all
	row  *row
}

// Writer returns a view that changes values in place. A loop may have any number of indices; those
// beyond the keys own nothing. With parallelfor.LengthOf(m.Reader()) the loop begins with as many
// indices as there are keys then. Until a job that holds one is completed, no operation may use the
// multimap, nor any job that is not ordered with that job.
//
// Cost: that of [MultiMap.Reader].
func (m *MultiMap[K, V]) Writer() MultiWriter[K, V] {
	v := (*multiCore)(ref(m)).writer()
	return *(*MultiWriter[K, V])(ref(&v))
}

// At returns the i-th key and its values, which may be written and are good until the batch ends. A
// key that the batch does not own is a violation.
func (w *MultiWriter[K, V]) At(i int) (K, []V) {
	key, vals := (*multiWriterKind)(ref(w)).at(i)
	return *(*K)(key), *(*[]V)(ref(&vals))
}

// Len returns the number of keys that the job was given. The number of values is [MultiMap.Len].
func (w *MultiWriter[K, V]) Len() int { return (*windowKind)(ref(w)).len() }

// Groups ranges over the keys that the batch owns, in order, each with its values, which may be
// written.
func (w *MultiWriter[K, V]) Groups() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) {
		quiet.Of(&w.hold).Check()
		for i := w.begin; i < w.end; i++ {
			if !yield(w.At(i)) {
				return
			}
		}
	}
}

// multiWriterKind is the kind of MultiWriters, as readerKind is of Readers.
type multiWriterKind struct {
	windowKind
	multiWriterState
}

// writer returns a view of the multimap, which may be nil.
func (m *multiCore) writer() multiWriterKind {
	return multiWriterKind{windowKind{kept: m.view(safety.Write, quiet.Kind[*multiWriterKind]{})}, multiWriterState{of: m}}
}

// at returns the i-th key and its values.
func (w *multiWriterKind) at(i int) (key ref, vals values) {
	at := w.windowKind.at(i)
	if w.row != nil {
		return w.row.at(uint(at))
	}
	key, in := w.of.at(w.keys[at].ref)
	return key, in.whole()
}

// Bind implements safety.Binder.
func (w *multiWriterKind) Bind(b safety.Binding) {
	switch {
	case w.kept.Bound():
	case b.State() == nil: // the job has not begun, and asks for the length of its loop
		w.keys = w.of.positions()
	default:
		w.keys, w.row = w.of.order.keys, w.of.row.Load()
	}
	w.bind(b, len(w.keys))
}

// SetRange implements safety.RangeView.
func (w *multiWriterKind) SetRange(begin, end int) {
	w.windowKind.SetRange(begin, end)
	if atom.Race {
		for _, k := range w.keys[w.lo+w.begin : w.lo+w.end] {
			_, vals := w.of.at(k.ref)
			atom.WriteRange(vals.p, vals.n*int(w.of.val.Size))
		}
	}
}

// Elsewhere returns the advice for keys that the batch does not own.
func (w *multiWriterKind) Elsewhere() string {
	key, _ := w.of.at(w.keys[w.lo:w.hi][w.refused].ref)
	return fmt.Sprintf("Index %d is the key %#v. A parallel loop may change only the values of the keys at its own indices through a Writer. "+
		"To have one body see all of them run a single job; to read other keys' values take a Reader() of another multimap.", w.refused, reflect.NewAt(w.of.key.Of.(reflect.Type), key).Elem())
}
