package hashmap

import "example.com/custody/safety"

// bodies never runs. It calls the functions of package safety, and of tables, that generic code
// calls for every operation. The compiler exports the body of a function only if it was inlined
// here. So without bodies each check would be a call.
//
//lint:ignore U1000 it is there for the compiler
func bodies(g *safety.Guard) {
	g.CheckLook()
	g.CheckShared()
}
