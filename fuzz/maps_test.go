package fuzz_test

import (
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/hashmap"
)

// The library's maps; their suites are in package hashmap.

func FuzzMap(f *testing.F) {
	fuzz.FuzzMap(f, func() fuzz.MapOf {
		m := hashmap.New[int, *fuzz.Item]()
		return fuzz.MapOf{
			Load: m.Load, Store: m.Store, LoadOrStore: m.LoadOrStore, LoadAndDelete: m.LoadAndDelete, Delete: m.Delete, Swap: m.Swap,
			CompareAndSwap: m.CompareAndSwap, CompareAndDelete: m.CompareAndDelete,
			Compute: func(k int, change func(*fuzz.Item, bool) (*fuzz.Item, bool)) (*fuzz.Item, bool) {
				return m.Compute(k, func(old *fuzz.Item, loaded bool) (*fuzz.Item, hashmap.Op) {
					if v, stays := change(old, loaded); stays {
						return v, hashmap.Update
					}
					return nil, hashmap.Delete
				})
			},
			All: m.All, Len: m.Len, Clear: m.Clear, Dispose: m.Dispose,
		}
	})
}

func FuzzMultiMap(f *testing.F) {
	fuzz.FuzzMultiMap(f, func() fuzz.MultiMapOf {
		m := hashmap.NewMulti[int, *fuzz.Item]()
		return fuzz.MultiMapOf{
			Add: m.Add, AddAll: m.AddAll, Values: m.Values, Count: m.Count, Delete: m.Delete, DeleteValue: m.DeleteValue, Replace: m.Replace,
			Keys: m.Keys, All: m.All, Len: m.Len, Clear: m.Clear, Dispose: m.Dispose,
		}
	})
}
