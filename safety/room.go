package safety

import (
	"slices"

	"example.com/custody/internal/atom"
)

// room is memory for the claims of a ticket that has many, and for its phases. forgetDeps gives it
// back. A Private ticket keeps it for its next job.
type room struct {
	claims []Claim
	order  []int32
	phases []phase
}

var rooms atom.Spares[room]

//go:norace
func (t *Ticket) takeRoom() *room {
	if t.room == nil {
		if t.room = rooms.Take(); t.room == nil {
			t.room = new(room)
		}
	}
	return t.room
}

// grow makes room for more claims.
//
//go:norace
func (t *Ticket) grow() {
	if cap(t.claims) > len(t.fewClaims) {
		t.claims = slices.Grow(t.claims, 1)
		return
	}
	r := t.takeRoom()
	t.claims = slices.Grow(append(r.claims, t.claims...), 1)
	t.order = append(r.order, t.order...)
	r.claims, r.order = nil, nil
	clear(t.fewClaims[:])
}

// roomForPhases makes room for n phases, which stay where they are.
//
//go:norace
func (t *Ticket) roomForPhases(n int) {
	r := t.takeRoom()
	if t.phases, r.phases = r.phases, nil; cap(t.phases) < n {
		t.phases = make([]phase, 0, n)
	}
}

// giveRoom keeps the ticket's room for another ticket. Its claims and phases were dropped.
//
//go:norace
func (t *Ticket) giveRoom() {
	r := t.room
	if r == nil {
		return
	}
	t.room = nil
	if cap(t.claims) > len(t.fewClaims) {
		r.claims, r.order = t.claims, t.order
		t.claims, t.order = t.fewClaims[:0], t.fewOrder[:0]
	}
	if t.phases != nil {
		r.phases, t.phases = t.phases, nil
	}
	rooms.Give(r)
}
