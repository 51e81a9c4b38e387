package hashmap

import (
	"iter"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/quiet"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// MultiReader is a view that reads a multimap: by key, or by position in the order of first values,
// from 0 on. Any number of jobs may hold MultiReaders of one multimap together. A MultiReader works
// only inside the job that carries it.
//
// It hands out the multimap's own slices, without a copy. They must not be written, and are good
// until the job ends.
// Each method: job reads; wait-free; O(1); allocates never.
type MultiReader[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	multiReaderState
}

// multiReaderState is what a MultiReader knows, whatever the types of the multimap are.
type multiReaderState struct {
	of    *multiCore
	parts []multiPart // nil while the view is not bound
	shift uint
	keys  []multiKey
	row   *row
}

// Reader returns a view that reads. Until a job that holds one is completed, no goroutine may
// change the multimap; methods that only read are allowed.
//
// Cost: if keys were deleted since the last job, about 2 ns for each key that is left when the job
// starts.
func (m *MultiMap[K, V]) Reader() MultiReader[K, V] {
	v := (*multiCore)(ref(m)).reader()
	return *(*MultiReader[K, V])(ref(&v))
}

// Values returns the values of a key, in their order, or nil if it has none.
//
// Cost: a hash, and most often one cache line of the index, one of the key, and those of the
// values. The line of the key is not needed after a loop that has added many values to each key of
// an empty multimap, if keys are words, until something changes.
func (r *MultiReader[K, V]) Values(k K) []V {
	vals := (*multiReaderKind)(ref(r)).values(shown(&k))
	runtime.KeepAlive(&k)
	return *(*[]V)(ref(&vals))
}

// Len returns the number of keys, so that parallelfor.LengthOf(m.Reader()) makes a loop run over
// them. The number of values is [MultiMap.Len].
func (r *MultiReader[K, V]) Len() int { return (*multiReaderKind)(ref(r)).len() }

// At returns the i-th key in the order of first values, and its values. An i outside [0, Len) is a
// violation.
//
// Cost: a cache line of the key, and those of the values. After a loop that has filled an empty
// multimap with many values, keys and values lie in the order of the keys until something changes.
func (r *MultiReader[K, V]) At(i int) (K, []V) {
	key, vals := (*multiReaderKind)(ref(r)).at(i)
	return *(*K)(key), *(*[]V)(ref(&vals))
}

// Groups ranges over the keys, in order, each with all its values.
func (r *MultiReader[K, V]) Groups() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) {
		quiet.Of(&r.hold).Check()
		for i := range r.Len() {
			if !yield(r.At(i)) {
				return
			}
		}
	}
}

// All ranges over the keys, in order, and their values, one by one.
func (r *MultiReader[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, vals := range r.Groups() {
			for _, v := range vals {
				if !yield(k, v) {
					return
				}
			}
		}
	}
}

// multiReaderKind is the kind of MultiReaders, as readerKind is of Readers.
type multiReaderKind struct {
	kept safety.Hold
	multiReaderState
}

// reader returns a view of the multimap, which may be nil.
func (m *multiCore) reader() multiReaderKind {
	return multiReaderKind{m.view(safety.Read, quiet.Kind[*multiReaderKind]{}), multiReaderState{of: m}}
}

// check panics with a violation if the view may not be used now.
func (r *multiReaderKind) check() {
	if safety.Strict {
		r.kept.Check()
	}
	if r.parts == nil {
		panic(r.kept.Stale())
	}
}

func (r *multiReaderKind) len() int {
	r.check()
	return len(r.keys)
}

// values returns the values of a key.
func (r *multiReaderKind) values(k ref) values {
	r.check()
	m := r.of
	if r.row != nil && r.row.places != nil {
		if p := r.row.of(r.row.by.Of(word.At(k, m.keys.size))); p.end != 0 {
			return r.row.between(p.begin, p.end)
		}
		return values{}
	}
	x := m.keys.of(k)
	p := &r.parts[x>>r.shift]
	if g, ok := m.find(p, x, k); ok {
		return m.vals(p, g).whole()
	}
	return values{}
}

// at returns the i-th key and its values.
func (r *multiReaderKind) at(i int) (key ref, vals values) {
	if safety.Strict {
		r.kept.Check()
	}
	k := uint(i)
	if k >= uint(len(r.keys)) {
		panic(r.kept.Out(i))
	}
	if r.row != nil {
		return r.row.at(k)
	}
	key, in := r.of.groupAt(r.parts, r.shift, r.keys[k].ref)
	return key, in.whole()
}

// Bind implements safety.Binder.
func (r *multiReaderKind) Bind(b safety.Binding) {
	r.kept.Bind(b)
	m := r.of
	if b.State() == nil { // the job has not begun, and asks for the length of its loop
		r.parts, r.keys = m.parts, m.positions()
		return
	}
	r.parts, r.shift, r.keys, r.row = m.parts, m.partShift, m.order.keys, m.row.Load()
	if b.First() && atom.Race {
		for _, k := range r.keys {
			_, vals := m.at(k.ref)
			atom.ReadRange(vals.p, vals.n*int(m.val.Size))
		}
	}
}

// Window returns what the view may touch, for texts of violations.
func (r *multiReaderKind) Window() (begin, end, length int) { return 0, len(r.keys), len(r.keys) }
