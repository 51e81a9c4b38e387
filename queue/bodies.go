package queue

import "example.com/custody/safety"

// bodies calls what generic code calls of package safety for every operation. It is never run. The compiler hands the body
// of a function on to those who import this package only if it was inlined here, and generic code is compiled where it is
// used; without this a check would be a call there.
//
//lint:ignore U1000 it is there for the compiler
func bodies(g *safety.Guard) {
	g.CheckShared()
	g.CheckExists()
}
