package spec

import (
	"fmt"
	"slices"
	"strconv"

	"example.com/custody/internal/linear"
)

// MultiMapIn is an operation of a multimap.
type MultiMapIn struct {
	Op     Op
	Key    int
	Value  int   // of Add and DeleteValue
	Values Batch // of AddAll and Replace
}

// MultiMapOut is the answer of a multimap.
type MultiMapOut struct {
	N      int   // of Count, Delete, DeleteValue, Replace and Len
	Values Batch // of Values
}

// MultiMapOption is a difference from a multimap that keeps the values of a key in the order in
// which they were added.
type MultiMapOption func(m *multimap)

type multimap struct {
	anyOrder   bool
	everyEqual bool
	boolDelete bool
}

// AnyOrder is the option of a multimap that keeps the values of a key in no order.
func AnyOrder() MultiMapOption { return func(m *multimap) { m.anyOrder = true } }

// EveryEqual is the option of a multimap whose DeleteValue deletes all equal values instead of the
// first.
func EveryEqual() MultiMapOption { return func(m *multimap) { m.everyEqual = true } }

// BoolDelete is the option of a multimap whose Delete, DeleteValue and Replace answer only whether
// they deleted anything. Their N is 1 for any number above 0.
func BoolDelete() MultiMapOption { return func(m *multimap) { m.boolDelete = true } }

// MultiMap is the specification of a map from keys to sequences of values. Each key is a part of
// its own, whose state is its values in order.
//
//	Add          appends Value to the values of the key; no answer
//	AddAll       appends Values to the values of the key, in their order; no answer
//	Values       answers the values of the key, in order; none if the key is absent
//	Count        answers the number of values of the key, N
//	Delete       deletes the key and answers the number of values it had, N; 0 if it was absent
//	Replace      makes Values the values of the key, and answers the number it had, N. Without Values
//	             it deletes the key
//	DeleteValue  deletes the first value equal to Value, and answers the number that it deleted, N; 0
//	             if the key had no such value
//	Len          answers the number of values of all keys, N. It is weakly consistent: it counts each
//	             value that is present for its whole interval once, and each value that is present
//	             for part of the interval at most once
func MultiMap(options ...MultiMapOption) *linear.Spec[Batch, MultiMapIn, MultiMapOut] {
	var m multimap
	for _, o := range options {
		o(&m)
	}
	return &linear.Spec[Batch, MultiMapIn, MultiMapOut]{
		Step:   m.step,
		Next:   m.next,
		Reads:  multiMapReads,
		Weak:   func(in MultiMapIn) bool { return in.Op == Len },
		Bounds: multiMapBounds,
		Part:   func(in MultiMapIn) string { return strconv.Itoa(in.Key) },
		Text:   multiMapText,
	}
}

func (m multimap) step(s Batch, in MultiMapIn, out MultiMapOut) (Batch, bool) {
	switch in.Op {
	case Add:
		return m.add(s, in.Value), true
	case AddAll:
		return m.addAll(s, in.Values), true
	case Values:
		return s, m.same(s, out.Values)
	case Count:
		return s, out.N == s.Len()
	case Delete:
		return "", out.N == m.deleted(s.Len())
	case Replace:
		return m.addAll("", in.Values), out.N == m.deleted(s.Len())
	case DeleteValue:
		next := m.deleteValue(s, in.Value)
		return next, out.N == m.deleted(s.Len()-next.Len())
	}
	unknown(in.Op, "MultiMap")
	return s, false
}

// deleted returns the answer of an operation that deleted n values.
func (m multimap) deleted(n int) int {
	if m.boolDelete {
		return min(n, 1)
	}
	return n
}

// add returns the values with v added. Values in no order are kept in ascending order, so that
// states which behave equally are equal.
func (m multimap) add(s Batch, v int) Batch {
	if !m.anyOrder {
		return s.with(v)
	}
	i := 0
	for i < s.Len() && s.At(i) <= v {
		i++
	}
	return s.first(i).with(v) + s.rest(i)
}

// addAll returns s with values added.
func (m multimap) addAll(s, values Batch) Batch {
	for i := range values.Len() {
		s = m.add(s, values.At(i))
	}
	return s
}

// same reports whether values is a correct answer in state s.
func (m multimap) same(s, values Batch) bool {
	if !m.anyOrder || len(s) != len(values) {
		return s == values
	}
	sorted := values.Values()
	slices.Sort(sorted)
	return s == BatchOf(sorted...)
}

func (m multimap) deleteValue(s Batch, v int) Batch {
	for i := s.index(v); i >= 0; i = s.index(v) {
		s = s.without(i)
		if !m.everyEqual {
			break
		}
	}
	return s
}

func (m multimap) next(s Batch, in MultiMapIn) []Batch {
	switch in.Op {
	case Add:
		return []Batch{m.add(s, in.Value)}
	case AddAll:
		return []Batch{m.addAll(s, in.Values)}
	case Replace:
		return []Batch{m.addAll("", in.Values)}
	case Delete:
		return []Batch{""}
	case DeleteValue:
		return []Batch{m.deleteValue(s, in.Value)}
	}
	return nil
}

// multiMapReads reports whether the answer means that nothing changed.
func multiMapReads(in MultiMapIn, out MultiMapOut) bool {
	switch in.Op {
	case Values, Count:
		return true
	case AddAll:
		return in.Values == ""
	case Delete, DeleteValue:
		return out.N == 0
	}
	return in.Op == Replace && in.Values == "" && out.N == 0
}

// puts returns the values that an operation adds.
func (in MultiMapIn) puts() []int {
	switch in.Op {
	case Add:
		return []int{in.Value}
	case AddAll, Replace:
		return in.Values.Values()
	}
	return nil
}

// multiMapBounds judges a Len by the numbers of values that certainly and possibly were present.
func multiMapBounds(h []linear.Op[MultiMapIn, MultiMapOut], i int) error {
	w := window[MultiMapIn, MultiMapOut]{h, i}
	least, most := 0, 0
	for k := range h {
		o := &h[k]
		takesAll := func(in MultiMapIn) bool { return in.Key == o.In.Key && (in.Op == Delete || in.Op == Replace) }
		for _, v := range o.In.puts() {
			if w.possible(k, func(t int) bool { return takesAll(h[t].In) }) {
				most++
			}
			if w.certain(k, func(t int) bool {
				by := &h[t]
				took := t != k && by.In.Key == o.In.Key && (by.Pending() || by.Out.N > 0)
				return took && (takesAll(by.In) || by.In.Op == DeleteValue && by.In.Value == v)
			}) {
				least++
			}
		}
		if o.In.Op == DeleteValue && o.Before(&h[i]) && !slices.ContainsFunc(h, func(t linear.Op[MultiMapIn, MultiMapOut]) bool { return takesAll(t.In) }) {
			most -= o.Out.N // the key has no Delete or Replace, so no other operation removed them
		}
	}
	if n := h[i].Out.N; n < least || n > most {
		return fmt.Errorf("there were between %d and %d values", least, most)
	}
	return nil
}

func multiMapText(in MultiMapIn, out MultiMapOut) string {
	switch in.Op {
	case Add:
		return fmt.Sprintf("Add(%d, %d)", in.Key, in.Value)
	case AddAll:
		return fmt.Sprintf("AddAll(%d, %v)", in.Key, in.Values)
	case Replace:
		return fmt.Sprintf("Replace(%d, %v) = %d", in.Key, in.Values, out.N)
	case Values:
		return fmt.Sprintf("Values(%d) = %v", in.Key, out.Values)
	case Count, Delete:
		return fmt.Sprintf("%v(%d) = %d", in.Op, in.Key, out.N)
	case DeleteValue:
		return fmt.Sprintf("DeleteValue(%d, %d) = %d", in.Key, in.Value, out.N)
	case Len:
		return fmt.Sprintf("Len() = %d", out.N)
	}
	return in.Op.String() + "()"
}
