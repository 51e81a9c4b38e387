package hashmap

import (
	"cmp"
	"hash/maphash"
	"iter"
	"reflect"
	"strconv"
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/safety"
)

// quarter's tables count one place in four.
var quarter = sizes{least: 16, chunk: 8, stripes: 1, spare: 16, crowd: 64, each: 1, sampled: 16}

// tiny has everything that is large happen at once.
var tiny = sizes{least: 1, chunk: 2, stripes: 1, spare: 64, crowd: 64, each: 1}

// bad is a Hasher that is of no use.
type bad struct{ kinds int }

func (b bad) Hash(h *maphash.Hash, k string) { h.WriteByte(byte(len(k) % b.kinds)) }
func (b bad) Equal(x, y string) bool         { return x == y }

// badly is likewise, of texts that may be anything.
type badly struct{ bad }

func (b badly) Hash(h *maphash.Hash, k any) { b.bad.Hash(h, k.(string)) }
func (b badly) Equal(x, y any) bool         { return x == y }

// same is a Hasher for which all hashes are equal.
type same struct{}

func (same) Hash(*maphash.Hash, int) {}
func (same) Equal(a, b int) bool     { return a == b }

// interning gives items numbers, for maps of words.
type interning struct {
	mu    atom.Mutex
	items []*fuzz.Item
	of    map[*fuzz.Item]int
}

func newInterning() *interning { return &interning{of: map[*fuzz.Item]int{}} }

// in returns the number of an item.
func (n *interning) in(v *fuzz.Item) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	id, ok := n.of[v]
	if !ok {
		id = len(n.items)
		n.of[v], n.items = id, append(n.items, v)
	}
	return id
}

// out returns the item that has a number, if there is one.
func (n *interning) out(id int, ok bool) (*fuzz.Item, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !ok {
		return nil, false
	}
	return n.items[id], true
}

// numbered is a map of numbers as the suite sees a map of items.
func numbered(m subject) fuzz.MapOf {
	n := newInterning()
	return fuzz.MapOf{
		Load:  func(k int) (*fuzz.Item, bool) { return n.out(m.Load(k)) },
		Store: func(k int, v *fuzz.Item) { m.Store(k, n.in(v)) },
		LoadOrStore: func(k int, v *fuzz.Item) (*fuzz.Item, bool) {
			actual, loaded := m.LoadOrStore(k, n.in(v))
			was, _ := n.out(actual, true)
			return was, loaded
		},
		LoadOrCompute: func(k int, f func() (*fuzz.Item, bool)) (*fuzz.Item, bool) {
			cancelled := false
			actual, loaded := m.LoadOrCompute(k, func() (id int, cancel bool) {
				v, cancel := f()
				if cancelled = cancel; !cancel {
					id = n.in(v)
				}
				return id, cancel
			})
			v, _ := n.out(actual, !cancelled)
			return v, loaded
		},
		LoadAndDelete:    func(k int) (*fuzz.Item, bool) { return n.out(m.LoadAndDelete(k)) },
		Delete:           m.Delete,
		Swap:             func(k int, v *fuzz.Item) (*fuzz.Item, bool) { return n.out(m.Swap(k, n.in(v))) },
		CompareAndSwap:   func(k int, old, new *fuzz.Item) bool { return m.CompareAndSwap(k, n.in(old), n.in(new)) },
		CompareAndDelete: func(k int, old *fuzz.Item) bool { return m.CompareAndDelete(k, n.in(old)) },
		Compute: func(k int, f func(*fuzz.Item, bool) (*fuzz.Item, bool)) (*fuzz.Item, bool) {
			id, ok := m.Compute(k, func(old int, loaded bool) (int, Op) {
				was, _ := n.out(old, loaded)
				v, stays := f(was, loaded)
				if !stays {
					return 0, Delete
				}
				return n.in(v), Update
			})
			return n.out(id, ok)
		},
		All: func() iter.Seq2[int, *fuzz.Item] {
			return func(yield func(int, *fuzz.Item) bool) {
				for k, id := range m.All() {
					v, _ := n.out(id, true)
					if !yield(k, v) {
						return
					}
				}
			}
		},
		Len:     m.Len,
		Clear:   m.Clear,
		Dispose: m.Dispose,
	}
}

// of is a map of items, whose keys are texts of numbers, as the suite sees it.
func of(m *Map[any, any]) fuzz.MapOf {
	return mapOfItems(m, func(k int) any { return strconv.Itoa(k) }, func(k any) int { return digits(k.(string)) },
		func(v *fuzz.Item) any { return v }, func(v any) *fuzz.Item { p, _ := v.(*fuzz.Item); return p })
}

// pointing is likewise, where values are pointers to the map, too.
func pointing[K comparable](m *Map[K, *fuzz.Item], key func(k int) K, number func(k K) int) fuzz.MapOf {
	same := func(v *fuzz.Item) *fuzz.Item { return v }
	return mapOfItems(m, key, number, same, same)
}

// mapOfItems is a map of items with keys for numbers, as the suite sees it.
func mapOfItems[K comparable, V any](m *Map[K, V], key func(k int) K, number func(k K) int, value func(v *fuzz.Item) V, itemOf func(v V) *fuzz.Item) fuzz.MapOf {
	item := func(v V, ok bool) (*fuzz.Item, bool) { return itemOf(v), ok }
	return fuzz.MapOf{
		Load:        func(k int) (*fuzz.Item, bool) { return item(m.Load(key(k))) },
		Store:       func(k int, v *fuzz.Item) { m.Store(key(k), value(v)) },
		LoadOrStore: func(k int, v *fuzz.Item) (*fuzz.Item, bool) { return item(m.LoadOrStore(key(k), value(v))) },
		LoadOrCompute: func(k int, f func() (*fuzz.Item, bool)) (*fuzz.Item, bool) {
			return item(m.LoadOrCompute(key(k), func() (V, bool) {
				v, cancel := f()
				return value(v), cancel
			}))
		},
		LoadAndDelete:    func(k int) (*fuzz.Item, bool) { return item(m.LoadAndDelete(key(k))) },
		Delete:           func(k int) { m.Delete(key(k)) },
		Swap:             func(k int, v *fuzz.Item) (*fuzz.Item, bool) { return item(m.Swap(key(k), value(v))) },
		CompareAndSwap:   func(k int, old, new *fuzz.Item) bool { return m.CompareAndSwap(key(k), value(old), value(new)) },
		CompareAndDelete: func(k int, old *fuzz.Item) bool { return m.CompareAndDelete(key(k), value(old)) },
		Compute: func(k int, f func(*fuzz.Item, bool) (*fuzz.Item, bool)) (*fuzz.Item, bool) {
			return item(m.Compute(key(k), func(old V, loaded bool) (none V, _ Op) {
				was, _ := item(old, loaded)
				if v, stays := f(was, loaded); stays {
					return value(v), Update
				}
				return none, Delete
			}))
		},
		All: func() iter.Seq2[int, *fuzz.Item] {
			return func(yield func(int, *fuzz.Item) bool) {
				for k, v := range m.All() {
					if !yield(number(k), itemOf(v)) {
						return
					}
				}
			}
		},
		Len:     m.Len,
		Clear:   m.Clear,
		Dispose: m.Dispose,
	}
}

func number(k int) int { return k }

func digits(s string) int {
	k, _ := strconv.Atoi(s)
	return k
}

// fixed is the seed of all maps: schedules that are the same do the same.
var fixed = newSeed()

// customIf returns h without its type, or nil for nil.
func customIf[K comparable](h Hasher[K]) *custom {
	if h == nil {
		return nil
	}
	return customOf(h)
}

// initialised returns a map that is ready for users.
func initialised[K comparable, V any](s sizes, h Hasher[K]) *Map[K, V] {
	m := newMap[K, V](s, fixed, customIf(h))
	m.in.guard.Init(m, 0)
	return m
}

// plainWords returns a map of words whose values look like marks: nothing is mixed with them.
func plainWords(s sizes) *Map[int, int] {
	m := initialised[int, int](s, nil)
	m.in.salt = 0
	return m
}

// plainSmalls is likewise.
func plainSmalls(s sizes, h Hasher[string]) *Map[string, int] {
	m := initialised[string, int](s, h)
	m.in.salt = 0
	return m
}

// crowded returns a map of which the first table hashes by a function that is of no use, and later
// ones as others do.
func crowded[V any, K comparable](s sizes, by func(k K) uint64) *Map[K, V] {
	m := initialised[K, V](s, nil)
	hashed := func(k ref) uint64 { return by(*(*K)(k)) }
	n := 0
	reseed := func() hash.Seed {
		n++
		return hash.NewSeed(reflect.TypeFor[K](), seeds[n%len(seeds)].Seed)
	}
	m.in.seed, m.in.hash, m.in.reseed = hash.Seed{}, hashed, reseed
	if m.in.cells == asWords {
		m.in.salt = 0
	}
	m.in.start(0, s)
	return m
}

// seeds are those of tables that follow others, in every map the same.
var seeds = func() (all [16]seed) {
	for i := range all {
		all[i] = newSeed()
	}
	return all
}()

func zero(string) uint64 { return 0 }

// soon returns sizes with which other hashes are tried soon.
func (s sizes) soon() sizes {
	s.crowd = 2 * cmp.Or(s.each, bucketed)
	return s
}

// Every kind of map is a map, with usual and with the smallest sizes, with good and bad hashes, and
// where values look like marks.
func TestMap(t *testing.T) {
	for name, s := range map[string]sizes{"usual": usual, "tiny": tiny} {
		if name == "usual" && (atom.Explored || atom.Race || !safety.Enabled || safety.Strict) {
			continue // little is moved there: once is enough
		}
		for kind, fresh := range map[string]func() fuzz.MapOf{
			"words":                   func() fuzz.MapOf { return numbered(initialised[int, int](s, nil)) },
			"words like marks":        func() fuzz.MapOf { return numbered(plainWords(s)) },
			"small values":            func() fuzz.MapOf { return numbered(texts{initialised[string, int](s, nil)}) },
			"small values like marks": func() fuzz.MapOf { return numbered(texts{plainSmalls(s, nil)}) },
			"small values, equal hashes at first": func() fuzz.MapOf {
				return numbered(texts{crowded[int](s.soon(), zero)})
			},
			"small values, few hashes": func() fuzz.MapOf { return numbered(texts{initialised[string, int](s, bad{3})}) },
			"words, large values":      func() fuzz.MapOf { return numbered(pairs{initialised[int, [3]int](s, nil)}) },
			"large values":             func() fuzz.MapOf { return numbered(larges{initialised[string, string](s, nil)}) },
			"large values, equal hashes at first": func() fuzz.MapOf {
				return numbered(larges{crowded[string](s.soon(), zero)})
			},
			"large values, equal hashes": func() fuzz.MapOf { return numbered(larges{initialised[string, string](s, bad{1})}) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) { fuzz.Map(t, fresh, fuzz.Linearizable, fuzz.Numbers) })
		}
		for kind, fresh := range map[string]func() fuzz.MapOf{
			"items": func() fuzz.MapOf { return of(initialised[any, any](s, nil)) },
			"items, equal hashes at first": func() fuzz.MapOf {
				return of(crowded[any](s.soon(), func(any) uint64 { return 0 }))
			},
			"items, equal hashes": func() fuzz.MapOf { return of(initialised[any, any](s, badly{bad{1}})) },
			"words, pointers": func() fuzz.MapOf {
				own := func(k int) int { return k }
				return pointing(initialised[int, *fuzz.Item](s, nil), own, own)
			},
			"pointers": func() fuzz.MapOf { return pointing(initialised[string, *fuzz.Item](s, nil), strconv.Itoa, digits) },
			"pointers, equal hashes at first": func() fuzz.MapOf {
				return pointing(crowded[*fuzz.Item](s.soon(), zero), strconv.Itoa, digits)
			},
			"pointers, few hashes": func() fuzz.MapOf {
				return pointing(initialised[string, *fuzz.Item](s, bad{3}), strconv.Itoa, digits)
			},
		} {
			t.Run(name+" "+kind, func(t *testing.T) { fuzz.Map(t, fresh, fuzz.Linearizable) })
		}
	}
}
