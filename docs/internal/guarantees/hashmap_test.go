//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// mapped returns a map with so many keys, in the order of the loop that has put them in.
func mapped() *hashmap.Map[int, int] {
	m := hashmap.New[int, int]()
	parallelfor.For(many, m.ParallelWriter(), func(w *hashmap.ParallelWriter[int, int], i int) { w.Add(i, i) })
	return m
}

// grouped returns a map of several values with so many keys.
func grouped() *hashmap.MultiMap[int, int] {
	m := hashmap.NewMulti[int, int]()
	for i := range many {
		m.AddAll(i, []int{1, 2, 3})
	}
	return m
}

// countHashmaps counts the rows of package hashmap.
func countHashmaps(c *counted) {
	m := mapped()
	of := c.of("hashmap.Map")
	of("Load", func() { m.Load(1); m.Load(many) })
	of("Delete", func() { m.Delete(1); m.Delete(many); m.Store(1, 1) })
	of("LoadAndDelete", func() { m.LoadAndDelete(1); m.LoadAndDelete(many); m.Store(1, 1) })
	of("Len", func() { used(m.Len()) })
	of("Reader, Writer, ParallelWriter, Shared", func() { used(m.Reader()); used(m.Writer()); used(m.ParallelWriter()); used(m.Shared()) })
	of("Disposed", func() { used(m.Disposed()) })
	of("Stats", func() { used(m.Stats()) })
	c.of("hashmap")("Associative", func() { used(hashmap.Associative()) })
	c.of("hashmap")("Min, Max, And, Or", func() { used(hashmap.Or(hashmap.And(2, many), hashmap.Min(many, hashmap.Max(1, many)))) })

	n := grouped()
	of = c.of("hashmap.MultiMap")
	of("Count", func() { used(n.Count(1)); used(n.Count(many)) })
	of("Len, LenKeys", func() { used(n.Len()); used(n.LenKeys()) })
	of("Clear", each(grouped, func(n *hashmap.MultiMap[int, int]) { n.Clear() }))
	of("Reader, Writer, ParallelWriter, Shared", func() { used(n.Reader()); used(n.Writer()); used(n.ParallelWriter()); used(n.Shared()) })
	of("Disposed", func() { used(n.Disposed()) })
	of("Stats", func() { used(n.Stats()) })
}

// mapping has views of package hashmap.
type mapping struct {
	Read        hashmap.Reader[int, int]
	Write       hashmap.Writer[int, int]
	Shared      hashmap.Shared[int, int]
	Multi       hashmap.MultiReader[int, int]
	MultiWrite  hashmap.MultiWriter[int, int]
	MultiShared hashmap.MultiShared[int, int]
}

// countHashmapViews counts the rows of the views of package hashmap, and of their drivers.
func countHashmapViews(c *counted) {
	m, n := mapped(), grouped()
	for i := range 4 * times * attempts {
		m.Store(many+i, i)
	}
	v := mapping{mapped().Reader(), mapped().Writer(), m.Shared(), grouped().Reader(), grouped().Writer(), n.Shared()}
	parallelfor.Do(v, func(v *mapping) {
		of := c.of("hashmap.Reader")
		of("Load, Len", func() { v.Read.Load(1); v.Read.Load(v.Read.Len()) })
		of = c.of("hashmap.Writer")
		of("At, Len", func() { v.Write.At(v.Write.Len() - 1) })
		of("All", func() {
			for range v.Write.All() {
			}
		})
		next := many
		of = c.of("hashmap.Shared")
		of("Load, Len", func() { v.Shared.Load(1); v.Shared.Load(v.Shared.Len()) })
		of("Delete, LoadAndDelete", func() { v.Shared.Delete(next); v.Shared.LoadAndDelete(next + 1); next += 2 })

		of = c.of("hashmap.MultiReader")
		of("Values", func() { used(v.Multi.Values(1)) })
		of("At, Len", func() { usedTwo(v.Multi.At(v.Multi.Len() - 1)) })
		of("Groups", func() {
			for range v.Multi.Groups() {
			}
		})
		of("All", func() {
			for range v.Multi.All() {
			}
		})
		of = c.of("hashmap.MultiWriter")
		of("At, Len", func() { usedTwo(v.MultiWrite.At(v.MultiWrite.Len() - 1)) })
		of("Groups", func() {
			for range v.MultiWrite.Groups() {
			}
		})
		of = c.of("hashmap.MultiShared")
		of("Count, Len, LenKeys", func() {
			used(v.MultiShared.Count(v.MultiShared.LenKeys()))
			used(v.MultiShared.Count(v.MultiShared.Len()))
		})
	})
}
