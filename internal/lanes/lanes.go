package lanes

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

// Lanes is lane.Lanes without its type.
type Lanes struct {
	Elem *elem.Type // set before the first Open
	most int        // places in the longest chunk of several items; set by Open
	list []*Lane
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

	own    atom.Pool // of chunks of the largest size
	shared *Lanes    // lanes whose own is used instead; or nil

	copyPart func(k int) // copyOne as a function, made once
	wipeLane func(k int) // wipes a lane whose items may keep memory alive, and keeps its chunks
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

// into returns the lane to which the items of the phase go, or nil.
func (ls *Lanes) into(p *safety.Phase) *Lane {
	if l, ok := p.Into.(*Lane); ok && l.Fits(ls) {
		return l
	}
	return nil
}

// Fits reports whether the lane, which may be nil, has items of the type of lanes that were opened.
func (l *Lane) Fits(ls *Lanes) bool { return l != nil && ls.Elem != nil && l.of.Elem.Of == ls.Elem.Of }

// Open is Open of a lane.Lanes.
//
//go:norace
func (ls *Lanes) Open(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
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
		ls.most = ls.count(mostBytes)
		ls.copyPart, ls.wipeLane = ls.copyOne, func(k int) { ls.list[k].wipe(true, false) }
	}
	if len(ls.list) > max(keptLanes, 4*p.Workers) { // an earlier phase had many more workers
		if kept := max(keptLanes, p.Workers, runtime.GOMAXPROCS(0)); len(ls.list) > kept {
			ls.list = slices.Clone(ls.list[:kept])
		}
	}
	for len(ls.list) < p.Workers {
		ls.list = append(ls.list, &Lane{of: ls})
	}
	for _, l := range ls.list[:p.Workers] {
		l.open = true
	}
	ls.open = true
	p.State = ls
}

// Of is lane.Of. items is a nil pointer to an item, or nil for a view that knows the type of its
// lane.
func Of(b safety.Binding, items any) *Lane {
	state := b.State()
	if s, ok := state.(interface{ Lanes() any }); ok {
		state = s.Lanes()
	}
	all, ok := state.([]any) // of several Lanes
	if !ok {
		all = []any{state}
	}
	of := reflect.TypeOf(items)
	for _, state := range all {
		if ls, ok := state.(*Lanes); ok && (of == nil || of.Elem() == ls.Elem.Of) {
			return ls.list[b.Worker()]
		}
	}
	what := "a lane"
	if of != nil {
		what += " of " + of.Elem().String()
	}
	panic(safety.NewViolation(safety.ErrArgument, "a view took "+what+" where its container has opened none",
		"A container that has lanes implements safety.Phased: its OpenPhase calls the lanes' Open."))
}

// Lane is Lane of a lane.Lanes.
func (ls *Lanes) Lane(worker int) *Lane { return ls.list[worker] }

// Seal is Seal of a lane.Lanes.
func (ls *Lanes) Seal(p *safety.Phase, add func(Items)) {
	l := ls.into(p)
	if l != nil {
		ls = l.nested
	}
	if p.Mode != safety.Append || ls == nil || !ls.open {
		return
	}
	defer ls.end()
	ls.sort(p.Kept)
	if l != nil {
		for _, r := range ls.order {
			ls.list[r.lane].pieces(int(r.span), func(p elem.Pointer, n int) bool {
				l.AppendItems(p, n)
				return true
			})
		}
		l.split()
	} else {
		add(Items{ls, p.Parallel})
	}
	if ls.Elem.Holds && !ls.taken && ls.total >= ls.count(partBytes) {
		p.Parallel(len(ls.list), ls.wipeLane)
	}
}

// sort sets order to the spans that count and are not empty, in the order of the sequential loop
// (I3), and total to the number of their items. An empty span may be among them: after leaveDest,
// or if AvailableBuffer has called grow, its end is in the next chunk.
//
//go:norace
func (ls *Lanes) sort(kept int) {
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
func (ls *Lanes) end() {
	for _, l := range ls.list {
		if l.wipe(ls.Elem.Holds, ls.taken); ls.shared != nil {
			l.give()
		}
	}
	ls.order = ls.order[:0]
	ls.total, ls.kept, ls.taken = 0, 0, false
	ls.dst, ls.dest, ls.placed = chunk{}, chunk{}, 0
	ls.open = false
}

// Trim is Trim of a lane.Lanes.
//
//go:norace
func (ls *Lanes) Trim() {
	if !ls.open {
		ls.list, ls.order = nil, nil
	}
}

// Bytes is Bytes of a lane.Lanes.
//
//go:norace
func (ls *Lanes) Bytes() int {
	n := word.Bytes(ls.list) + word.Bytes(ls.order)
	for _, l := range ls.list {
		n += l.bytes()
	}
	return n
}
