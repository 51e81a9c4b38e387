package safety

import (
	"slices"

	"example.com/custody/internal/atom"
)

// room is memory for what a ticket has a number of. A ticket takes it for its first claim, and
// forgetDeps gives it back. A Private ticket keeps it for its next job.
type room struct {
	claims []Claim
	order  []int32
	odd    View // the first view that claims no container, or is Ranged and no RangeView
	phases []phase
	back   []Returner // of the ticket that returns
	ended  []func()   // that DisposeAfter was given
}

var rooms atom.Spares[room]

// grow makes room for more claims.
//
//go:norace
func (t *Ticket) grow() {
	if t.room == nil {
		if t.room = rooms.Take(); t.room == nil {
			t.room = new(room)
		}
		t.claims, t.order = t.room.claims, t.room.order
	}
	t.claims = slices.Grow(t.claims, 1)
}

// giveRoom keeps the room of the ticket, whose claims and phases were dropped, for another one.
//
//go:norace
func (t *Ticket) giveRoom() {
	if r := t.room; r != nil {
		r.claims, r.order = t.claims, t.order
		t.room, t.claims, t.order = nil, nil, nil
		rooms.Give(r)
	}
}
