package safety

import "example.com/custody/internal/atom"

// This file is how a ticket comes to be used again, by one job of its driver after the other. Each has a life of it.
//
//	(L1) A life ends in the step that finds nobody in it: whoever has entered one finds the ticket as that job left it.
//	(L2) A life ends only when its job was returned: no guard has a record of it then, and no lease has it among its children.
//	(L3) Whoever is to know a ticket for longer knows a [Life]. He may read of the ticket what is written atomically or under its
//	     own lock, without entering. If the life has ended after that, the job was returned, and what was read may be another one's.

// Life stands for one job of a [Ticket] that may be used again when that is over. The zero Life has ended.
type Life struct {
	ticket *Ticket
	number uint64
}

// The word of a ticket's life has its number above how many have entered it. A ticket that had the last number is not used again.
const (
	numberShift = 24
	inside      = 1<<numberShift - 1
	kept        = 1 << (numberShift - 1) // as if somebody had entered who never leaves
	lastLife    = 1<<(64-numberShift) - 1
)

// Spender is the Owner of a ticket that is used again. Spent is called when the last who had entered the life of a job leaves it after the
// job was returned, as often as that happens: [Life.End] tells him who may use the ticket.
type Spender interface{ Spent(l Life) }

// Life returns the present one. The caller knows that it has not ended.
func (t *Ticket) Life() Life { return Life{t, t.number()} }

func (t *Ticket) number() uint64 { return t.life.Load() >> numberShift }

// Ticket returns the ticket.
func (l Life) Ticket() *Ticket { return l.ticket }

// Ended says whether the life has ended: its job was returned, and the ticket is another one's, or nobody's.
func (l Life) Ended() bool { return l.ticket == nil || l.ticket.number() != l.number }

// Enter keeps the life from ending, until Leave. It returns false if it has ended.
func (l Life) Enter() bool {
	if l.ticket == nil {
		return false
	}
	for {
		w := l.ticket.life.Load()
		if w>>numberShift != l.number {
			return false
		}
		if l.ticket.life.CompareAndSwap(w, w+1) {
			return true
		}
	}
}

// Keep keeps the life from ending, for good. It returns false if it has ended. It may be called any number of times.
func (l Life) Keep() bool {
	if l.ticket == nil {
		return false
	}
	for {
		w := l.ticket.life.Load()
		if w>>numberShift != l.number {
			return false
		}
		if w&kept != 0 || l.ticket.life.CompareAndSwap(w, w|kept) {
			return true
		}
	}
}

// Leave takes back what Enter did.
func (l Life) Leave() {
	t := l.ticket
	if t.life.Add(^uint64(0))&inside != 0 || atom.Race || t.returned.Load() == 0 {
		return
	}
	if o, ok := t.Owner.(Spender); ok { // who may be spending it already
		o.Spent(l)
	}
}

// End ends the life, unless that was done, or somebody has entered it. He of whom it returns true has the ticket: its next life has begun, and
// nobody else knows of that.
func (l Life) End() bool {
	was := l.number << numberShift
	return !atom.Race && l.number < lastLife && l.ticket.life.CompareAndSwap(was, was+1<<numberShift)
}
