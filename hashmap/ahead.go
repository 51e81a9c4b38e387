package hashmap

import "example.com/custody/internal/atom"

// ahead has the memory of the next keys fetched, all at the same time, for who looks at one key after the other: where their groups
// and values lie has nothing to do with their order, so each would be waited for.
type ahead struct {
	last int // the key that was looked at last
	end  int // up to where keys were fetched
	sum  uintptr
}

// fetched is how many keys are fetched at a time.
const fetched = 16

// begin makes a what it is before the first key.
func (a *ahead) begin() { *a = ahead{last: -1} }

// due notes that the i-th key is looked at. It says whether others are to be fetched: i follows the last one, and was not fetched with it.
func (a *ahead) due(i int) bool {
	follows := i == a.last+1
	a.last = i
	return follows && uint(a.end-i-1) >= fetched
}

// fetch fetches the keys from the i-th on, which refs begin with.
func fetch[K comparable, V any](a *ahead, i int, parts []multiPart[K, V], shift uint, refs []uint64) {
	refs = refs[:min(len(refs), fetched)]
	a.end = i + fetched
	if atom.Race {
		return
	}
	var all [fetched][]V
	for k, ref := range refs {
		all[k] = parts[ref>>shift].groups[uint32(ref)].vals
	}
	for _, vals := range all[:len(refs)] {
		if n := len(vals); n > 0 {
			a.sum += atom.Touch(&vals[0]) + atom.Touch(&vals[n-1])
		}
	}
}
