package safety

import "example.com/custody/internal/atom"

// This file is how a ticket comes to be used again, by one job of its driver after the other. Each has a life of it.
//
//	(L1) A life ends in the step that finds nobody in it: whoever has entered one finds the ticket as that job left it.
//	(L2) A life ends only when its job was returned: no guard has a record of it then, and no lease has it among its children.
//	(L3) Whoever is to know a ticket for longer knows a [Life]. He may read of the ticket what is written atomically or under its
//	     own lock, without entering, and the Owner, which does not change once a life was handed out.
//	(L4) What was read without entering is of this life if Ended is false afterwards. If it is true the job was returned, and what
//	     was read may be another one's.
//	(L5) In a life that is kept nobody is counted any more: it does not end.

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
	full        = kept - 1               // the count has room for no more
	lastLife    = 1<<(64-numberShift) - 1
)

// Spender is the Owner of a ticket that is used again. Spent is called when the last who had entered the life of a job leaves it after the
// job was returned, as often as that happens: [Life.End] tells him who may use the ticket. Several goroutines may call it at once, and one
// when l has ended already and the ticket is another job's: before End has returned true, Spent looks only at what is read and written atomically.
type Spender interface{ Spent(l Life) }

// Life returns the present one, which has not ended, as the caller knows; no ticket has the zero Life.
func (t *Ticket) Life() Life {
	if t == nil {
		return Life{}
	}
	return Life{t, t.number()}
}

func (t *Ticket) number() uint64 { return t.life.Load() >> numberShift }

// Ticket returns the ticket.
func (l Life) Ticket() *Ticket { return l.ticket }

// Ended says whether the life has ended: its job was returned, and the ticket is another one's, or nobody's (L4).
func (l Life) Ended() bool { return l.ticket == nil || l.ticket.number() != l.number }

// Enter keeps the life from ending, until Leave (L1). It returns false if it has ended. Where so many have entered that they could not be
// counted any more the life is kept (L5).
func (l Life) Enter() bool {
	if l.ticket == nil {
		return false
	}
	for {
		w := l.ticket.life.Load()
		if w>>numberShift != l.number {
			return false
		}
		next := w + 1
		if w&inside == full {
			next = w | kept
		}
		if w&kept != 0 || l.ticket.life.CompareAndSwap(w, next) {
			return true
		}
	}
}

// Keep keeps the life from ending, for good (L5). It returns false if it has ended. It may be called any number of times.
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

// Leave takes back what Enter did; with the zero Life, nothing. The last to leave the life of a job that was returned tells the [Spender] (L2).
func (l Life) Leave() {
	t := l.ticket
	if t == nil {
		return
	}
	for {
		w := t.life.Load()
		if w&kept != 0 {
			return
		}
		if t.life.CompareAndSwap(w, w-1) {
			if (w-1)&inside != 0 || atom.Race || t.returned.Load() == 0 {
				return
			}
			break
		}
	}
	if o, ok := t.Owner.(Spender); ok { // who may be spending it already
		o.Spent(l)
	}
}

// End ends the life, unless that was done, its job was not returned (L2), or somebody has entered it (L1). Anybody may call it. He of whom it returns
// true has the ticket: its next life has begun, and nobody else knows of that. He may use the ticket again when he has called its Reset.
func (l Life) End() bool {
	if l.ticket == nil || l.ticket.returned.Load() == 0 { // of a later life that may be: the next step finds out (L4)
		return false
	}
	was := l.number << numberShift
	return !atom.Race && l.number < lastLife && l.ticket.life.CompareAndSwap(was, was+1<<numberShift)
}
