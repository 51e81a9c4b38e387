package parallelfor

import (
	"runtime"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// resident is one goroutine of a pool.
//
// Its box is how a job comes to it at the price of one line: while it looks for work the box points to looking;
// whoever has a job to offer puts that there instead, and from then on only the resident changes the box. What is
// offered is a hint: the resident joins the job if that still has room, whatever has become of it.
type resident struct {
	_      pad.Bytes
	box    atom.HiddenPointer[job]
	_      pad.Bytes
	pool   *Pool
	parker atom.Parker
	tally  tally
}

// looking is what a box points to while its resident looks for work; nil when it does not look.
var looking job

// startResident starts a resident. The pool is locked.
//
//go:norace
func (p *Pool) startResident() {
	p.count++
	r := &resident{pool: p, parker: atom.NewParker()}
	p.enrol(r, nil)
	atom.Go(r.live)
	if p.decoy == nil {
		d := atom.NewParker()
		p.decoy, p.decoys = &d, 1
		atom.Go(func() { p.displace(d) }) // after the resident, so it displaces it
	}
}

// enrol replaces the roster by one with joiner, and without leaver. The pool is locked.
//
//go:norace
func (p *Pool) enrol(joiner, leaver *resident) {
	var next []*resident
	if old := p.roster.Load(); old != nil {
		for _, r := range *old {
			if r != leaver {
				next = append(next, r)
			}
		}
	}
	if joiner != nil {
		next = append(next, joiner)
	}
	p.roster.Store(&next)
}

// displace is the life of the decoy, a goroutine that does nothing. A goroutine that is made ready goes to
// the front place of the processor of whoever did that, from where idle processors steal it only after
// some 60 microseconds (runqgrab in the runtime's scheduler), while who published a job is busy with it.
// Making the decoy ready afterwards moves the resident on to the queue, from where it is stolen at once.
func (p *Pool) displace(d atom.Parker) {
	for p.ended.Load() == 0 {
		d.Park()
	}
	p.decoyEnds()
	atom.Broadcast(p.cond)
}

//go:norace
func (p *Pool) decoyEnds() {
	p.mu.Lock()
	p.decoys = 0
	p.mu.Unlock()
}

// live is a resident's life: it joins jobs, spins a little when there are none, and sleeps.
func (r *resident) live() {
	through := false
	defer func() {
		if !through { // a body ended the goroutine, another one takes over; the job goes on elsewhere
			atom.Go(r.live)
		}
	}()
	slept := false // and has not worked since
	for {
		j, stay := r.next()
		if !stay {
			break
		}
		if j == nil {
			r.parker.Park()
			slept = true
			continue
		}
		if w, ok := j.join(); ok {
			if called := j.called.Load(); slept && called != 0 {
				r.pool.wakeUps.arrives(now() - time.Duration(called))
			}
			slept = false
			if j.pool == r.pool {
				r.pool.passOn(j)
				r.serve(j, w)
			} else {
				j.quit() // the offer was old, and this is another job in the same memory
			}
		}
	}
	through = true
}

// next returns a job to join; nil when the resident is to sleep; and false when it is to end. It looks for work
// for a while before it says so, unless that would leave no processor to the rest of the program.
func (r *resident) next() (j *job, stay bool) {
	p := r.pool
	if int(p.lookers.Add(1)) < runtime.GOMAXPROCS(0) {
		j = r.look()
	}
	p.lookers.Add(-1)
	if j != nil {
		r.tally.offered()
		return j, true
	}
	return r.choose()
}

// look waits a little for a job to be offered or queued.
func (r *resident) look() *job {
	r.box.Store(&looking)
	for s := (atom.Spin{}); r.box.Load() == &looking; {
		if (r.pool.queued.Load() != 0 || !s.More()) && r.box.CompareAndSwap(&looking, nil) {
			return nil
		}
	}
	j := r.box.Load()
	r.box.Store(nil)
	return j
}

//go:norace
func (r *resident) choose() (j *job, stay bool) {
	p := r.pool
	p.mu.Lock()
	woken := 0
	decoy := p.decoy
	if j = p.head; j != nil {
		if j.place.wants--; j.place.wants == 0 {
			p.dequeue(j)
		}
		woken = p.callForMore()
	}
	stay = j != nil || p.count <= p.target() && !(p.closed && p.jobs == 0)
	if j == nil && stay {
		p.idle = append(p.idle, r)
		p.asleep.Store(int64(len(p.idle)))
		p.slept()
	}
	if !stay {
		p.count--
		p.enrol(nil, r)
		p.retire(r)
	}
	p.mu.Unlock()
	if woken > 0 && decoy != nil {
		decoy.Unpark()
	}
	if !stay && p.cond != nil {
		atom.Broadcast(p.cond)
	}
	return j, stay
}

// wake wakes the resident. The pool is locked.
func (r *resident) wake() {
	r.pool.woken()
	r.parker.Unpark()
}
