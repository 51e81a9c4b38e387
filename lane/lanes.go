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

// Lanes are the lanes of the job that holds a container in mode Append: a [Lane] for each worker.
// A container has a field of type Lanes and passes its phases on to it. The zero value is ready. A
// Lanes must not be copied.
//
// A Lanes keeps its memory from phase to phase, but no items. So a container that loops of the same
// size append to again and again allocates nothing. [Lanes.Trim] drops the memory. With
// [Lanes.Share] most of it goes to whichever container is appended to next.
//
// Memory: what the workers append, in chunks of 1 KiB to 256 KiB, and two cache lines a worker.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Open               driver         wait-free           O(workers)          lanes, at first
//	Seal               driver         waits: for helpers  O(spans log spans)  never; some if shared
//	Lane               driver         wait-free           O(1)                never
//	Lend, Share, Trim  owner changes  wait-free           O(1)                never
//	Bytes              owner reads    wait-free           O(chunks)           never
//	Reuse              any time       as sync.Pool        O(1)                never; one if a chunk
type Lanes[T any] struct {
	list  []*Lane[T]
	open  bool
	holds bool // items may keep memory alive; set by the first Open

	// During Seal:
	order []ref // see sort
	total int   // number of their items
	kept  int   // number of kept batches
	taken bool  // the chunks have another owner
	dst   []T   // what copyOne copies to
	first int   // number of the first item that copyOne copies
	part  int   // number of items that copyOne copies at a time

	dest   []T // the destination; nil if the container lent none
	placed int // number of items that CopyTo put or left in the destination

	own    atom.Spares[[]T] // chunks of the largest size
	shared *Lanes[T]        // lanes whose own is used instead; or nil

	copyPart func(k int) // copyOne and wipeOne as functions, made once
	wipeLane func(k int)
}

// keptLanes is the number of lanes that Open keeps in any case. If a phase has fewer workers than a
// quarter of the lanes, Open keeps as many as the greatest of keptLanes, Workers and GOMAXPROCS.
const keptLanes = 16

// ref is a span that counts.
type ref struct {
	first      int // its first batch
	before     int // number of items in the spans before it
	lane, span int32
}

// Open begins a phase. A container's OpenPhase calls it in every mode. It does nothing in modes
// other than Append. It stores the lanes in p.State, where [Of] finds them. If p.Into is a lane,
// the job is nested: it gets other lanes, whose items Seal will append to that lane.
//
// A container with several Lanes, or with a State of its own, opens each Lanes with a copy of p
// that has the State and Into of that Lanes.
//
// A second Open before Seal is a violation: either a view that a body passed on did not name its
// lane as the Into of its claim, or the container does not call Seal.
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
		panic(safety.NewViolation(safety.ErrArgument,
			"the lanes of a container were opened for a job while those of another one were open",
			"A view that appends to a lane names it as the Into of its claim, so that a nested job appends"+
				" to the lane of the body that lent the view on;"+
				" and a container's SealPhase calls the lanes' Seal."))
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
		l.open = true
	}
	ls.open = true
	p.State = ls
}

// Of returns the lane of the worker that a view is bound for. A view's Bind calls it.
func Of[T any](b safety.Binding) *Lane[T] {
	ls, ok := b.State().(*Lanes[T])
	if !ok {
		panic(safety.NewViolation(safety.ErrArgument,
			"a view took a lane of "+reflect.TypeFor[T]().String()+" where its container has opened none",
			"A container that has lanes implements safety.Phased: its OpenPhase calls the lanes' Open."))
	}
	return ls.Lane(b.Worker())
}

// Lane returns the lane of a worker. It is for containers with a State of their own.
func (ls *Lanes[T]) Lane(worker int) *Lane[T] { return ls.list[worker] }

// Seal ends the phase. A container's SealPhase calls it in every mode. Seal calls add once with the
// items of the spans that count, also if there are none, and the container copies them or takes
// their memory. If their number overflows, which only items without a size can cause, Len is
// math.MaxInt and the container refuses it. Seal appends the items of a nested job to the lane of
// the job around it instead, and does not call add. The lanes are empty afterwards, also when add
// panics.
//
// Cost: sorting the spans, most often one or a few for each worker; and clearing what was appended
// if it may hold pointers, in parallel if there is much.
func (ls *Lanes[T]) Seal(p *safety.Phase, add func(Items[T])) {
	if p.Mode != safety.Append {
		return
	}
	ls = p.State.(*Lanes[T])
	defer ls.end()
	ls.sort(p.Kept)
	if into, _ := p.Into.(*Lane[T]); into != nil {
		for _, r := range ls.order {
			ls.list[r.lane].pieces(int(r.span), func(piece []T) bool {
				into.AppendAll(nil, piece)
				return true
			})
		}
		into.split()
	} else {
		add(Items[T]{ls, p.Parallel})
	}
	if ls.holds && !ls.taken && ls.total >= count[T](partBytes) {
		p.Parallel(len(ls.list), ls.wipeLane)
	}
}

// sort sets order to the spans that count and are not empty, in the order of the sequential loop
// (I3), and total to the number of their items. An empty span may be among them: after leaveDest,
// or if AvailableBuffer has called grow, its end is in the next chunk.
//
//go:norace
func (ls *Lanes[T]) sort(kept int) {
	if atom.Race {
		ls.order = nil // the detector sees the writes of SortFunc
	}
	ls.kept = kept
	for i, l := range ls.list {
		for k := range l.spans {
			if begin, end := l.bounds(k); begin != end && l.spans[k].first < kept {
				ls.order = append(ls.order, ref{first: l.spans[k].first, lane: int32(i), span: int32(k)})
			}
		}
	}
	sortByFirst(ls.order)
	n := 0
	for i := range ls.order {
		r := &ls.order[i]
		r.before = n
		l := ls.list[r.lane]
		n = amount.Sum(n, l.length(l.bounds(int(r.span))))
	}
	ls.total = n
}

// sortByFirst is compiled once.
func sortByFirst(all []ref) {
	slices.SortFunc(all, func(a, b ref) int { return cmp.Compare(a.first, b.first) })
}

// end ends the phase: it wipes the lanes, and gives their large chunks back if those are shared.
//
//go:norace
func (ls *Lanes[T]) end() {
	for _, l := range ls.list {
		if l.wipe(ls.holds, ls.taken); ls.shared != nil {
			l.give()
		}
	}
	ls.order = ls.order[:0]
	ls.total, ls.kept, ls.taken = 0, 0, false
	ls.dst, ls.dest, ls.placed = nil, nil, 0
	ls.open = false
}

// wipeOne wipes the k-th lane, whose items may keep memory alive and whose chunks it keeps.
func (ls *Lanes[T]) wipeOne(k int) { ls.list[k].wipe(true, false) }

// Trim drops the memory that is kept for later phases. The garbage collector takes what Reuse was
// given by itself. During a phase Trim does nothing.
//
//go:norace
func (ls *Lanes[T]) Trim() {
	if !ls.open {
		ls.list, ls.order = nil, nil
	}
}

// Bytes returns the size in bytes of the memory that Trim drops. It does not count spare chunks,
// which the garbage collector may take. Bytes is called outside phases.
//
// Cost: O(1) for each chunk. A worker has one for each 256 KiB that it has appended, and a few
// shorter ones.
//
//go:norace
func (ls *Lanes[T]) Bytes() int {
	n := word.Bytes(ls.list) + word.Bytes(ls.order)
	for _, l := range ls.list {
		n += l.bytes()
	}
	return n
}
