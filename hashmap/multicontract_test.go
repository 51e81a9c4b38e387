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
	m := newMulti[K, V](s, fixed, customIf(h))
	m.in.guard.Init(m, 0)
	return m
}

// multiOf is a multimap of items, whose keys are texts of numbers, as the suite sees it.
func multiOf(m *MultiMap[any, any]) fuzz.MultiMapOf {
	key := func(k int) any { return strconv.Itoa(k) }
	anys := func(vs []*fuzz.Item) (all []any) {
		for _, v := range vs {
			all = append(all, v)
		}
		return all
	}
	return fuzz.MultiMapOf{
		Add:    func(k int, v *fuzz.Item) { m.Add(key(k), v) },
		AddAll: func(k int, vs []*fuzz.Item) { m.AddAll(key(k), anys(vs)) },
		Values: func(k int) (all []*fuzz.Item) {
			for _, v := range m.Values(key(k)) {
				all = append(all, v.(*fuzz.Item))
			}
			return all
		},
		Count:       func(k int) int { return m.Count(key(k)) },
		Delete:      func(k int) int { return m.Delete(key(k)) },
		DeleteValue: func(k int, v *fuzz.Item) bool { return m.DeleteValue(key(k), v) },
		Replace:     func(k int, vs []*fuzz.Item) int { return m.Replace(key(k), anys(vs)) },
		Keys: func() iter.Seq[int] {
			return func(yield func(int) bool) {
				m.Groups()(func(k any, _ []any) bool { return yield(digits(k.(string))) })
			}
		},
		All: func() iter.Seq2[int, *fuzz.Item] {
			return func(yield func(int, *fuzz.Item) bool) {
				m.All()(func(k, v any) bool { return yield(digits(k.(string)), v.(*fuzz.Item)) })
			}
		},
		Len:     m.Len,
		Clear:   m.Clear,
		Dispose: m.Dispose,
	}
}

// Every kind of multimap is a multimap, with usual and with the smallest sizes, with good and bad
// hashes.
func TestMultiMap(t *testing.T) {
	for name, s := range map[string]multiSizes{"usual": usualMulti(), "tiny": tinyMulti} {
		if name == "usual" && (atom.Explored || atom.Race || !safety.Enabled || safety.Strict) {
			continue
		}
		for kind, fresh := range map[string]func() fuzz.MultiMapOf{
			"strings":             func() fuzz.MultiMapOf { return multiOf(multi[any, any](s, nil)) },
			"strings, few hashes": func() fuzz.MultiMapOf { return multiOf(multi[any, any](s, badly{bad{3}})) },
			"strings, equal hashes": func() fuzz.MultiMapOf {
				return multiOf(multi[any, any](s, badly{bad{1}}))
			},
		} {
			t.Run(name+" "+kind, func(t *testing.T) { fuzz.MultiMap(t, fresh, fuzz.Linearizable) })
		}
	}
}
