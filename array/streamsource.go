package array

import (
	"math"
	"strconv"

	"example.com/custody/safety"
)

// integer is a type of keys.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// GroupValues adds the values at the indices begin <= i < end, each to the row of the key that keys
// has there, as so many calls of [StreamKeyedWriter.Add]. The views are those of one job. It copies
// nothing: workers read both arrays when the job ends. A key outside [0, Len) is found then, a
// violation after which the job has added nothing. A job that adds some values by Add and others
// from arrays is a violation, too. Neither holds for nested jobs, which add values at once. An
// index that one of the arrays does not have is a violation.
func GroupValues[K integer, T any](w *StreamKeyedWriter[T], keys *Reader[K], values *Reader[T], begin, end int) {
	within(keys, begin, end)
	within(values, begin, end)
	if w.from != nil {
		w.take(source[T]{keys: (*keysOfValues[K, T])(keys.of), values: values.s, begin: begin, end: end})
		return
	}
	for i := begin; i < end; i++ {
		w.Add(whole(keys.s[i]), values.s[i])
	}
}

// GroupIndices adds the indices begin <= i < end themselves, in all else as [GroupValues].
func GroupIndices[K, T integer](w *StreamKeyedWriter[T], keys *Reader[K], begin, end int) {
	within(keys, begin, end)
	if w.from != nil {
		w.take(source[T]{keys: (*keysOfIndices[K, T])(keys.of), begin: begin, end: end})
		return
	}
	for i := begin; i < end; i++ {
		w.Add(whole(keys.s[i]), T(i))
	}
}

// whole returns a key, or -1 for one that is too large for an int, which no stream has.
func whole[K integer](key K) int {
	if uint64(key) > math.MaxInt {
		return -1
	}
	return int(key)
}

// within panics unless the reader has the elements begin <= i < end.
func within[T any](r *Reader[T], begin, end int) {
	r.hold.Check()
	if n := len(r.s); begin < end && (begin < 0 || end > n) {
		if begin >= 0 {
			begin = max(begin, n)
		}
		panic(r.hold.Out(begin))
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
		w.hold.Check()
	}
	if last := w.from.Last(); last != nil && last.end == s.begin && last.same(&s) {
		last.end = s.end
	} else if s.begin < s.end {
		w.from.Append(&w.hold, s)
	}
}

// keyArray is an [Array] of keys of any type, for values of type T. Its methods take indices.
type keyArray[T any] interface {
	// count counts keys. It returns the first index of one that there is not, or none.
	count(counts []uint32, begin, end int) (wrong int)
	// put copies the values to the places that next has for their keys.
	put(items []T, next []uint32, values []T, begin, end int)
	key(i int) int
}

// keysOfValues is a keyArray of values that lie in another array.
type keysOfValues[K integer, T any] Array[K]

func (a *keysOfValues[K, T]) count(counts []uint32, begin, end int) int {
	return countKeys(counts, a.data, begin, end)
}

func (a *keysOfValues[K, T]) put(items []T, next []uint32, values []T, begin, end int) {
	keys, values := a.data[begin:end], values[begin:end]
	for i, v := range values {
		key := keys[i]
		at := next[key]
		next[key] = at + 1
		items[at] = v
	}
}

func (a *keysOfValues[K, T]) key(i int) int { return whole(a.data[i]) }

// keysOfIndices is a keyArray of values that are the indices.
type keysOfIndices[K, T integer] Array[K]

func (a *keysOfIndices[K, T]) count(counts []uint32, begin, end int) int {
	return countKeys(counts, a.data, begin, end)
}

func (a *keysOfIndices[K, T]) put(items []T, next []uint32, _ []T, begin, end int) {
	for i, key := range a.data[begin:end] {
		at := next[key]
		next[key] = at + 1
		items[at] = T(begin + i)
	}
}

func (a *keysOfIndices[K, T]) key(i int) int { return whole(a.data[i]) }

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
	v := of.Violation(safety.ErrIndex, "index "+strconv.Itoa(i)+" of an array has key "+strconv.Itoa(from.keys.key(i))+", but "+of.Container()+" has length "+strconv.Itoa(keys),
		"Keys begin at 0 and end at Len-1.")
	v.Index, v.Max, v.Length = from.keys.key(i), keys, keys
	return v
}
