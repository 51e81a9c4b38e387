package hashmap

import "example.com/custody/safety"

// bodies calls what generic code calls of package safety for every operation, and of tables. It is never run. The compiler hands the body
// of a function on to those who import this package only if it was inlined here, and generic code is compiled where it is
// used; without this a check would be a call there.
//
//lint:ignore U1000 it is there for the compiler
func bodies(g *safety.Guard, m *inline, t *table, c *claim) {
	g.CheckLook()
	g.CheckShared()
	m.first().after()
	m.settled()
	m.follow(tableOf[place, uint64, uint64](t))
	t.enter(0, t.seqAt(0))
	t.now(currentSeq)
	t.release(0)
	t.count(1)
	t.outdate()
	t.of.count(1)
	m.tables.len()
	c.end()
}
