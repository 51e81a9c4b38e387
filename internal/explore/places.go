package explore

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"example.com/custody/internal/sched"
)

// places are where in a program lines are used, by number.
type places struct {
	ids   map[[depth]uintptr]int
	names []string
	index map[string]int
	met   map[[2]int]int // how often a line came to a place from a processor that was at another
}

// depth is the number of callers that are looked at. A place is the innermost of them outside of
// this package and of those that stand for sync/atomic.
const depth = 10

// note returns the place at which the running task uses a line, and notes it. The line has come
// from another processor or not.
func (p *places) note(l *line, came bool) {
	at := p.here()
	if came {
		if p.met == nil {
			p.met = map[[2]int]int{}
		}
		p.met[[2]int{l.place, at}]++
	}
	l.place = at
}

// here returns the number of the place at which the running task is.
func (p *places) here() int {
	var pcs [depth]uintptr
	runtime.Callers(5, pcs[:])
	if id, ok := p.ids[pcs]; ok {
		return id
	}
	name := placeOf(pcs[:])
	if p.ids == nil {
		p.ids, p.index, p.names = map[[depth]uintptr]int{}, map[string]int{"": 0}, []string{""}
	}
	id, ok := p.index[name]
	if !ok {
		id = len(p.names)
		p.names = append(p.names, name)
		p.index[name] = id
	}
	p.ids[pcs] = id
	return id
}

// placeOf returns the function and line of a place.
func placeOf(pcs []uintptr) string {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" && sched.Outside(f.Function) && !strings.Contains(f.Function, "/internal/explore.") {
			return sched.PlaceOf(f)
		}
		if !more {
			return ""
		}
	}
}

// all returns the meetings, those with the most transfers first.
func (p *places) all() []Meeting {
	var all []Meeting
	for k, n := range p.met {
		all = append(all, Meeting{From: p.names[k[0]], To: p.names[k[1]], Transfers: n})
	}
	slices.SortFunc(all, func(a, b Meeting) int {
		return cmp.Or(cmp.Compare(b.Transfers, a.Transfers), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return all
}
