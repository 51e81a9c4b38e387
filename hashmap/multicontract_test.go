package hashmap

import (
	"iter"
	"strconv"
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// tinyMulti has everything that is large happen at once.
var tinyMulti = multiSizes{stripes: 1, part: 2, few: 1, gone: 1}

// multi returns a multimap that is ready for users.
func multi[K comparable, V any](s multiSizes, h Hasher[K]) *MultiMap[K, V] {
	m := newMulti[K, V](s, fixed, h)
	m.guard.Init(m, 0)
	return m
}

// multiOf is a multimap of items as the suite sees it.
func multiOf[K comparable](m *MultiMap[K, *fuzz.Item], key func(int) K, back func(K) int) fuzz.MultiMapOf {
	return fuzz.MultiMapOf{
		Add:         func(k int, v *fuzz.Item) { m.Add(key(k), v) },
		AddAll:      func(k int, vs []*fuzz.Item) { m.AddAll(key(k), vs) },
		Values:      func(k int) []*fuzz.Item { return m.Values(key(k)) },
		Count:       func(k int) int { return m.Count(key(k)) },
		Delete:      func(k int) int { return m.Delete(key(k)) },
		DeleteValue: func(k int, v *fuzz.Item) bool { return m.DeleteValue(key(k), v) },
		Replace:     func(k int, vs []*fuzz.Item) int { return m.Replace(key(k), vs) },
		Keys: func() iter.Seq[int] {
			return func(yield func(int) bool) {
				m.Keys()(func(k K) bool { return yield(back(k)) })
			}
		},
		All: func() iter.Seq2[int, *fuzz.Item] {
			return func(yield func(int, *fuzz.Item) bool) {
				m.All()(func(k K, v *fuzz.Item) bool { return yield(back(k), v) })
			}
		},
		Len:     m.Len,
		Clear:   m.Clear,
		Dispose: m.Dispose,
	}
}

// Every kind of multimap is a multimap, with usual and with the smallest sizes, with good and bad hashes.
func TestMultiMap(t *testing.T) {
	for name, s := range map[string]multiSizes{"usual": usualMulti(), "tiny": tinyMulti} {
		if name == "usual" && (atom.Explored || atom.Race || !safety.Enabled || safety.Strict) {
			continue
		}
		for kind, fresh := range map[string]func() fuzz.MultiMapOf{
			"strings":             func() fuzz.MultiMapOf { return multiOf(multi[string, *fuzz.Item](s, nil), strconv.Itoa, digits) },
			"strings, few hashes": func() fuzz.MultiMapOf { return multiOf(multi[string, *fuzz.Item](s, bad{3}), strconv.Itoa, digits) },
			"strings, equal hashes": func() fuzz.MultiMapOf {
				return multiOf(multi[string, *fuzz.Item](s, bad{1}), strconv.Itoa, digits)
			},
		} {
			t.Run(name+" "+kind, func(t *testing.T) { fuzz.MultiMap(t, fresh, fuzz.Linearizable) })
		}
	}
}
