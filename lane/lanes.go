package lane

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
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
	_  [0]*T // Lanes of other items do not convert
	of lanes
}

// lanes are [Lanes] of any type of items. Lanes are their lanes and nothing else.
type lanes struct {
	elem *elem.Type // set by the first Open
	list []*lane
	open bool

	// During Seal:
	order []ref // see sort
	total int   // number of their items
	kept  int   // number of kept batches
	taken bool  // the chunks have another owner
	dst   chunk // what copyOne copies to
	first int   // number of the first item that copyOne copies
	part  int   // number of items that copyOne copies at a time

	dest   chunk // the destination; of no items if the container lent none
	placed int   // number of items that CopyTo put or left in the destination

	own    atom.Spares[chunk] // chunks of the largest size
	shared *lanes             // lanes whose own is used instead; or nil

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
// that has the Into of that Lanes. Where p.State is not what Open of lanes of this type has
// stored, Seal ends the phase of these lanes, if it has begun.
//
// A second Open before Seal is a violation: either a view that a body passed on did not name its
// lane as the Into of its claim, or the container does not call Seal.
//
//go:norace
func (ls *Lanes[T]) Open(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	if ls.of.elem == nil {
		ls.of.elem = elem.TypeOf[T]()
	}
	ls.of.begin(p)
}

// cored is a Lane.
type cored interface{ core() *lane }

// into returns the lane to which the items of the phase go, or nil.
func (ls *lanes) into(p *safety.Phase) *lane {
	if l, ok := p.Into.(cored); ok && l.core() != nil && l.core().of.elem.Of == ls.elem.Of {
		return l.core()
	}
	return nil
}

// begin implements Open.
//
//go:norace
func (ls *lanes) begin(p *safety.Phase) {
	if l := ls.into(p); l != nil {
		ls = l.inner()
	}
	if safety.Enabled && ls.open {
		panic(safety.NewViolation(safety.ErrArgument,
			"the lanes of a container were opened for a job while those of another one were open",
			"A view that appends to a lane names it as the Into of its claim, so that a nested job appends"+
				" to the lane of the body that lent the view on;"+
				" and a container's SealPhase calls the lanes' Seal."))
	}
	if ls.copyPart == nil {
		ls.copyPart, ls.wipeLane = ls.copyOne, ls.wipeOne
	}
	if len(ls.list) > max(keptLanes, 4*p.Workers) { // an earlier phase had many more workers
		if kept := max(keptLanes, p.Workers, runtime.GOMAXPROCS(0)); len(ls.list) > kept {
			ls.list = slices.Clone(ls.list[:kept])
		}
	}
	for len(ls.list) < p.Workers {
		ls.list = append(ls.list, &lane{of: ls})
	}
	for _, l := range ls.list[:p.Workers] {
		l.open = true
	}
	ls.open = true
	p.State = ls
}

// Of returns the lane of the worker that a view is bound for. A view's Bind calls it. A State of
// the container's own that has a method Lanes() any returns what Open has stored.
func Of[T any](b safety.Binding) *Lane[T] {
	return (*Lane[T])(elem.Pointer(laneOf(b.State(), b.Worker(), (*T)(nil))))
}

// laneOf is Of; items is a nil pointer to an item.
func laneOf(state any, worker int, items any) *lane {
	of := reflect.TypeOf(items).Elem()
	if s, ok := state.(interface{ Lanes() any }); ok {
		state = s.Lanes()
	}
	ls, ok := state.(*lanes)
	if !ok || ls.elem.Of != of && of != reflect.TypeFor[elem.Raw]() { // Raw: items without their type
		panic(safety.NewViolation(safety.ErrArgument,
			"a view took a lane of "+of.String()+" where its container has opened none",
			"A container that has lanes implements safety.Phased: its OpenPhase calls the lanes' Open."))
	}
	return ls.list[worker]
}

func init() {
	elem.SetLanes = func(of elem.Pointer, items *elem.Type) { (*lanes)(of).elem = items }
	elem.Next = next
}

// next is Append of an item that the caller writes to where next returns.
//
//go:norace
func next(of elem.Pointer, by *safety.Hold) elem.Pointer {
	l := (*Lane[elem.Raw])(of)
	if safety.Strict || l == nil || !l.TryAppend(elem.Raw{}) {
		l.Append(by, elem.Raw{})
	}
	return l.of.of.elem.At(l.of.buf, l.of.n-1)
}

// Lane returns the lane of a worker. It is for containers with a State of their own.
func (ls *Lanes[T]) Lane(worker int) *Lane[T] { return (*Lane[T])(elem.Pointer(ls.of.list[worker])) }

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
	if p.Mode == safety.Append {
		ls.of.now(p).seal(p, func(ls *lanes) { add(Items[T]{of: ls, parallel: p.Parallel}) })
	}
}

// now returns the lanes of the phase: those that Open has stored, or those of the container.
func (ls *lanes) now(p *safety.Phase) *lanes {
	if s, ok := p.State.(*lanes); ok && (ls.elem == nil || s.elem.Of == ls.elem.Of) {
		return s
	}
	return ls
}

// seal implements Seal.
func (ls *lanes) seal(p *safety.Phase, add func(*lanes)) {
	if !ls.open {
		return
	}
	defer ls.end()
	ls.sort(p.Kept)
	if l := ls.into(p); l != nil {
		for _, r := range ls.order {
			ls.list[r.lane].pieces(int(r.span), func(p elem.Pointer, n int) bool {
				l.appendAll(p, n)
				return true
			})
		}
		l.split()
	} else {
		add(ls)
	}
	if ls.elem.Holds && !ls.taken && ls.total >= ls.count(partBytes) {
		p.Parallel(len(ls.list), ls.wipeLane)
	}
}

// sort sets order to the spans that count and are not empty, in the order of the sequential loop
// (I3), and total to the number of their items. An empty span may be among them: after leaveDest,
// or if AvailableBuffer has called grow, its end is in the next chunk.
//
//go:norace
func (ls *lanes) sort(kept int) {
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

func sortByFirst(all []ref) {
	slices.SortFunc(all, func(a, b ref) int { return cmp.Compare(a.first, b.first) })
}

// end ends the phase: it wipes the lanes, and gives their large chunks back if those are shared.
//
//go:norace
func (ls *lanes) end() {
	for _, l := range ls.list {
		if l.wipe(ls.elem.Holds, ls.taken); ls.shared != nil {
			l.give()
		}
	}
	ls.order = ls.order[:0]
	ls.total, ls.kept, ls.taken = 0, 0, false
	ls.dst, ls.dest, ls.placed = chunk{}, chunk{}, 0
	ls.open = false
}

// wipeOne wipes the k-th lane, whose items may keep memory alive and whose chunks it keeps.
func (ls *lanes) wipeOne(k int) { ls.list[k].wipe(true, false) }

// Trim drops the memory that is kept for later phases. The garbage collector takes what Reuse was
// given by itself. During a phase Trim does nothing.
//
//go:norace
func (ls *Lanes[T]) Trim() {
	if !ls.of.open {
		ls.of.list, ls.of.order = nil, nil
	}
}

// Bytes returns the size in bytes of the memory that Trim drops. It does not count spare chunks,
// which the garbage collector may take. Bytes is called outside phases.
//
// Cost: O(1) for each chunk. A worker has one for each 256 KiB that it has appended, and a few
// shorter ones.
//
//go:norace
func (ls *Lanes[T]) Bytes() int { return ls.of.bytes() }

// bytes implements Bytes.
//
//go:norace
func (ls *lanes) bytes() int {
	n := word.Bytes(ls.list) + word.Bytes(ls.order)
	for _, l := range ls.list {
		n += l.bytes()
	}
	return n
}
