package table_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// orders is a table a with or without a row of theKey, and the requests that are staged for that
// row and that key.
type orders struct {
	a, b   *things
	row    table.ID // of the row, or of the row that was there
	last   table.ID // of the last addition
	coming table.ID // of the last row that is on its way to a
	late   []func() // let rows arrive, before a is applied
	looped []event  // staged by a loop, so after all others
	since  []table.ID
	byKey  bool // a removal by key was staged; since are the additions after the last such
	ended  bool // a removal or transfer of the row was staged
	adds   int
}

const theKey = 5

func newOrders(t testing.TB, present bool) *orders {
	o := &orders{a: newThings(), b: newThings()}
	o.a.add(4)
	o.row = o.a.add(theKey)
	o.a.add(6)
	o.a.apply(t, nil)
	if !present {
		o.a.remove(o.row)
		o.a.apply(t, nil)
	}
	return o
}

func (o *orders) added(id table.ID) {
	o.last = id
	o.since = append(o.since, id)
	o.adds++
}

// send transfers a row of a third table to a. The row arrives at once, or if late is set just
// before a is applied.
func (o *orders) send(t testing.TB, late bool) {
	from := newThings()
	id := from.add(theKey)
	from.apply(t, nil)
	as := from.transfer(id, o.a)
	if !late {
		from.apply(t, nil)
		o.added(as)
		return
	}
	o.coming = as
	o.late = append(o.late, func() {
		from.apply(t, nil)
		o.added(as)
	})
}

var orderKinds = []struct {
	name string
	do   func(t testing.TB, o *orders)
}{
	{"add", func(t testing.TB, o *orders) { o.added(o.a.add(theKey)) }},
	{"remove", func(t testing.TB, o *orders) { o.a.remove(o.row); o.ended = true }},
	{"remove the last addition", func(t testing.TB, o *orders) { o.a.remove(o.last) }},
	{"remove by key", func(t testing.TB, o *orders) { o.a.removeKey(theKey); o.byKey, o.since = true, nil }},
	{"transfer", func(t testing.TB, o *orders) { o.a.transfer(o.row, o.b); o.ended = true }},
	{"transfer the last addition", func(t testing.TB, o *orders) { o.a.transfer(o.last, o.b) }},
	{"a row arrives", func(t testing.TB, o *orders) { o.send(t, false) }},
	{"a row is on its way", func(t testing.TB, o *orders) { o.send(t, true) }},
	{"remove what is on its way", func(t testing.TB, o *orders) { o.a.remove(o.coming) }},
	{"remove in a loop", func(t testing.TB, o *orders) {
		parallelfor.Do(o.a.t.Stager(), func(s *table.Stager[thing]) { s.Remove(o.row) })
		o.looped = append(o.looped, event{id: o.row})
		o.ended = true
	}},
}

// Requests for one row and one key, in every order, are met or reported as the doc of Apply states.
// No row is left that was there before a removal of it was staged.
func TestEveryOrderOfRequests(t *testing.T) {
	most := 4
	if testing.Short() || atom.Race {
		most = 3
	}
	for _, world := range []string{"absent", "present", "dead"} {
		var try func(order []int)
		try = func(order []int) {
			if len(order) > 0 {
				checkOrder(t, world, order)
			}
			if len(order) < most && !t.Failed() {
				for k := range orderKinds {
					try(append(slices.Clone(order), k))
				}
			}
		}
		try(nil)
	}
}

func checkOrder(t *testing.T, world string, order []int) {
	o := newOrders(t, world != "absent")
	name := world
	for _, k := range order {
		name += ", " + orderKinds[k].name
		orderKinds[k].do(t, o)
	}
	for _, do := range o.late {
		do()
	}
	o.a.model.events = append(o.a.model.events, o.looped...)
	defer func() {
		if t.Failed() {
			t.Log(name)
		}
	}()
	var alive func(r thing) bool
	if world == "dead" {
		alive = func(r thing) bool { return r.Key != theKey }
	}
	said := o.a.apply(t, alive)
	refused := 0
	for _, p := range said.Problems {
		if p.Err == table.ErrKey {
			refused++
		}
	}
	law := func(ok bool, what string) {
		if !ok {
			t.Fatalf("%s: %s; %+v", name, what, said)
		}
	}
	law(said.Added+said.CalledOff+refused == o.adds, "an addition is lost")
	id, there := o.a.key.Find(theKey)
	law(!there || !o.ended || id != o.row, "a row is there that was removed by its name")
	law(!there || !o.byKey || slices.Contains(o.since, id), "a row is there that was removed by its key")
	o.b.apply(t, nil)
	if again := o.a.apply(t, nil); !slices.Equal([]int{0, 0, 0, 0}, []int{again.Added, again.Removed, again.CalledOff, len(again.Problems)}) {
		t.Fatal(fmt.Sprint(name, ": what was applied is applied again: ", again))
	}
}
