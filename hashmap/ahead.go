package hashmap

import "example.com/custody/internal/atom"

// ahead loads the memory of the next keys at the same time, for a loop that looks at one key after
// the other. The groups and values of keys lie anywhere, so the loop would wait for each.
type ahead struct {
	next int     // the key behind the one that was looked at last
	end  int     // the first key that was not loaded
	sum  uintptr // of what was loaded, so that the compiler keeps the loads
}

// fetched is the number of keys that are loaded at a time.
const fetched = 16

// due notes that the loop looks at the i-th key. It reports whether to load keys from i on: i
// follows the last key, and was not loaded with it.
func (a *ahead) due(i int) bool {
	follows := i == a.next
	a.next = i + 1
	return follows && uint(a.end-i-1) >= fetched
}

// fetch loads the first of keys, which are the i-th and those behind it.
func (m *multiCore) fetch(a *ahead, i int, keys []multiKey) {
	keys = keys[:min(len(keys), fetched)]
	a.end = i + fetched
	if atom.Race || m.val.Size == 0 {
		return
	}
	var all [fetched]values
	for j, k := range keys {
		_, vals := m.at(k.ref)
		all[j] = *vals
	}
	for _, vals := range all[:len(keys)] {
		if vals.n > 0 {
			a.sum += atom.Touch((*byte)(vals.p)) + atom.Touch((*byte)(m.val.At(vals.p, vals.n-1)))
		}
	}
}
