package fuzz

import (
	"iter"
	"maps"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// MapOf is a map as the suite sees it: its operations as functions. Keys are ints; for a map with other
// keys the functions convert them, one to one. Only Load and Store must be there; what is nil the suite
// leaves out, and says so.
type MapOf struct {
	// Load returns the value of a key. False says that it has none.
	Load func(k int) (*Item, bool)
	// Store makes v the value of k.
	Store func(k int, v *Item)
	// LoadOrStore returns the value of k, and makes it v if it has none. Loaded says that it had one.
	LoadOrStore func(k int, v *Item) (actual *Item, loaded bool)
	// LoadOrCompute returns the value of k, and calls f if it has none, which becomes what f returns unless cancel is true:
	// then k still has none, and nil is returned. Loaded says that it had one.
	LoadOrCompute func(k int, f func() (v *Item, cancel bool)) (actual *Item, loaded bool)
	// LoadAndDelete removes k and returns its value.
	LoadAndDelete func(k int) (*Item, bool)
	// Delete removes k.
	Delete func(k int)
	// Swap makes v the value of k and returns the one before.
	Swap func(k int, v *Item) (previous *Item, loaded bool)
	// CompareAndSwap makes new the value of k if it is old, and says whether it was.
	CompareAndSwap func(k int, old, new *Item) bool
	// CompareAndDelete removes k if its value is old, and says whether it was.
	CompareAndDelete func(k int, old *Item) bool
	// Compute makes what f returns the value of k, or removes k if keep is false. f is given the value before.
	// It returns the value that k then has.
	Compute func(k int, f func(old *Item, loaded bool) (new *Item, keep bool)) (actual *Item, ok bool)
	// All iterates over keys and values. Each key comes at most once; one that is there all the time comes.
	All func() iter.Seq2[int, *Item]
	// Len returns how many keys there are, exactly when nothing runs beside it.
	Len func() int
	// Clear removes all keys.
	Clear func()
	// Dispose ends the map: every use afterwards panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// operations lists all of them.
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

// Map tests maps that fresh returns, which are empty. The subtests:
//
//	model         drawn programs of one goroutine, against Go's map; a failure is the smallest program
//	conservation  goroutines beside each other: no key is lost while the map grows, the last value of a key
//	              is the last of one of its writers, a key is stored and deleted by one goroutine only, no
//	              update is lost, an iteration meets what is there all the time
//	linearizable  short histories of goroutines beside each other, judged key by key against the sequential
//	              map; with Linearizable
//	retention     values that were removed or replaced become garbage
//	misuse        nil values, use after Clear and Dispose, and the cases of Misuses
//
// In a fuzz target, where t is a *testing.F, Map reads inputs as programs of one goroutine instead
// and runs them as the subtest model does.
//
// Cost: about a second, a few with the race detector.
func Map(t testing.TB, fresh func() MapOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newMapSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runMap(tested{testOf(t)}, fresh, settingsOf(opts))
}

// mapSuite is the suite for one kind of map.
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
