// Package callsite finds the place of a call without a walk of the stack.
//
// On amd64 and arm64 the frame of a Go function has two words side by side: the address of the same
// two words of its caller's frame, and the address that the function returns to. In a function that
// is not inlined they are at a fixed distance from its variables. When the program starts, the
// package looks for that distance in a call whose place it knows from a walk. What the two words
// say of a call is trusted if a walk has said the same of a call there before. A walk skips
// wrappers that the compiler has made, so calls from these are never trusted.
package callsite

import (
	"runtime"
	"unsafe"

	"example.com/custody/internal/atom"
)

// word is the size of a word.
const word = int(unsafe.Sizeof(uintptr(0)))

const (
	near = 16 * word // how far around the variable of Return the two words are looked for
	far  = 1 << 12   // more than how far away the frame of a function is that calls Return
)

var (
	looking bool // the package looks for the distance

	// distance is how far the two words of Return's frame are from its variable. It is 0, which is
	// none, where they were not found.
	distance int

	// trusted has the calls of Return of which a walk and the two words said the same, by the lower
	// bits of a number for each. A function that calls Return may also be inlined, into one that is
	// called from the same place: so where Return was called counts, too.
	trusted [1 << 8]atom.HiddenUint64
)

func init() {
	looking = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
	known()
	looking = false
}

//go:noinline
func known() uintptr { return Return() }

// Return returns the address that its caller returns to, as [runtime.Callers] gives it. If the
// caller was inlined, that takes a walk each time.
//
//go:noinline
//go:norace
//go:nocheckptr
func Return() uintptr {
	var here [1]uintptr
	at := unsafe.Pointer(&here)
	if distance == 0 {
		return walk(at)
	}
	frame := *(*unsafe.Pointer)(unsafe.Add(at, distance)) // a pointer: stacks may be moved
	place := *(*uintptr)(unsafe.Add(frame, word))
	call := uint64(place) ^ uint64(*(*uintptr)(unsafe.Add(at, distance+word)))*0x9e3779b97f4a7c15
	if seen := &trusted[call%uint64(len(trusted))]; seen.Load() != call {
		walked := walk(at)
		if walked != place {
			return walked
		}
		seen.Store(call)
	}
	return place
}

// walk is Return by a walk of the stack. While the package looks for the distance, walk does so,
// around at, the variable of Return.
//
//go:noinline
//go:norace
//go:nocheckptr
func walk(at unsafe.Pointer) uintptr {
	var pcs [2]uintptr // that Return, which calls walk, returns to, and that its caller returns to
	runtime.Callers(3, pcs[:])
	if looking {
		for d := -near; d <= near; d += word {
			pair := unsafe.Add(at, d)
			next, back := *(*uintptr)(pair), *(*uintptr)(unsafe.Add(pair, word))
			if back != pcs[0] || next-uintptr(at) >= far { // next is no frame's, so it is not read
				continue
			}
			if frame := *(*unsafe.Pointer)(pair); *(*uintptr)(unsafe.Add(frame, word)) == pcs[1] {
				distance = d
			}
		}
	}
	return pcs[1]
}
