package fuzz_test

import (
	"hash/maphash"
	"iter"
	"strconv"
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/hashmap"
)

// The library's maps; their suites are in package hashmap.

// mapOf is a map as the harness sees it, with values that stand for items.
func mapOf[V any](m *hashmap.Map[int, V], in func(*fuzz.Item) V, out func(V) *fuzz.Item) fuzz.MapOf {
	found := func(v V, ok bool) (*fuzz.Item, bool) {
		if !ok {
			return nil, false
		}
		return out(v), true
	}
	return fuzz.MapOf{
		Load:  func(k int) (*fuzz.Item, bool) { return found(m.Load(k)) },
		Store: func(k int, v *fuzz.Item) { m.Store(k, in(v)) },
		LoadOrStore: func(k int, v *fuzz.Item) (*fuzz.Item, bool) {
			actual, loaded := m.LoadOrStore(k, in(v))
			return out(actual), loaded
		},
		LoadOrCompute: func(k int, f func() (*fuzz.Item, bool)) (*fuzz.Item, bool) {
			cancelled := false
			actual, loaded := m.LoadOrCompute(k, func() (v V, cancel bool) {
				x, cancel := f()
				cancelled = cancel
				return in(x), cancel
			})
			x, _ := found(actual, !cancelled)
			return x, loaded
		},
		LoadAndDelete:    func(k int) (*fuzz.Item, bool) { return found(m.LoadAndDelete(k)) },
		Delete:           func(k int) { m.Delete(k) },
		Swap:             func(k int, v *fuzz.Item) (*fuzz.Item, bool) { return found(m.Swap(k, in(v))) },
		CompareAndSwap:   func(k int, old, new *fuzz.Item) bool { return m.CompareAndSwap(k, in(old), in(new)) },
		CompareAndDelete: func(k int, old *fuzz.Item) bool { return m.CompareAndDelete(k, in(old)) },
		Compute: func(k int, change func(*fuzz.Item, bool) (*fuzz.Item, bool)) (*fuzz.Item, bool) {
			return found(m.Compute(k, func(old V, loaded bool) (v V, op hashmap.Op) {
				was, _ := found(old, loaded)
				x, stays := change(was, loaded)
				if !stays {
					return v, hashmap.Delete
				}
				return in(x), hashmap.Update
			}))
		},
		All: func() iter.Seq2[int, *fuzz.Item] {
			return func(yield func(int, *fuzz.Item) bool) {
				m.All()(func(k int, v V) bool { return yield(k, out(v)) })
			}
		},
		Len: m.Len, Clear: m.Clear, Dispose: m.Dispose,
	}
}

func itself[T any](x T) T { return x }

func FuzzMap(f *testing.F) {
	fuzz.Map(f, func() fuzz.MapOf { return mapOf(hashmap.New[int, *fuzz.Item](), itself, itself) })
}

// interned gives items numbers from 0 on.
func interned() (in func(*fuzz.Item) int, out func(int) *fuzz.Item) {
	var items []*fuzz.Item
	of := map[*fuzz.Item]int{}
	return func(v *fuzz.Item) int {
		if _, ok := of[v]; !ok {
			of[v], items = len(items), append(items, v)
		}
		return of[v]
	}, func(n int) *fuzz.Item { return items[n] }
}

func FuzzMapOfWords(f *testing.F) {
	fuzz.Map(f, func() fuzz.MapOf {
		in, out := interned()
		return mapOf(hashmap.New[int, int](), in, out)
	}, fuzz.Numbers)
}

// lengths is a Hasher that knows numbers by how many digits they have: most keys meet.
type lengths struct{}

func (lengths) Hash(h *maphash.Hash, k int) { h.WriteByte(byte(len(strconv.Itoa(k)))) }
func (lengths) Equal(a, b int) bool         { return a == b }

func FuzzMapOfKeysThatMeet(f *testing.F) {
	fuzz.Map(f, func() fuzz.MapOf {
		in, out := interned()
		return mapOf(hashmap.NewWith[int, int](lengths{}), in, out)
	}, fuzz.Numbers)
}

func FuzzMultiMap(f *testing.F) {
	fuzz.MultiMap(f, func() fuzz.MultiMapOf {
		m := hashmap.NewMulti[int, *fuzz.Item]()
		keys := func() iter.Seq[int] {
			return func(yield func(int) bool) { m.Groups()(func(k int, _ []*fuzz.Item) bool { return yield(k) }) }
		}
		return fuzz.MultiMapOf{
			Add: m.Add, AddAll: m.AddAll, Values: m.Values, Count: m.Count, Delete: m.Delete, DeleteValue: m.DeleteValue, Replace: m.Replace,
			Keys: keys, All: m.All, Len: m.Len, Clear: m.Clear, Dispose: m.Dispose,
		}
	})
}
