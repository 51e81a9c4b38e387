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
	box    atom.HiddenPointer[exec]
	_      pad.Bytes
	pool   *Pool
	at     int // its place on the roster
	parker atom.Parker
	coming bool // it was woken or started, and has not asked the queue yet
	_      pad.Bytes
}

// looking is what a box points to while its resident looks for work; nil when it does not look.
var looking exec

// startResident starts a resident. The pool is locked.
//
//go:norace
func (p *Pool) startResident() {
	p.count++
	p.coming++
	r := &resident{pool: p, parker: atom.NewParker(), coming: true}
	p.enrol(r)
	atom.Go(r.live)
	if p.decoy == nil {
		d := atom.NewParker()
		p.decoy, p.decoys = &d, 1
		atom.Go(func() { p.displace(d) }) // after the resident, so it displaces it
	}
}

// enrol puts the resident on the roster, and strike takes it off. Others read the roster meanwhile: one that has
// been struck may be met a little longer, and one twice. The pool is locked.
//
//go:norace
func (p *Pool) enrol(r *resident) {
	var all []atom.HiddenPointer[resident]
	if old := p.roster.Load(); old != nil {
		all = *old
	}
	r.at = len(all)
	if len(all) == cap(all) {
		wider := make([]atom.HiddenPointer[resident], len(all), 2*len(all)+4)
		for i := range all {
			wider[i].Store(all[i].Load())
		}
		all = wider
	}
	all = all[:len(all)+1]
	all[r.at].Store(r)
	p.roster.Store(&all)
}

//go:norace
func (p *Pool) strike(r *resident) {
	all := *p.roster.Load()
	last := all[len(all)-1].Load()
	all[r.at].Store(last)
	last.at = r.at
	all = all[:len(all)-1]
	p.roster.Store(&all)
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
			slept, r.coming = true, true
			continue
		}
		if w, ok := j.joinFrom(r.pool); ok {
			if called := j.called.Load(); slept && called != 0 {
				r.pool.wakeUps.arrives(now() - time.Duration(called))
			}
			slept = false
			r.take(j, w)
		}
	}
	through = true
}

// take works on the job as the worker that the resident has become.
func (r *resident) take(j *exec, worker int) {
	if j.pool != r.pool {
		// The offer was old, and this is another pool's job in the same memory. The place is taken, so somebody has to
		// work there; but this resident is its own pool's.
		atom.Go(func() { j.execute(worker) })
		return
	}
	r.pool.passOn(j)
	f := j.work.enter(worker, true)
	f.on = r
	j.resume(f)
}

// next returns a job to join; nil when the resident is to sleep; and false when it is to end. It looks for work
// for a while before it says so, unless that would leave no processor to the rest of the program. One that was
// called asks the queue before it takes an offer: it is counted on for that; see request.
func (r *resident) next() (j *exec, stay bool) {
	p := r.pool
	if r.coming {
		if j = r.arrive(); j != nil {
			return j, true
		}
	}
	if n := int(p.lookers.Add(1)); atom.Exploring() || n < runtime.GOMAXPROCS(0) {
		j = r.look()
	}
	p.lookers.Add(-1)
	if j != nil {
		return j, true
	}
	return r.choose()
}

// look waits a little for a job to be offered or queued.
func (r *resident) look() *exec {
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

// arrive returns the job at the head of the queue, or nil, to a resident that was called.
//
//go:norace
func (r *resident) arrive() *exec {
	p := r.pool
	r.coming = false
	p.mu.Lock()
	p.coming--
	j, woken := p.takeHead()
	decoy := p.decoy
	p.mu.Unlock()
	follow(woken, decoy)
	return j
}

// takeHead takes a place of the job at the head of the queue, if there is one, and wakes others for what is left.
// The pool is locked.
//
//go:norace
func (p *Pool) takeHead() (j *exec, woken int) {
	p.dropFull()
	j = p.head
	if j == nil {
		return nil, 0
	}
	if j.asked {
		p.asks--
	}
	if j.place.wants--; j.place.wants == 0 {
		p.dequeue(j)
	}
	return j, p.callForMore()
}

// choose is the end of looking: the job at the head of the queue, or sleep, or the end of the resident.
//
//go:norace
func (r *resident) choose() (j *exec, stay bool) {
	p := r.pool
	p.mu.Lock()
	decoy := p.decoy
	j, woken := p.takeHead()
	stay = j != nil || p.count <= p.target() && !(p.closed && p.jobs == 0)
	if j == nil && stay {
		p.idle = append(p.idle, r)
		p.asleep.Store(int64(len(p.idle)))
	}
	if !stay {
		p.count--
		p.strike(r)
	}
	p.mu.Unlock()
	follow(woken, decoy)
	if !stay && p.cond != nil {
		atom.Broadcast(p.cond)
	}
	return j, stay
}
