package spec

import (
	"fmt"
	"strconv"

	"example.com/custody/internal/linear"
)

// MapIn is an operation of a map.
type MapIn struct {
	Op    Op
	Key   int
	Value int // of Store, LoadOrStore and Swap, and the new one of CompareAndSwap and Compute
	Old   int // of CompareAndSwap and CompareAndDelete
	// Seen and SeenOK are the arguments of a Compute's function. Drop reports whether the function
	// deleted the key.
	Seen         int
	SeenOK, Drop bool
}

// MapOut is the answer of a map.
type MapOut struct {
	Value int
	OK    bool
	N     int // of Len
}

// Entry is the state of one key of a map.
type Entry struct {
	Value int
	// Present reports whether the map has the key. Value is 0 if not.
	Present bool
}

// String returns the value, or "none".
func (e Entry) String() string {
	if !e.Present {
		return "none"
	}
	return strconv.Itoa(e.Value)
}

// Map is the specification of a map from keys to values. Each key is a part of its own.
//
//	Load              answers the Value. OK false: the key was absent
//	Store             stores Value; no answer
//	LoadOrStore       answers the existing Value, with OK true. OK false: the key was absent, and the
//	                  operation stored Value and answers it
//	LoadAndDelete     deletes the key and answers its Value. OK false: the key was absent
//	Delete            deletes the key; no answer
//	Swap              stores Value and answers the previous one. OK false: the key was absent
//	CompareAndSwap    replaces Old by Value. OK false: the key was absent or its value was not Old
//	CompareAndDelete  deletes the key. OK false: the key was absent or its value was not Old
//	Compute           gave its function Seen and SeenOK, the previous value, and stored Value or,
//	                  with Drop, deleted the key. It answers the Value, and in OK whether the key is
//	                  present
//	Len               answers the number of keys, N. It is weakly consistent: it counts each key
//	                  that is present for its whole interval once, and each key that is present for
//	                  part of the interval at most once
//
// A pending Compute is in the history only if its function was called, because Seen and Value are
// unknown before. A Compute whose function was not called has no effect.
func Map() *linear.Spec[Entry, MapIn, MapOut] {
	return &linear.Spec[Entry, MapIn, MapOut]{
		Step:   mapStep,
		Next:   mapNext,
		Reads:  mapReads,
		Weak:   func(in MapIn) bool { return in.Op == Len },
		Bounds: mapBounds,
		Part:   func(in MapIn) string { return strconv.Itoa(in.Key) },
		Text:   mapText,
	}
}

func mapStep(s Entry, in MapIn, out MapOut) (Entry, bool) {
	was := out.Value == s.Value || !s.Present
	was = was && out.OK == s.Present // the answer is the previous value
	put := Entry{in.Value, true}
	switch in.Op {
	case Load:
		return s, was
	case Store:
		return put, true
	case LoadOrStore:
		if s.Present {
			return s, was
		}
		return put, !out.OK && out.Value == in.Value
	case LoadAndDelete:
		return Entry{}, was
	case Delete:
		return Entry{}, true
	case Swap:
		return put, was
	case CompareAndSwap:
		same := s.Present && s.Value == in.Old
		if !same {
			return s, !out.OK
		}
		return put, out.OK
	case CompareAndDelete:
		if !s.Present || s.Value != in.Old {
			return s, !out.OK
		}
		return Entry{}, out.OK
	case Compute:
		if in.SeenOK != s.Present || s.Present && in.Seen != s.Value {
			return s, false
		}
		if in.Drop {
			return Entry{}, !out.OK
		}
		return put, out.OK && out.Value == in.Value
	}
	unknown(in.Op, "Map")
	return s, false
}

func mapNext(s Entry, in MapIn) []Entry {
	switch in.Op {
	case Load:
		return nil
	case LoadOrStore:
		if s.Present {
			return nil
		}
	case CompareAndSwap:
		if !s.Present || s.Value != in.Old {
			return nil
		}
	case CompareAndDelete:
		if !s.Present || s.Value != in.Old {
			return nil
		}
		return []Entry{{}}
	case LoadAndDelete, Delete:
		return []Entry{{}}
	case Compute:
		if in.SeenOK != s.Present || s.Present && in.Seen != s.Value {
			return nil
		}
		if in.Drop {
			return []Entry{{}}
		}
	}
	return []Entry{{in.Value, true}}
}

// mapReads reports whether the answer means that nothing changed.
func mapReads(in MapIn, out MapOut) bool {
	switch in.Op {
	case Load:
		return true
	case LoadOrStore:
		return out.OK
	case LoadAndDelete, CompareAndSwap, CompareAndDelete:
		return !out.OK
	}
	return false
}

// leaves reports in which state an operation that took effect leaves its key. mayPut and puts
// report whether it possibly or certainly leaves the key present, mayTake and takes whether it
// possibly or certainly leaves the key absent.
func (in MapIn) leaves(out MapOut, pending bool) (mayPut, puts, mayTake, takes bool) {
	switch in.Op {
	case Store, Swap, LoadOrStore: // a LoadOrStore that loaded found the key present
		mayPut, puts = true, true
	case CompareAndSwap:
		mayPut, puts = out.OK || pending, out.OK
	case Compute:
		mayPut, puts, mayTake, takes = !in.Drop, !in.Drop, in.Drop, in.Drop
	case Delete:
		mayTake, takes = true, true
	case LoadAndDelete:
		mayTake, takes = out.OK || pending, true
	case CompareAndDelete:
		mayTake, takes = out.OK || pending, out.OK
	}
	if pending {
		puts, takes = false, false
	}
	return mayPut, puts, mayTake, takes
}

// mapBounds judges a Len by the numbers of keys that certainly and possibly were present.
func mapBounds(h []linear.Op[MapIn, MapOut], i int) error {
	w := window[MapIn, MapOut]{h, i}
	certain, possible := map[int]bool{}, map[int]bool{}
	for k := range h {
		o := &h[k]
		mayPut, puts, _, _ := o.In.leaves(o.Out, o.Pending())
		if mayPut && w.possible(k, func(t int) bool {
			_, _, _, takes := h[t].In.leaves(h[t].Out, h[t].Pending())
			return takes && h[t].In.Key == o.In.Key
		}) {
			possible[o.In.Key] = true
		}
		if puts && w.certain(k, func(t int) bool {
			_, _, mayTake, _ := h[t].In.leaves(h[t].Out, h[t].Pending())
			return mayTake && h[t].In.Key == o.In.Key
		}) {
			certain[o.In.Key] = true
		}
	}
	if n := h[i].Out.N; n < len(certain) || n > len(possible) {
		return fmt.Errorf("there were between %d and %d keys", len(certain), len(possible))
	}
	return nil
}

func mapText(in MapIn, out MapOut) string {
	answer := valueText(out.Value, out.OK)
	switch in.Op {
	case Store:
		return fmt.Sprintf("Store(%d, %d)", in.Key, in.Value)
	case Delete:
		return fmt.Sprintf("Delete(%d)", in.Key)
	case Load, LoadAndDelete:
		return fmt.Sprintf("%v(%d) = %s", in.Op, in.Key, answer)
	case LoadOrStore:
		return fmt.Sprintf("LoadOrStore(%d, %d) = %d, %t", in.Key, in.Value, out.Value, out.OK)
	case Swap:
		return fmt.Sprintf("Swap(%d, %d) = %s", in.Key, in.Value, answer)
	case CompareAndSwap:
		return fmt.Sprintf("CompareAndSwap(%d, %d, %d) = %t", in.Key, in.Old, in.Value, out.OK)
	case CompareAndDelete:
		return fmt.Sprintf("CompareAndDelete(%d, %d) = %t", in.Key, in.Old, out.OK)
	case Compute:
		did := strconv.Itoa(in.Value)
		if in.Drop {
			did = "delete"
		}
		return fmt.Sprintf("Compute(%d, %s to %s) = %s", in.Key, valueText(in.Seen, in.SeenOK), did, answer)
	case Len:
		return fmt.Sprintf("Len() = %d", out.N)
	}
	return in.Op.String() + "()"
}
