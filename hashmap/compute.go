package hashmap

import "example.com/custody/safety"

// Op is what the function of [Map.Compute] does to the key.
type Op uint8

const (
	// Keep leaves the key as it is. Compute returns its value, or false if it has none.
	Keep Op = iota
	// Update makes the value that the function returns the value of the key.
	Update
	// Delete deletes the key. Compute returns no value.
	Delete
)

// Compute calls f with the value of a key, or with false if the key has none, and keeps, updates or
// deletes the key as the Op that f returns says. It returns the value that the key has then, or
// false.
//
// Compute calls f once. Until f returns, other operations find the old value, and operations that
// would change the key wait; so f should not take long. f may call any method of any container,
// this map included, and may schedule jobs. These are violations:
//
//   - f changes its own key, or calls DeleteFunc, which asks about every key.
//   - A job that f schedules changes the key, through any view and on any worker. So does a job
//     that a body of that job schedules.
//   - f, or such a job, waits for a computation that waits for this one.
//   - f disposes of the map, or schedules a job that holds the map by a view other than Shared and
//     does not complete it.
//
// Compute does not know what else runs on behalf of f. If f waits for a goroutine, an iter.Pull, or
// a job that was scheduled outside f, and that changes the key, both wait for ever.
//
// If f panics or ends its goroutine, the key stays as it was. A Clear comes before or after the
// whole computation, so a Clear that f has seen may also clear the value that f returns.
//
// Cost: half a microsecond: two locks, a mark on the stack, and about five allocations. To change
// values that can be compared, a loop of Load and [Map.CompareAndSwap] takes a fifth of that.
func (m *Map[K, V]) Compute(k K, f func(old V, loaded bool) (new V, op Op)) (actual V, ok bool) {
	m.in.guard.CheckShared()
	if f == nil {
		panic(m.in.noFunction("Compute"))
	}
	return compute[K, V](&m.in, nil, k, f, nil)
}

// noFunction is the violation of giving a nil function to a method.
func (m *core) noFunction(method string) *safety.Violation {
	return m.guard.Violation(safety.ErrArgument, method+" of "+m.guard.Container()+" was given a nil function", "Give it one.")
}

func compute[K comparable, V any](m *core, within *origins, k K, f func(old V, loaded bool) (new V, op Op), by *safety.Hold) (V, bool) {
	in := &struct {
		key K
		val V
	}{key: k}
	p := m.computeBy(within, ref(&in.key), func(old ref, ok bool) (_ ref, op Op) {
		in.val, op = f(at[V](old), ok)
		return ref(&in.val), op
	}, by)
	return at[V](p), p != nil
}

// LoadOrCompute returns the value of a key, with true. If the key has none, LoadOrCompute calls f,
// makes what f returns the value of the key and returns it with false. If f returns cancel, or does
// not return, the key still has no value, and the result is zero. In all else it is as
// [Map.Compute], and where the key has a value as [Map.Load] except for one allocation.
func (m *Map[K, V]) LoadOrCompute(k K, f func() (v V, cancel bool)) (actual V, loaded bool) {
	m.in.guard.CheckShared()
	if f == nil {
		panic(m.in.noFunction("LoadOrCompute"))
	}
	return loadOrCompute(&m.in, nil, k, f, nil)
}

func loadOrCompute[K comparable, V any](m *core, within *origins, k K, f func() (v V, cancel bool), by *safety.Hold) (actual V, loaded bool) {
	if actual, loaded = load[K, V](m, k); loaded {
		return actual, true
	}
	actual, _ = compute(m, within, k, func(old V, ok bool) (V, Op) {
		if loaded = ok; ok {
			return old, Keep
		}
		v, cancel := f()
		if cancel {
			return old, Keep
		}
		return v, Update
	}, by)
	return actual, loaded
}

// wouldCycle returns the violation of a computation that waits for itself.
func (m *core) wouldCycle() error {
	return m.guard.Violation(safety.ErrWaitCycle, "a function that computes a value of "+m.guard.Container()+" was to change a key that it, or one that waits for it, computes the value of",
		"What the function of Compute returns becomes the value, and DeleteFunc deletes the keys for which its function returns true. Either may change other keys, but two that change each other's wait for ever.")
}
