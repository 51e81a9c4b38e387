package safety

import (
	"reflect"
	"strconv"
	"strings"

	"example.com/custody/internal/phrase"
)

// Text returns what the String method of a container says: its type and name, and then what is so now: what look says, who holds it and
// how, whether it is split, or was disposed. It is what %v prints, and what a debugger or a log wants to know of a container at any time:
//
//	array.List[int32] "costs": 12 elements; job Router (field Costs), scheduled at router.go:88, reads it and has not finished
//
// It may be called by any goroutine at any time, inside bodies too, and for a container that was never made, was copied, or was disposed: it
// is never a violation, and changes nothing. It waits for nobody but, for a moment, who has the lock of the ledger on this container.
//
// look says what may be looked at, as in "12 elements", or nothing. It is called only while the container may be read or used by its
// linearizable operations, and under no lock. But nobody is kept from taking the container meanwhile, nor is it known that the caller is
// ordered with its owner: so look must be safe beside any use of the container, must not wait for whoever might be printing it, and must not check the
// guard, for that could refuse. A number that is kept in one word, and read by a function that is marked go:norace, is right; an element is not. It may be
// nil. owner is the container, for one that was never made.
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
	if len(parts) == 0 {
		return g.Container()
	}
	return g.Container() + ": " + strings.Join(parts, "; ")
}

// toldHolders is up to how many jobs that hold a container a text tells of, or one more.
const toldHolders = 3

// endText says how a container has ended whose word that is, or nothing.
func (g *Guard) endText(w uint64) string {
	switch {
	case w&dead == 0:
		return ""
	case g.partOf != nil && g.partOf.joined():
		return "joined with the other parts"
	}
	return "disposed"
}

// typeText names the type of a container that has no name.
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
