package safety

import (
	"reflect"
	"strconv"
	"strings"

	"example.com/custody/internal/phrase"
)

// Text returns what the String method of a container returns: its type and name, then its present
// state: what look returns, the jobs that hold it and how, whether it is split, or was disposed.
//
//	array.List[int32] "costs": 12 elements; job Router (field Costs), scheduled at
//	router.go:88, reads it and has not finished
//
// Any goroutine may call it at any time, also inside bodies, and for a container that was never
// made, was copied, or was disposed. It is never a violation, and changes nothing. It waits only
// for the ledger's lock on this container, for a moment.
//
// look returns what may be looked at, as in "12 elements", or nothing; it may be nil. It is called
// only while the container may be read or used by its linearizable operations, and under no lock. A
// job may take the container meanwhile, and the caller need not be ordered with its owner. So look
// must be safe beside any use of the container, must not wait, and must not check the guard. It may
// load a number of one word in a function that is marked go:norace; it may not read an element.
//
// owner is the container, for one that was never made.
//
//	func (s *Stack[T]) String() string {
//		if s == nil {
//			return "<nil>"
//		}
//		return s.guard.Text(s, nil)
//	}
func (g *Guard) Text(owner any, look func() string) string {
	w := g.word.Load()
	switch {
	case w&live == 0:
		return typeText(owner) + ": never made"
	case g.copied(): // its lock is a copy too
		return g.Container() + ": a copy of its struct"
	}
	var parts []string
	if ended := g.endText(w); ended != "" {
		parts = append(parts, ended)
	} else if look != nil && (w&noRead == 0 || w&noShared == 0) {
		if what := look(); what != "" {
			parts = append(parts, what)
		}
	}
	held, d := g.holders()
	if d != nil {
		parts = append(parts, "split into "+phrase.Amount(len(d.parts), "part")+" at "+d.site.String())
	}
	for i := range held {
		if rest := len(held) - i; i >= toldHolders && rest > 1 {
			parts = append(parts, strconv.Itoa(rest)+" more jobs hold it")
			break
		}
		parts = append(parts, held[i].text())
	}
	return strings.TrimSuffix(g.Container()+": "+strings.Join(parts, "; "), ": ")
}

// toldHolders is how many holders a text names before it counts the others, if they are several.
const toldHolders = 3

// endText returns how the container with that custody word has ended, or nothing if it has not.
func (g *Guard) endText(w uint64) string {
	switch {
	case w&dead == 0:
		return ""
	case g.partOf != nil && g.partOf.joined():
		return "joined with the other parts"
	}
	return "disposed"
}

// typeText returns the type of a container.
func typeText(owner any) string {
	t := reflect.TypeOf(owner)
	if t == nil {
		return "a container"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.String()
}
