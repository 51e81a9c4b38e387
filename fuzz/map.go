package fuzz

import (
	"iter"
	"maps"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// MapOf has the operations of a map as functions. Keys are ints; for a map with other keys the
// functions convert them, one to one. Load and Store are required. The suite leaves out operations
// that are nil, and logs their names.
type MapOf struct {
	// Load returns the value of a key. False means that the map does not have the key.
	Load func(k int) (*Item, bool)
	// Store sets the value of k to v.
	Store func(k int, v *Item)
	// LoadOrStore returns the value of k, after setting it to v if the map does not have the key.
	// loaded reports whether it had the key.
	LoadOrStore func(k int, v *Item) (actual *Item, loaded bool)
	// LoadOrCompute returns the value of k. If the map does not have the key, LoadOrCompute calls f
	// and stores its result. If cancel is true, it stores nothing and returns nil. loaded reports
	// whether the map had the key.
	LoadOrCompute func(k int, f func() (v *Item, cancel bool)) (actual *Item, loaded bool)
	// LoadAndDelete removes k and returns its value.
	LoadAndDelete func(k int) (*Item, bool)
	// Delete removes k.
	Delete func(k int)
	// Swap sets the value of k to v and returns the previous value.
	Swap func(k int, v *Item) (previous *Item, loaded bool)
	// CompareAndSwap sets the value of k to new if it is old, and reports whether it was.
	CompareAndSwap func(k int, old, new *Item) bool
	// CompareAndDelete removes k if its value is old, and reports whether it was.
	CompareAndDelete func(k int, old *Item) bool
	// Compute calls f with the value of k. It sets the value to the result, or removes k if keep is
	// false. It returns the value that k then has.
	Compute func(k int, f func(old *Item, loaded bool) (new *Item, keep bool)) (actual *Item, ok bool)
	// All iterates over keys and values. It yields each key at most once, and every key that is
	// present for the whole iteration.
	All func() iter.Seq2[int, *Item]
	// Len returns the number of keys. It is exact if no operation is concurrent.
	Len func() int
	// Clear removes all keys.
	Clear func()
	// Dispose ends the map. Every later use panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// calls returns all operations.
func (m *MapOf) calls() []call {
	same := func(v *Item, _ bool) (*Item, bool) { return v, true }
	none := func() (*Item, bool) { return nil, false }
	return []call{
		{"Load", m.Load != nil, func() { m.Load(1) }},
		{"Store", m.Store != nil, func() { m.Store(1, nil) }},
		{"LoadOrStore", m.LoadOrStore != nil, func() { m.LoadOrStore(1, nil) }},
		{"LoadOrCompute", m.LoadOrCompute != nil, func() { m.LoadOrCompute(1, none) }},
		{"LoadAndDelete", m.LoadAndDelete != nil, func() { m.LoadAndDelete(1) }},
		{"Delete", m.Delete != nil, func() { m.Delete(1) }},
		{"Swap", m.Swap != nil, func() { m.Swap(1, nil) }},
		{"CompareAndSwap", m.CompareAndSwap != nil, func() { m.CompareAndSwap(1, nil, nil) }},
		{"CompareAndDelete", m.CompareAndDelete != nil, func() { m.CompareAndDelete(1, nil) }},
		{"Compute", m.Compute != nil, func() { m.Compute(1, same) }},
		{"All", m.All != nil, func() { _ = maps.Collect(m.All()) }},
		{"Len", m.Len != nil, func() { m.Len() }},
		{"Clear", m.Clear != nil, m.Clear},
		{"Dispose", m.Dispose != nil, nil},
	}
}

// Map tests the maps that fresh returns, which must be empty. The subtests are:
//
//	model         random programs of one goroutine, compared with Go's map. A failure shows the
//	              smallest program.
//	conservation  concurrent goroutines. No key is lost while the map grows. The final value of a key
//	              is the last value of one of its writers. Only one goroutine stores or deletes a key
//	              successfully. No update is lost. An iteration yields every key that stays.
//	linearizable  short histories of concurrent goroutines, judged key by key against the sequential
//	              map; with Linearizable
//	retention     removed and replaced values become garbage
//	misuse        nil values, use after Clear and Dispose, and the cases of Misuses
//
// In a fuzz target, where t is a *testing.F, Map reads inputs as programs of one goroutine instead
// and runs them as the subtest model does.
//
// Cost: about 1 s, or a few seconds with the race detector.
func Map(t testing.TB, fresh func() MapOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newMapSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runMap(tested{testOf(t)}, fresh, settingsOf(opts))
}

// mapSuite is the suite for a kind of map.
type mapSuite struct {
	settings
	fresh func() MapOf
	like  MapOf
}

func newMapSuite(t testing.TB, fresh func() MapOf, s settings) *mapSuite {
	t.Helper()
	m := &mapSuite{s, fresh, fresh()}
	needed(t, "Map", call{name: "Load", has: m.like.Load != nil}, call{name: "Store", has: m.like.Store != nil})
	return m
}

func runMap(t host, fresh func() MapOf, s settings) {
	t.Helper()
	m := newMapSuite(t, fresh, s)
	runParts(t, lacks(m.like.calls()), []part{
		{"model", true, m.script().model(&m.settings)},
		{"conservation", true, m.conservation},
		{"linearizable", s.has(Linearizable), m.linearizable},
		{"schedules", atom.Explored && s.has(Linearizable), scheduled(&m.settings, mostTasks,
			func(int) *linear.Spec[spec.Entry, spec.MapIn, spec.MapOut] { return spec.Map() },
			func(int, int) actor[spec.MapIn, spec.MapOut] { return m.actor() })},
		{"retention", !s.has(Numbers), m.retention},
		{"misuse", true, m.misuse(m.ownMisuse)},
	})
}
