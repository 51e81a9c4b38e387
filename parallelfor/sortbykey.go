package parallelfor

import (
	"context"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/origin"
)

// integer is a type of keys.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// SortByKey sorts what slice returns from views, the Slice of a Writer, in ascending order of the
// integers that key returns for the elements. Elements with equal keys stay in their order.
// SortByKey is a radix sort on several workers, and takes about half of the time of [Sort] or less.
// In all else it is as Sort.
//
// key is called once for each element, before any element moves. So when it panics, the elements
// are as they were. [Batch] is the least number of elements that a worker handles at a time.
// Besides memory for the elements, SortByKey needs 16 bytes for each. Keys that are in order
// already cost one pass.
func SortByKey[V, T any, K integer](views V, slice func(v *V) []T, key func(e T) K, opts ...Option) {
	sortByKey("SortByKey", &views, slice, key, opts)
}

// SortSliceByKey sorts a plain slice as [SortByKey] does. Nothing else may touch the slice until
// SortSliceByKey returns. See [Indices] for what builds with -race report.
func SortSliceByKey[T any, K integer](s []T, key func(e T) K, opts ...Option) {
	sortByKey("SortSliceByKey", &struct{}{}, func(*struct{}) []T { return s }, key, opts)
}

func sortByKey[V, T any, K integer](of string, views *V, slice func(v *V) []T, key func(e T) K, opts []Option) {
	checkFunction(of, "slice", slice == nil)
	checkFunction(of, "key", key == nil)
	k := &keySorting[V, T, K]{slice, key, opts}
	_ = build(context.Background(), 1, views, k, about{origin.Code(key), "sort", jobUnit}, opts, called, 0).run()
}

// keySorting is the kind of a sort by key: a single job that runs loops over what it holds.
type keySorting[V, T any, K integer] struct {
	slice func(v *V) []T
	key   func(e T) K
	opts  []Option
}

// Loop implements [Kind].
func (k *keySorting[V, T, K]) Loop(v *V, r *Batches) error {
	for r.Next() {
		r.mayMove()
		s := k.slice(v)
		if most := min(amount.Most[T](), amount.Most[sortKey]()/2); len(s) > most {
			panic(amount.Unowned("a sort was given", len(s), 0, most, "element"))
		}
		radixSort(&elements[T, K]{s: s, key: k.key, state: &r.state}, len(s), r, k.opts, nil)
	}
	return nil
}

// elements are movable elements of any type.
type elements[T any, K integer] struct {
	s, temp []T
	key     func(e T) K
	state   *workerState
}

func (e *elements[T, K]) keys(to []sortKey, begin int) (own bool) {
	flip := flipOf[K]()
	for i, v := range e.s[begin:][:len(to)] {
		to[i] = sortKey(e.key(v)) ^ flip
	}
	s, own := any(e.s).([]K)
	for i := 0; own && i < len(to); i++ {
		own = sortKey(s[begin+i])^flip == to[i]
	}
	return own
}

func (e *elements[T, K]) store(keys []sortKey, begin int) {
	s, flip := any(e.s).([]K)[begin:], flipOf[K]()
	for i, k := range keys {
		s[i] = K(k ^ flip)
	}
}

// flipOf returns the bit that brings keys, as they are, into their order.
func flipOf[K integer]() sortKey {
	if ^K(0) < 0 {
		return 1 << 63
	}
	return 0
}

func (e *elements[T, K]) room() { e.temp, _ = scratchOf[T](e.state, len(e.s)) }

func (e *elements[T, K]) scatter(begin int, at []int, back bool) {
	from, to := e.s, e.temp
	if back {
		from, to = to, from
	}
	for i, v := range from[begin:][:len(at)] {
		to[at[i]] = v
	}
}

func (e *elements[T, K]) gather(begin int, words []sortKey, mask sortKey) {
	from, to := e.temp[begin:][:len(words)], e.s[begin:][:len(words)]
	for i, w := range words {
		to[i] = from[w&mask]
	}
}

func (e *elements[T, K]) copy(begin, end int, back bool) {
	from, to := e.s, e.temp
	if back {
		from, to = to, from
	}
	copy(to[begin:end], from[begin:end])
}
