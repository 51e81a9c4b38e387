package fuzz

import (
	"iter"
	"maps"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// MultiMapOf has the operations of a map from keys to several values, as functions. Keys are ints;
// for a map with other keys the functions convert them, one to one. Add and Values are required.
// The suite leaves out operations that are nil, and logs their names.
type MultiMapOf struct {
	// Add appends a value to those of the key. A key may have equal values.
	Add func(k int, v *Item)
	// AddAll appends values to those of the key, in their order, at one moment. It does not keep
	// vs.
	AddAll func(k int, vs []*Item)
	// Values returns the values of a key in the order in which they were added.
	Values func(k int) []*Item
	// Count returns the number of values of a key.
	Count func(k int) int
	// Delete removes a key and returns the number of values that it had.
	Delete func(k int) int
	// DeleteValue removes the first value of the key that is v, and reports whether there was one.
	DeleteValue func(k int, v *Item) bool
	// Replace sets the values of a key to vs, at one moment, and returns the number that it had.
	// Without values it removes the key. It does not keep vs.
	Replace func(k int, vs []*Item) int
	// Keys iterates over the keys that have values, each once.
	Keys func() iter.Seq[int]
	// All iterates over keys and values, the values of a key in order.
	All func() iter.Seq2[int, *Item]
	// Len returns the number of values. It is exact if no operation is concurrent.
	Len func() int
	// Clear removes all keys.
	Clear func()
	// Dispose ends the map. Every later use panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// calls returns all operations.
func (m *MultiMapOf) calls() []call {
	return []call{
		{"Add", m.Add != nil, func() { m.Add(1, nil) }},
		{"AddAll", m.AddAll != nil, func() { m.AddAll(1, []*Item{nil}) }},
		{"Values", m.Values != nil, func() { m.Values(1) }},
		{"Count", m.Count != nil, func() { m.Count(1) }},
		{"Delete", m.Delete != nil, func() { m.Delete(1) }},
		{"DeleteValue", m.DeleteValue != nil, func() { m.DeleteValue(1, nil) }},
		{"Replace", m.Replace != nil, func() { m.Replace(1, []*Item{nil}) }},
		{"Keys", m.Keys != nil, func() { _ = slices.Collect(m.Keys()) }},
		{"All", m.All != nil, func() { _ = maps.Collect(m.All()) }},
		{"Len", m.Len != nil, func() { m.Len() }},
		{"Clear", m.Clear != nil, m.Clear},
		{"Dispose", m.Dispose != nil, nil},
	}
}

// MultiMap tests the multimaps that fresh returns, which must be empty. The subtests are:
//
//	model         random programs of one goroutine, compared with a map of slices. A failure shows
//	              the smallest program.
//	conservation  concurrent goroutines. No value is lost while the map grows. The values that one
//	              goroutine adds to a key stay in order. Only one goroutine deletes a value.
//	linearizable  short histories of concurrent goroutines, judged key by key against the sequential
//	              multimap; with Linearizable
//	retention     removed values become garbage
//	misuse        nil values, use after Clear and Dispose, and the cases of Misuses
//
// With [Unordered] values may be in any order.
//
// In a fuzz target, where t is a *testing.F, MultiMap reads inputs as programs of one goroutine
// instead and runs them as the subtest model does.
//
// Cost: about 1 s, or a few seconds with the race detector.
func MultiMap(t testing.TB, fresh func() MultiMapOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newMultiMapSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runMultiMap(tested{testOf(t)}, fresh, settingsOf(opts))
}

// multiMapSuite is the suite for a kind of multimap.
type multiMapSuite struct {
	settings
	fresh func() MultiMapOf
	like  MultiMapOf
}

func newMultiMapSuite(t testing.TB, fresh func() MultiMapOf, s settings) *multiMapSuite {
	t.Helper()
	m := &multiMapSuite{s, fresh, fresh()}
	needed(t, "MultiMap", call{name: "Add", has: m.like.Add != nil}, call{name: "Values", has: m.like.Values != nil})
	return m
}

func runMultiMap(t host, fresh func() MultiMapOf, s settings) {
	t.Helper()
	m := newMultiMapSuite(t, fresh, s)
	runParts(t, lacks(m.like.calls()), []part{
		{"model", true, m.script().model(&m.settings)},
		{"conservation", true, m.conservation},
		{"linearizable", s.has(Linearizable), m.linearizable},
		{"schedules", atom.Explored && s.has(Linearizable), scheduled(&m.settings, mostTasks,
			func(int) *linear.Spec[spec.Batch, spec.MultiMapIn, spec.MultiMapOut] { return m.sequential() },
			func(int, int) actor[spec.MultiMapIn, spec.MultiMapOut] { return m.actor() })},
		{"retention", !s.has(Numbers) && (m.like.Delete != nil || m.like.DeleteValue != nil || m.like.Clear != nil), m.retention},
		{"misuse", true, m.misuse(m.ownMisuse)},
	})
}
