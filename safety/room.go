package safety

import (
	"slices"

	"example.com/custody/internal/atom"
)

// room is memory for what a ticket has a number of. A ticket takes it for its first claim, and
// forgetDeps gives it back. A ticket that its driver uses again keeps it for its next job.
type room struct {
	claims []Claim
	order  []int32
	odd    View // the first view that claims no container, or is Ranged and no RangeView
	phases []phase
	back   []Returner // of the ticket that returns
	ended  []func()   // that DisposeAfter was given
}

var rooms atom.Spares[room]

// keptClaims is the greatest number of claims for which a ticket that is not Private keeps a room.
const keptClaims = 32

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

// giveRoom keeps the room of the ticket, whose claims and phases were dropped, for another ticket
// or for the next job of this one.
//
//go:norace
func (t *Ticket) giveRoom() {
	if r := t.room; r != nil && !(t.again && cap(t.claims) <= keptClaims) {
		r.claims, r.order = t.claims, t.order
		t.room, t.claims, t.order = nil, nil, nil
		rooms.Give(r)
	}
}
