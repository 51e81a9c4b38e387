package groups

import (
	"math/rand/v2"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

const (
	denseValues = 200_000
	denseKeys   = 4096
)

// denselyKeyed adds the rows of values whose keys are 0 to denseKeys-1.
func denselyKeyed(r *rows.Run) {
	for _, order := range []string{"random", "clustered"} {
		random := rand.New(rand.NewPCG(12, 13))
		keys := make([]int32, denseValues)
		for i := range keys {
			if keys[i] = int32(random.IntN(denseKeys)); order == "clustered" { // 64 neighbours have 8 keys
				keys[i] = int32((i/64*37 + int(keys[i])%8) % denseKeys)
			}
		}
		densely(r, order+" keys, int32", keys, func(i int) int32 { return int32(i) }, func(v int32) int64 { return int64(v) })
		densely(r, order+" keys, 16 bytes", keys, func(i int) pair16 { return pair16{v: int64(i)} }, func(v pair16) int64 { return v.v })
	}
}

// countingSort is rows of values by key, as one goroutine makes them.
type countingSort[T any] struct {
	begins, next []int32
	items        []T
}

//go:noinline
func (s *countingSort[T]) sort(keys []int32, values []T) {
	next, items := s.next, s.items
	clear(next)
	for _, key := range keys {
		next[key]++
	}
	at := int32(0)
	for key, n := range next {
		s.begins[key], next[key] = at, at
		at += n
	}
	s.begins[len(next)] = at
	values = values[:len(keys)]
	for i, key := range keys {
		at := next[key]
		next[key] = at + 1
		items[at] = values[i]
	}
}

// addingByKey adds values to rows, one by one, or from the arrays.
type addingByKey[T any] struct {
	Keys   array.Reader[int32]
	Values array.Reader[T]
	Out    array.StreamKeyedWriter[T]
}

func (j *addingByKey[T]) each(begin, end int) {
	keys, values := j.Keys.Slice()[begin:end], j.Values.Slice()[begin:end]
	for i, key := range keys {
		j.Out.Add(int(key), values[i])
	}
}

func (j *addingByKey[T]) all(begin, end int) {
	array.GroupValues(&j.Out, &j.Keys, &j.Values, begin, end)
}

// densely compares rows that are filled again and again with a counting sort by one goroutine.
func densely[T comparable](r *rows.Run, what string, keys []int32, value func(i int) T, number func(v T) int64) {
	const byHand, byAdd = "counting sort", "Add"
	values := make([]T, len(keys))
	for i := range values {
		values[i] = value(i)
	}
	sorted := countingSort[T]{make([]int32, denseKeys+1), make([]int32, denseKeys), make([]T, len(keys))}
	sorted.sort(keys, values)
	g := array.NewStream[T]()
	job := addingByKey[T]{array.Of(keys).Reader(), array.Of(values).Reader(), g.KeyedWriter()}
	filling := func(name string, body func(j *addingByKey[T], begin, end int)) measure.Side {
		return between(name, nothing, func() {
			g.Clear()
			g.Resize(denseKeys)
			parallelfor.ForBatch(len(keys), job, body)
		}, func() {
			rows.MustBe(name, g.Total(), len(keys))
			for key := 0; key < denseKeys; key += 101 {
				at := sorted.begins[key]
				for k, v := range g.At(key) {
					rows.MustBe(name, v, sorted.items[int(at)+k])
				}
			}
		})
	}
	c := r.Compare("200k values put into rows by 4096 "+what, len(keys), []string{byHand},
		filling(ours, (*addingByKey[T]).all), filling(byAdd, (*addingByKey[T]).each),
		measure.Do(byHand, func() { sorted.sort(keys, values) }))
	c.AtMost(0.6)
	c.As(byAdd, "by Add", 0.9, byHand)
	want := int64(len(keys)) * int64(len(keys)-1) / 2
	r.Compare("200k values visited by 4096 "+what+", one goroutine", len(keys), []string{byHand},
		measure.Do(ours, func() {
			sum := int64(0)
			for key := range g.Len() {
				for _, v := range g.At(key) {
					sum += number(v)
				}
			}
			rows.MustBe(ours, sum, want)
		}),
		measure.Do(byHand, func() {
			sum := int64(0)
			for key := range denseKeys {
				for _, v := range sorted.items[sorted.begins[key]:sorted.begins[key+1]] {
					sum += number(v)
				}
			}
			rows.MustBe(byHand, sum, want)
		})).AtMost(1.05)
}
