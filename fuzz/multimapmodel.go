package fuzz

import (
	"fmt"
	"slices"
)

// multiMapModel is a multimap with the map of slices that models it.
type multiMapModel struct {
	minting
	MultiMapOf
	unordered bool
	want      map[int][]*Item
}

// script returns the sequential contract of a multimap.
func (s *multiMapSuite) script() *script[*multiMapModel] {
	c := &script[*multiMapModel]{make: func(int) *multiMapModel {
		return &multiMapModel{MultiMapOf: s.fresh(), unordered: s.has(Unordered), want: map[int][]*Item{}}
	}}
	c.add(true, 5, "Add", 2, func(m *multiMapModel, x, y int) string {
		k, v := keyOf(x), m.item(y)
		if old := m.want[k]; y%8 == 5 && len(old) > 0 {
			v = old[0] // a value that the key has already
		}
		m.Add(k, v)
		m.want[k] = append(m.want[k], v)
		return ""
	})
	c.add(s.like.AddAll != nil, 2, "AddAll", 2, func(m *multiMapModel, x, y int) string {
		k, vs := keyOf(x), m.several(y)
		m.want[k] = append(m.want[k], vs...)
		m.AddAll(k, vs)
		clear(vs)
		if len(m.want[k]) == 0 {
			delete(m.want, k)
		}
		return m.values(k)
	})
	c.add(true, 1, "Adds", 2, func(m *multiMapModel, x, y int) string {
		for i := range y {
			k, v := 1000+(x+i)%(1+x), m.item(0)
			m.Add(k, v)
			m.want[k] = append(m.want[k], v)
		}
		return ""
	})
	c.add(true, 3, "Values", 1, func(m *multiMapModel, x, _ int) string { return m.values(keyOf(x)) })
	c.add(s.like.Count != nil, 2, "Count", 1, func(m *multiMapModel, x, _ int) string {
		if n := m.Count(keyOf(x)); n != len(m.want[keyOf(x)]) {
			return fmt.Sprintf("Count(%d) is %d, expected %d", keyOf(x), n, len(m.want[keyOf(x)]))
		}
		return ""
	})
	c.add(s.like.Delete != nil, 2, "Delete", 1, func(m *multiMapModel, x, _ int) string {
		k := keyOf(x)
		had := len(m.want[k])
		delete(m.want, k)
		if n := m.Delete(k); n != had {
			return fmt.Sprintf("Delete(%d) is %d, expected %d", k, n, had)
		}
		return m.values(k)
	})
	c.add(s.like.DeleteValue != nil, 3, "DeleteValue", 2, (*multiMapModel).deleteValue)
	c.add(s.like.Replace != nil, 2, "Replace", 2, (*multiMapModel).replace)
	c.add(s.like.Keys != nil, 1, "Keys", 1, (*multiMapModel).keys)
	c.add(s.like.All != nil, 1, "All", 1, (*multiMapModel).all)
	c.add(s.like.Len != nil, 1, "Len", 0, func(m *multiMapModel, _, _ int) string { return m.length() })
	c.add(s.like.Clear != nil, 1, "Clear", 1, func(m *multiMapModel, x, _ int) string {
		if x < 128 {
			m.Clear()
			clear(m.want)
		}
		return ""
	})
	c.end = (*multiMapModel).last
	return c
}

// equal reports whether got is a correct answer if the values of a key are want.
func (m *multiMapModel) equal(got, want []*Item) bool {
	if !m.unordered {
		return slices.Equal(got, want)
	}
	left := slices.Clone(want)
	for _, v := range got {
		i := slices.Index(left, v)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

func (m *multiMapModel) values(k int) string {
	if got := m.Values(k); !m.equal(got, m.want[k]) {
		return fmt.Sprintf("Values(%d) is %v, expected %v", k, got, m.want[k])
	}
	return ""
}

// deleteValue deletes one of the values of a key, or for some operands a value that it does not
// have.
func (m *multiMapModel) deleteValue(x, y int) string {
	k := keyOf(x)
	have := m.want[k]
	v := &Item{ID: -1}
	if y%4 > 0 && len(have) > 0 {
		v = have[y/4%len(have)]
	}
	i := slices.Index(have, v)
	if did := m.DeleteValue(k, v); did != (i >= 0) {
		return fmt.Sprintf("DeleteValue(%d, %v) is %v with %v", k, v, did, have)
	}
	if i < 0 {
		return m.values(k)
	}
	if have = slices.Delete(slices.Clone(have), i, i+1); len(have) == 0 {
		delete(m.want, k)
	} else {
		m.want[k] = have
	}
	return m.values(k)
}

// several returns up to three values. For some operands the last two are the same.
func (m *multiMapModel) several(y int) []*Item {
	vs := make([]*Item, y%4)
	for i := range vs {
		vs[i] = m.item(y)
	}
	if len(vs) == 3 && y%8 == 7 {
		vs[2] = vs[1]
	}
	return vs
}

func (m *multiMapModel) replace(x, y int) string {
	k, vs := keyOf(x), m.several(y)
	had := len(m.want[k])
	if m.want[k] = slices.Clone(vs); len(vs) == 0 {
		delete(m.want, k)
	}
	n := m.Replace(k, vs)
	clear(vs)
	if n != had {
		return fmt.Sprintf("Replace(%d) is %d, expected %d", k, n, had)
	}
	return m.values(k)
}

func (m *multiMapModel) keys(x, _ int) string {
	seen := map[int]bool{}
	for k := range m.Keys() {
		if seen[k] || len(m.want[k]) == 0 {
			return fmt.Sprintf("Keys gave %d, which has %d values; before %v", k, len(m.want[k]), seen)
		}
		seen[k] = true
		if len(seen) == x {
			return ""
		}
	}
	if len(seen) != len(m.want) {
		return fmt.Sprintf("Keys gave %d of %d keys", len(seen), len(m.want))
	}
	return ""
}

func (m *multiMapModel) all(x, _ int) string {
	got := map[int][]*Item{}
	n := 0
	for k, v := range m.All() {
		got[k] = append(got[k], v)
		if n++; n == x {
			break
		}
	}
	for k, vs := range got {
		want := m.want[k]
		if n == x {
			want = want[:min(len(vs), len(want))]
		}
		if (n != x || !m.unordered) && !m.equal(vs, want) {
			return fmt.Sprintf("All gave %v for %d, expected %v", vs, k, m.want[k])
		}
	}
	if n != x && len(got) != len(m.want) {
		return fmt.Sprintf("All gave %d of %d keys", len(got), len(m.want))
	}
	return ""
}

func (m *multiMapModel) length() string {
	want := 0
	for _, vs := range m.want {
		want += len(vs)
	}
	if n := m.Len(); n != want {
		return fmt.Sprintf("Len is %d, expected %d", n, want)
	}
	return ""
}

// last checks the whole multimap.
func (m *multiMapModel) last() string {
	for x := range 256 {
		if wrong := m.values(keyOf(x)); wrong != "" {
			return "at the end " + wrong
		}
	}
	for k := range m.want {
		if wrong := m.values(k); wrong != "" {
			return "at the end " + wrong
		}
	}
	if m.Len != nil {
		return m.length()
	}
	return ""
}
