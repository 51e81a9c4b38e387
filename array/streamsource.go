package array

import (
	"fmt"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// integer is a type of keys.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// GroupValues adds the values at the indices begin <= i < end, each to the row of the key that keys
// has there, as so many calls of [StreamKeyedWriter.Add]. Keys are of any integer type. GroupValues
// copies nothing: workers read both arrays when the job ends. A key outside [0, Len) is found then,
// a violation after which the job has added nothing. In a nested job, to which a body has passed
// the view on, GroupValues calls Add.
//
// It is a violation if one of the arrays does not have an index, or if the views are not those of
// one job. It is another if a job adds some items from arrays and others by Add, itself or by
// nested jobs.
func GroupValues[K integer, T any](w *StreamKeyedWriter[T], keys *Reader[K], values *Reader[T], begin, end int) {
	within(w, keys, begin, end)
	within(w, values, begin, end)
	if begin >= end {
		return
	}
	if w.from != nil {
		w.take(source[T]{keys: (*keysOfValues[K, T])(elem.Pointer(keys.of)), values: values.s, begin: begin, end: end})
		return
	}
	for i := begin; i < end; i++ {
		w.Add(whole(keys.s[i]), values.s[i])
	}
}

// GroupIndices adds the indices begin <= i < end themselves, in all else as [GroupValues]. It is a
// violation if T cannot hold one of them.
func GroupIndices[K, T integer](w *StreamKeyedWriter[T], keys *Reader[K], begin, end int) {
	within(w, keys, begin, end)
	if begin >= end {
		return
	}
	if last := end - 1; whole(T(last)) != last {
		v := w.of.guard.Violation(safety.ErrArgument, "index "+strconv.Itoa(last)+" was to be added to "+w.of.guard.Container()+", whose items cannot hold it",
			"Take a larger type of items.")
		panic(quiet.Of(&w.hold).Blame(v))
	}
	if w.from != nil {
		w.take(source[T]{keys: (*keysOfIndices[K, T])(elem.Pointer(keys.of)), begin: begin, end: end})
		return
	}
	for i := begin; i < end; i++ {
		w.Add(whole(keys.s[i]), T(i))
	}
}

// whole returns a key, or -1 for one that does not fit an int, which no stream has.
func whole[K integer](key K) int {
	if n := int(key); K(n) == key && (n < 0) == (key < 0) {
		return n
	}
	return -1
}

// within panics unless the reader has the elements begin <= i < end and is bound beside the writer.
func within[T, V any](w *StreamKeyedWriter[V], r *Reader[T], begin, end int) {
	quiet.Of(&r.hold).Check()
	if quiet.Of(&w.hold).Check(); w.from != nil && !quiet.Of(&w.hold).Beside(quiet.Of(&r.hold)) {
		v := w.of.guard.Violation(safety.ErrArgument, "items were to be added to "+w.of.guard.Container()+" from an array that another job holds",
			"The job that adds them reads them when it ends, so it carries a Reader of the array itself.")
		panic(quiet.Of(&w.hold).Blame(v))
	}
	if n := len(r.s); begin < end && (begin < 0 || end > n) {
		if begin >= 0 {
			begin = max(begin, n)
		}
		panic(quiet.Of(&r.hold).Out(begin))
	}
}

// source is a range of an array of keys, and the values at these indices.
type source[T any] struct {
	keys       keyArray[T]
	values     []T // none if they are the indices
	begin, end int
	before     int // at the seal: the number of values in the sources before this one
}

// same reports whether two sources have the same arrays.
func (s *source[T]) same(o *source[T]) bool {
	n := len(s.values)
	return s.keys == o.keys && n == len(o.values) && (n == 0 || &s.values[0] == &o.values[0])
}

// among returns the bounds of the indices whose values have the numbers lo <= i < hi.
func (s *source[T]) among(lo, hi int) (begin, end int) {
	shift := s.begin - s.before
	return max(lo+shift, s.begin), min(hi+shift, s.end)
}

// take adds a source, or makes the last one longer.
//
//go:norace
func (w *StreamKeyedWriter[T]) take(s source[T]) {
	if safety.Strict {
		quiet.Of(&w.hold).Check()
	}
	if last := (*source[T])(w.from.Last()); last != nil && last.end == s.begin && last.same(&s) {
		last.end = s.end
	} else {
		lanes.Append(w.from, quiet.Of(&w.hold), s)
	}
}

// keyArray is an [Array] of keys of any type, for values of type T. Its methods take indices.
type keyArray[T any] interface {
	// count counts keys. It returns the first index of one that there is not, or none.
	count(counts []uint32, begin, end int) (wrong int)
	// put copies the values to the places that next has for their keys.
	put(items []T, next []uint32, values []T, begin, end int)
	// key returns a key, as an int and as it is, and container the name of the array.
	key(i int) (int, any)
	container() string
}

// keysOfValues is a keyArray of values that lie in another array.
type keysOfValues[K integer, T any] Array[K]

func (a *keysOfValues[K, T]) count(counts []uint32, begin, end int) int {
	return countKeys(counts, a.data, begin, end)
}

func (a *keysOfValues[K, T]) key(i int) (int, any) { return whole(a.data[i]), a.data[i] }
func (a *keysOfValues[K, T]) container() string    { return a.guard.Container() }

func (a *keysOfValues[K, T]) put(items []T, next []uint32, values []T, begin, end int) {
	keys, values := a.data[begin:end], values[begin:end]
	for i, v := range values {
		key := keys[i]
		at := next[key]
		next[key] = at + 1
		items[at] = v
	}
}

// keysOfIndices is a keyArray of values that are the indices.
type keysOfIndices[K, T integer] Array[K]

func (a *keysOfIndices[K, T]) count(counts []uint32, begin, end int) int {
	return countKeys(counts, a.data, begin, end)
}

func (a *keysOfIndices[K, T]) key(i int) (int, any) { return whole(a.data[i]), a.data[i] }
func (a *keysOfIndices[K, T]) container() string    { return a.guard.Container() }

func (a *keysOfIndices[K, T]) put(items []T, next []uint32, _ []T, begin, end int) {
	for i, key := range a.data[begin:end] {
		at := next[key]
		next[key] = at + 1
		items[at] = T(begin + i)
	}
}

func countKeys[K integer](counts []uint32, keys []K, begin, end int) (wrong int) {
	for i, key := range keys[begin:end] {
		if uint64(key) >= uint64(len(counts)) {
			return begin + i
		}
		counts[key]++
	}
	return none
}

// refuse returns the violation of the key of the value with the number n.
func (g *grouping[T]) refuse(n int) *safety.Violation {
	k := len(g.sources) - 1
	for g.sources[k].before > n {
		k--
	}
	from, of, keys := &g.sources[k], &g.of.guard, g.of.rows()
	i := from.begin + n - from.before
	key, is := from.keys.key(i)
	v := of.Violation(safety.ErrIndex, fmt.Sprint("index ", i, " of ", from.keys.container(), " has key ", is, ", but ", of.Container(), " has length ", keys), noKey)
	v.Index, v.Max, v.Length = key, keys, keys
	return v
}
