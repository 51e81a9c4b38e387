package array

import (
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// KeyedWriter returns a view that adds items to the rows of any keys, which are the row numbers.
// While an uncompleted job holds it, every use of the stream is a violation. A job that holds a
// [StreamParallelWriter] of the stream, too, is a violation.
//
// Cost: that of an append to a slice for each Add, and a counting sort when the job ends. Where
// keys lie in an array, [GroupValues] and [GroupIndices] save the appends. In the sort the workers
// count the keys and copy the items to their rows. Each takes a part of the items, and has a
// counter for each row. So fewer than two items for each row are left to one worker, and a few for
// each row to a few workers. One worker moves the items that rows have.
func (s *Stream[T]) KeyedWriter() (w StreamKeyedWriter[T]) {
	if w.of = s; s != nil {
		quiet.Set(&w.hold, &s.guard, safety.Append, (*streamKeyedWriterKind[T])(nil))
	}
	return w
}

// StreamKeyedWriter is a view that adds items to the rows of a [Stream] from all batches of a
// parallel loop. Any batch adds to any row that the stream has when the job starts, up to 2³²-1 of
// them: see [Stream.Resize]. When the job has ended, each row has the items that the sequential
// loop adds to it, in that order, behind those that it had, at any number of workers. If a batch
// fails, they are those that the sequential loop adds before it fails. A cancelled job changes
// nothing. The view works only inside the job that carries it. [GroupValues] and [GroupIndices] add
// many items through it. The stream then has at most 2³²-1 items. For keys that are not dense there
// is hashmap.MultiMap.
//
// Add: lane; wait-free; O(1); allocates chunks.
type StreamKeyedWriter[T any] struct {
	hold `custody:"part"`
	of   *Stream[T]
	keys int         // none in an unbound view
	lane *lanes.Lane // nil in an unbound view
	from *lanes.Lane // nil in an unbound view, and in nested jobs
}

// Add adds v to the row of a key. A key outside [0, Len) is a violation.
//
//go:norace
func (w *StreamKeyedWriter[T]) Add(key int, v T) {
	if safety.Strict {
		quiet.Of(&w.hold).Check()
	}
	if uint(key) >= uint(w.keys) {
		panic(quiet.Of(&w.hold).Out(key))
	}
	if e := (keyed[T]{uint32(key), v}); !lanes.TryAppend(w.lane, e) {
		lanes.Append(w.lane, quiet.Of(&w.hold), e)
	}
}

// keyed is an item and its key.
type keyed[T any] struct {
	key uint32
	val T
}

// byKey is the Into of a StreamKeyedWriter that no body has passed on.
type byKey struct{}

// open opens the lanes of a job that adds items by key. A nested job adds to the lane of the body.
func (g *grouping[T]) open(p *safety.Phase) {
	if lanes.Open[keyed[T]](&g.lanes, p); p.Into == (byKey{}) {
		lanes.Open[source[T]](&g.from, p)
		p.State = g
	}
}

// mixed returns the violation of a job whose views append to rows in both ways.
func (s *Stream[T]) mixed() *safety.Violation {
	return s.guard.Violation(safety.ErrArgument, "a job has a StreamParallelWriter and a StreamKeyedWriter of "+s.guard.Container(),
		"Have one job append to the rows of its indices, and a job after it add to rows by key.")
}

// streamKeyedWriterKind has the methods of a StreamKeyedWriter that drivers call.
type streamKeyedWriterKind[T any] StreamKeyedWriter[T]

// Of implements safety.ViewKind.
func (*streamKeyedWriterKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*streamKeyedWriterKind[T])(view.(*StreamKeyedWriter[T]))
}

// Claim completes the claim.
func (w *streamKeyedWriterKind[T]) Claim(c *safety.Claim) {
	if c.Into = (byKey{}); w.lane != nil {
		c.Into = w.lane
	}
}

// Bind implements safety.Binder.
func (w *streamKeyedWriterKind[T]) Bind(b safety.Binding) {
	quiet.Of(&w.hold).Bind(b)
	switch state := b.State().(type) {
	case *grouping[T]:
		w.lane, w.from = state.lanes.Lane(b.Worker()), state.from.Lane(b.Worker())
	case *filling:
		panic(quiet.Of(&w.hold).Blame(w.of.mixed()))
	default: // a nested job
		w.lane, w.from = lanes.Of(b, (*keyed[T])(nil)), nil
	}
	w.keys = min(w.of.rows(), mostGrouped)
}

// BeginSpan implements safety.SpanView.
func (w *streamKeyedWriterKind[T]) BeginSpan(batch int) {
	w.lane.BeginSpan(batch)
	if w.from != nil {
		w.from.BeginSpan(batch)
	}
}

// noKey is the advice of violations by keys that are no rows.
const noKey = "Keys begin at 0 and end at Len-1: give the stream its rows first, by Resize."

// NoIndex returns noKey, for texts.
func (*streamKeyedWriterKind[T]) NoIndex() string { return noKey }

// Window returns the keys, for texts.
func (w *streamKeyedWriterKind[T]) Window() (begin, end, length int) { return 0, w.keys, w.keys }
