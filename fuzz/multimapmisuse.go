package fuzz

import "testing"

// retention removes values in every possible way. They must become garbage while the multimap lives
// on.
func (s *multiMapSuite) retention(t testing.TB) {
	t.Helper()
	const keys = 20 // with ten values each
	retained(t, s.fresh, func(of *MultiMapOf, k int, v *Item) { of.Add(k%keys, v) }, []removal[MultiMapOf]{
		{"Delete", s.like.Delete != nil, func(of *MultiMapOf, k int) {
			if k < keys {
				of.Delete(k)
			}
		}},
		{"DeleteValue", s.like.DeleteValue != nil, func(of *MultiMapOf, k int) {
			if values := of.Values(k % keys); len(values) > 0 {
				of.DeleteValue(k%keys, values[0])
			}
		}},
		{"Replace", s.like.Replace != nil, func(of *MultiMapOf, k int) { of.Replace(k%keys, []*Item{nil}) }},
		{"Clear", s.like.Clear != nil, func(of *MultiMapOf, k int) { once(k, of.Clear) }},
		{"Dispose", s.like.Dispose != nil, func(of *MultiMapOf, k int) { once(k, of.Dispose) }},
	})
}

// ownMisuse tries odd and forbidden uses.
func (s *multiMapSuite) ownMisuse(t testing.TB) {
	t.Helper()
	of := s.fresh()
	for _, v := range []*Item{nil, {}} {
		of.Add(0, v)
	}
	if got := of.Values(0); len(got) != 2 || !s.has(Unordered) && got[0] != nil {
		t.Errorf("nil and a zero item were added, and Values gives %v", got)
	}
	if got := of.Values(-5); len(got) != 0 {
		t.Errorf("a key that has no values has %v", got)
	}
	if of.Clear != nil {
		of.Clear()
		of.Clear()
		if got := of.Values(0); len(got) != 0 {
			t.Errorf("a multimap that was cleared gives %v", got)
		}
		of.Add(1, new(Item))
	}
	disposed(t, of.Dispose, of.calls())
}
