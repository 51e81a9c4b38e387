package lane

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Lanes are the lanes of the job that holds a container in mode Append: a [Lane] for each worker. A container
// has one as a field, and passes its phases on to it. The zero value is ready; a Lanes must not be
// copied.
//
// It keeps its memory from phase to phase, so a container that is appended to again and again, by loops of the
// same size, allocates nothing. What was appended is not kept. [Lanes.Trim] gives the memory back; and with [Lanes.Share] most of it is
// not kept but given to whoever appends next.
//
// Memory: what the workers append, rounded up to chunks of 1 KiB to 256 KiB, and two cache lines for each worker.
type Lanes[T any] struct {
	list  []*Lane[T]
	open  bool
	holds bool // items may keep something alive; set when list is not empty

	// Of the seal that is being made.
	order []ref // the runs that count and are not empty, in the order of the sequential loop
	total int   // how many items they have
	kept  int
	taken bool // the chunks have another owner now
	dst   []T  // what is being copied to
	first int  // the number of the first item that is
	part  int  // how many items are copied at a time

	lent   []T // by the container, for the run that begins with batch 0
	placed int // how many items were copied there, or lie there

	own    Chunks[T]
	shared *Chunks[T] // nil: chunks of the largest size are kept, but for those that somebody has given back, which are in own

	copyPart func(k int) // these two are made once
	wipeLane func(k int)
}

// keptLanes is the number of lanes that Open keeps in any case. It drops lanes beyond the number of
// workers when a phase has fewer than a quarter as many workers as there are lanes.
const keptLanes = 16

// ref names a run.
type ref struct {
	first     int // its first batch
	before    int // how many items there are in the runs before it
	lane, run int32
}

// Open begins a phase; it is what a container's OpenPhase calls, in every mode: only Append means anything here.
// It leaves the lanes in p.State, where [Of] finds them. When p.Into is a lane, the job is nested, and
// what it appends will be spliced into that lane by Seal.
//
// A second Open before the Seal of the first is a violation: a view that was lent on did not name its lane as
// the Into of its claim, or the container does not call Seal.
//
// A container that has more than one Lanes, or a p.State of its own, opens each with a copy of p, with the State and
// the Into that concern it.
//
//go:norace
func (ls *Lanes[T]) Open(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	if into, _ := p.Into.(*Lane[T]); into != nil {
		ls = into.inner()
	}
	if safety.Enabled && ls.open {
		panic(safety.NewViolation(safety.ErrArgument, "the lanes of a container were opened for a job while those of another one were open",
			"A view that appends to a lane names it as the Into of its claim, so that a nested job appends to the lane of the body that lent the view on; and a container's SealPhase calls the lanes' Seal."))
	}
	if ls.copyPart == nil {
		ls.holds = word.Holds(reflect.TypeFor[T]())
		ls.copyPart, ls.wipeLane = ls.copyOne, ls.wipeOne
	}
	if len(ls.list) > max(keptLanes, 4*p.Workers) { // an earlier phase had many more workers
		if kept := max(keptLanes, p.Workers, runtime.GOMAXPROCS(0)); len(ls.list) > kept {
			ls.list = slices.Clone(ls.list[:kept])
		}
	}
	for len(ls.list) < p.Workers {
		ls.list = append(ls.list, &Lane[T]{of: ls})
	}
	for _, l := range ls.list[:p.Workers] {
		l.begin()
	}
	ls.open = true
	p.State = ls
}

// Of returns the lane of the worker that a view is bound for. It is what a view's Bind takes.
func Of[T any](b safety.Binding) *Lane[T] {
	ls, ok := b.State().(*Lanes[T])
	if !ok {
		panic(safety.NewViolation(safety.ErrArgument, "a view took a lane of "+reflect.TypeFor[T]().String()+" where its container has opened none",
			"A container that has lanes implements safety.Phased: its OpenPhase calls the lanes' Open."))
	}
	return ls.Lane(b.Worker())
}

// untaken returns what to panic with when a run begins in a view that has no lane.
func untaken() error {
	return safety.NewViolation(safety.ErrArgument, "a run of batches began in a view that has no lane",
		"A view that appends to a lane takes it when it is bound: its Bind calls lane.Of, or the Lane of its container's Lanes.")
}

// Lane returns the lane of a worker, for containers that have a State of their own.
func (ls *Lanes[T]) Lane(worker int) *Lane[T] { return ls.list[worker] }

// Seal ends the phase; it is what a container's SealPhase calls, in every mode. It puts the runs that count into the
// order of the sequential loop and calls add with their items, once, also when there are none: the container
// copies them, or takes their memory. A number of items that overflows, which only items without a size
// can have, is math.MaxInt there, for the container to refuse. The items of a nested job go to the lane it was lent instead, at its end,
// and add is not called. Then the lanes are empty, also when add panics.
//
// Cost: sorting the runs, most often one or a few for each worker; clearing what was appended, if it may hold
// pointers, in parallel where there is much of it.
func (ls *Lanes[T]) Seal(p *safety.Phase, add func(Items[T])) {
	if p.Mode != safety.Append {
		return
	}
	ls = p.State.(*Lanes[T])
	defer ls.end()
	ls.sort(p.Kept)
	items := Items[T]{ls, p.Parallel}
	if into, _ := p.Into.(*Lane[T]); into != nil {
		for piece := range items.Pieces() {
			into.AppendAll(nil, piece)
		}
		into.split()
	} else {
		add(items)
	}
	if ls.holds && !ls.taken && ls.total >= count[T](partBytes) {
		p.Parallel(len(ls.list), ls.wipeLane)
	}
}

// sort finds the runs that count, and their order. It keeps (I3).
//
//go:norace
func (ls *Lanes[T]) sort(kept int) {
	if atom.Race {
		ls.order = nil // what sorts is seen by the detector
	}
	ls.kept = kept
	for i, l := range ls.list {
		for k := range l.runs {
			if begin, end := l.bounds(k); begin != end && l.runs[k].first < kept {
				ls.order = append(ls.order, ref{first: l.runs[k].first, lane: int32(i), run: int32(k)})
			}
		}
	}
	slices.SortFunc(ls.order, func(a, b ref) int { return cmp.Compare(a.first, b.first) })
	n := 0
	for i := range ls.order {
		r := &ls.order[i]
		r.before = n
		l := ls.list[r.lane]
		n = amount.Sum(n, l.length(l.bounds(int(r.run))))
	}
	ls.total = n
}

// end makes the lanes what they are outside phases.
//
//go:norace
func (ls *Lanes[T]) end() {
	for _, l := range ls.list {
		if l.wipe(ls.holds, ls.taken); ls.shared != nil {
			l.give(ls.shared)
		}
	}
	ls.order = ls.order[:0]
	ls.total, ls.kept = 0, 0
	ls.taken = false
	ls.dst, ls.lent, ls.placed = nil, nil, 0
	ls.open = false
}

func (ls *Lanes[T]) wipeOne(k int) { ls.list[k].wipe(true, false) }

// Trim gives the memory that is kept for later phases back to the garbage collector, which comes for what Reuse was given by
// itself. During a phase it does nothing.
//
//go:norace
func (ls *Lanes[T]) Trim() {
	if !ls.open {
		ls.list, ls.order = nil, nil
	}
}

// Bytes returns how much memory is kept for later phases, in bytes: what Trim gives back. What Reuse was given, and what is in [Chunks], is not among it,
// because the garbage collector may have that. It is called outside phases.
//
// Cost: a look at each chunk, of which a worker has one for each 256 KiB that it has appended, and a few shorter ones.
//
//go:norace
func (ls *Lanes[T]) Bytes() int {
	n := word.Bytes(ls.list) + word.Bytes(ls.order)
	for _, l := range ls.list {
		n += l.bytes()
	}
	return n
}

// Reuse gives a slice that [Items.Take] has handed out back, for the chunks of later phases. Nobody may use it any more, nor a
// part of it, and its items must not keep anything alive. Any goroutine may, at any time. Slices that are no whole chunk of
// 256 KiB are left to the garbage collector, and so are the others when there is no phase that needs them.
func (ls *Lanes[T]) Reuse(piece []T) {
	ls.from().give(piece)
}

// Share has the lanes take large chunks from c, and give them back when a phase ends. So containers of one type that are appended to one after the other,
// by large loops, use the same memory, which the garbage collector may have between the phases. It is called before the first phase.
func (ls *Lanes[T]) Share(c *Chunks[T]) { ls.shared = c }

// from returns where spare chunks are.
func (ls *Lanes[T]) from() *Chunks[T] {
	if ls.shared != nil {
		return ls.shared
	}
	return &ls.own
}

// chunk returns memory for n items.
//
//go:norace
func (ls *Lanes[T]) chunk(n int) []T {
	if n == count[T](mostBytes) {
		if s := ls.from().spares.Take(); s != nil {
			return *s
		}
	}
	return make([]T, n)
}
