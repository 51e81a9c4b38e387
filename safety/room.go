package safety

import (
	"slices"

	"example.com/custody/internal/atom"
)

// room is memory for what a ticket has a number of. A ticket takes it for its first claim, and
// forgetDeps gives it back. A Private ticket keeps it for its next job. The room of a job with a
// handle comes with an outstanding, and waits there for the next such job.
type room struct {
	claims []Claim
	order  []int32
	odd    View // the first view that claims no container, or is Ranged and no RangeView
	phases []phase
	back   []Returner // of the ticket that returns
	ended  []func()   // that DisposeAfter was given
}

var rooms atom.Spares[room]

// keptClaims is the greatest number of claims for which an outstanding keeps a room.
const keptClaims = 32

// keepsRooms reports whether the outstandings keep rooms. The race detector would not see that one
// ticket uses a room after another.
const keepsRooms = Enabled && !atom.Race

// grow makes room for more claims.
//
//go:norace
func (t *Ticket) grow() {
	if t.room == nil {
		if keepsRooms && !t.Private && !t.Called {
			t.takeLive()
			t.room, t.live.room = t.live.room, nil
		} else {
			t.room = rooms.Take()
		}
		if t.room == nil {
			t.room = new(room)
		}
		t.claims, t.order = t.room.claims, t.room.order
	}
	t.claims = slices.Grow(t.claims, 1)
}

// giveRoom keeps the ticket's room for another ticket. Its claims and phases were dropped.
//
//go:norace
func (t *Ticket) giveRoom() {
	if r := t.room; r != nil {
		r.claims, r.order = t.claims, t.order
		t.room, t.claims, t.order = nil, nil, nil
		if keepsRooms && t.live != nil && cap(r.claims) <= keptClaims {
			t.live.room = r
		} else {
			rooms.Give(r) // the garbage collector may free it
		}
	}
	if t.live != nil {
		t.delist()
	}
}
