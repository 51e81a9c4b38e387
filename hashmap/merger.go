package hashmap

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
)

// ParallelMerger is a view that merges values into a map from all batches of a parallel loop. After
// the job was sealed the map is as after the sequential loop, at any number of workers, and
// iterations find the new keys in the order of that loop. A ParallelMerger works only inside the
// job that carries it.
// Each method: lane; wait-free; O(1); allocates chunks, and entry at the seal.
type ParallelMerger[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	in   appending
	fold func(old, v V) V
}

// merging is the function of a ParallelMerger.
type merging struct {
	fold        func(old, v, to ref) // writes the result to to
	associative bool
	ours        bool // it is Add or another function of this package
}

// MergerOption configures a ParallelMerger.
type MergerOption struct{ associative bool }

// Associative states that fold(fold(a, b), c) is fold(a, fold(b, c)) for all values. Then a worker
// merges the values that neighbouring batches give to a key, instead of leaving them until the job
// is sealed: bodies call fold, too, in the same order but another grouping. That costs a look-up
// and saves an append. A worker appends as without the option while nearly all keys are new. Sums
// of floats are not associative. [Add], [Min], [Max], [And] and [Or] are known to be. The first
// value of a key stays by [ParallelWriter.Add], and the last by [ParallelWriter.Set]: these do as
// much for a key without the option.
func Associative() MergerOption { return MergerOption{associative: true} }

// Add returns a+b. As the fold of a [Map.ParallelMerger] it counts, sums and joins:
// counts.ParallelMerger(hashmap.Add) merges integers and strings as if [Associative] were given,
// and sums of floats stay those of the sequential loop. Code that is generic in V gives Associative
// itself.
func Add[V cmp.Ordered](a, b V) V { return a + b }

// Min returns the smaller of a and b. As a fold it is known to be associative, as [Add] is.
func Min[V cmp.Ordered](a, b V) V { return min(a, b) }

// Max returns the larger of a and b. As a fold it is known to be associative, as [Add] is.
func Max[V cmp.Ordered](a, b V) V { return max(a, b) }

// And returns a&b. As a fold it is known to be associative, as [Add] is.
func And[V integer](a, b V) V { return a & b }

// Or returns a|b. As a fold it is known to be associative, as [Add] is.
func Or[V integer](a, b V) V { return a | b }

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// folds are the names of the folds of this package. They are associative, except for floats.
var folds = []string{"Add[...]", "Min[...]", "Max[...]", "And[...]", "Or[...]"}

// isOurs reports whether fold is one of folds.
func isOurs(fold reflect.Value) bool {
	name, ours := strings.CutPrefix(runtime.FuncForPC(fold.Pointer()).Name(), reflect.TypeFor[MergerOption]().PkgPath()+".")
	return ours && slices.Contains(folds, name)
}

// ParallelMerger returns a view that merges values into keys with fold. A key without a value takes
// the first one as it is, and fold is called for those that follow, in the order of the sequential
// loop: sums of floats are those of the plain loop, bit for bit. A job may have several of them,
// and several of [Map.ParallelWriter]; their operations take effect in the order of the program.
// Until a job that holds one is completed, no operation may use the map, nor any job that is not
// ordered with that job. A nil fold is a violation.
//
// fold is called when the job is sealed: for each key in the order of the sequential loop, and for
// different keys at the same time, on goroutines that need not be those of the bodies. It may be
// called more than once for the same values, if an ordinary operation changes the key meanwhile or
// the value has to move. A fold that uses the map, which the job holds, is a violation. Its
// operations on other containers, and the jobs that it runs, come in no particular order. A fold
// that waits for its job is a violation ([safety.ErrWaitCycle]), which is recognised on the
// goroutine that calls fold, not on goroutines that fold starts.
//
// If fold panics, or ends its goroutine, the job fails as the sequential loop does; of several
// calls that fail, the first one in that loop counts. Then the map has a part of what the job has
// appended: for each key, its first part.
//
// Cost: as [Map.ParallelWriter], and the calls. For an associative fold a worker looks each key up
// among those of its neighbouring batches, in a table of 32 to 64 bytes a key.
func (m *Map[K, V]) ParallelMerger(fold func(old, v V) V, opts ...MergerOption) ParallelMerger[K, V] {
	into := func(old, v, to ref) { *(*V)(to) = fold(*(*V)(old), *(*V)(v)) }
	v := coreOf(m).parallelMerger(into, fold, opts)
	return ParallelMerger[K, V]{hold: quiet.New(v.kept), in: v.appending, fold: fold}
}

// Merge makes v the value of a key that has none, or fold(old, v) the value of any other key. A key
// that cannot be compared is a run-time panic here, and appends nothing.
//
//go:norace
func (w *ParallelMerger[K, V]) Merge(k K, v V) {
	mustCompare(k)
	if w.in.looks() {
		if e := appendOnce(&w.in, quiet.Of(&w.hold), k, v, w.in.op); e != nil {
			e.val = w.fold(e.val, v)
		}
		return
	}
	lanes.Append(w.in.lane, quiet.Of(&w.hold), entry[K, V]{key: k, val: v, op: w.in.op})
}

// parallelMerger returns a view of the map, which may be nil. into does what fold does.
func (m *core) parallelMerger(into func(old, v, to ref), fold any, opts []MergerOption) appendingKind {
	if m != nil && reflect.ValueOf(fold).IsNil() {
		panic(m.noFunction("ParallelMerger"))
	}
	f := reflect.ValueOf(fold)
	by, of := &merging{fold: into, ours: isOurs(f)}, f.Type().In(0).Kind()
	by.associative = by.ours && of != reflect.Float32 && of != reflect.Float64
	for _, o := range opts {
		by.associative = by.associative || o.associative
	}
	return m.appending(by)
}
