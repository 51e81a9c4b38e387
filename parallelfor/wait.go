package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// point is the moment when the job finishes or, if back is set, when its containers come back.
type point struct {
	job  *exec
	back bool
}

// passed reports whether the moment has passed.
//
//go:norace
func (p point) passed() bool {
	if p.back {
		return p.job.ticket.Returned()
	}
	return p.job.finished()
}

// waiting notes that from waits for to, or that from has scheduled a job that runs after to and
// that must be completed before from returns.
type waiting struct {
	from party
	to   point
}

// waitList finds cycles of waits before they begin.
type waitList struct {
	mu   atom.HiddenMutex
	list []waiting
}

var waits waitList

// begin notes that from is about to wait for to. It panics with a violation if to is not reached
// before from has returned; see reaches.
func (l *waitList) begin(from party, to point) {
	does := "waits for"
	if to.back {
		does = "completes"
	}
	if !l.note(from, to) {
		panic(circle(from, to, does))
	}
}

// circle is the violation of a party whose wait for the point would never end. does is the verb for
// what the party does.
//
//go:norace
func circle(from party, to point, does string) *safety.Violation {
	who, it, goes, other := "A body", "the body", "that body", to.job
	if from.call != nil {
		who, it, goes = "A function that a job calls", "it", "that function"
	}
	what := from.text() + " " + does + " job " + other.ticket.Job()
	switch {
	case from.job == other:
		what = from.text() + " " + does + " its own job"
	case to.back:
		what += ", whose containers cannot come back before " + goes + " returns"
	default:
		what += ", which cannot finish before " + goes + " does"
	}
	v := safety.NewViolation(safety.ErrWaitCycle, what, who+" may wait only for jobs that need not wait for it, neither by After nor by AutoOrder nor in a body of theirs:"+
		" let "+it+" return, and complete the other job outside.")
	v.Job, v.OtherJob = from.job.ticket.Job(), other.ticket.Job()
	return v
}

// note adds the wait to the list, and reports whether it may begin. If not, it adds nothing.
//
//go:norace
func (l *waitList) note(from party, to point) bool {
	l.mu.Lock()
	ok := !l.reaches(to, from)
	if ok {
		l.list = append(l.list, waiting{from, to})
	}
	l.mu.Unlock()
	return ok
}

// end forgets what begin noted.
//
//go:norace
func (l *waitList) end(from party, to point) {
	l.mu.Lock()
	for i, w := range l.list {
		if w.from == from && w.to == to {
			last := len(l.list) - 1
			l.list[i] = l.list[last]
			l.list[last] = waiting{}
			if l.list = l.list[:last]; last == 0 && !atom.Worthwhile(cap(l.list), 0) {
				l.list = nil
			}
			break
		}
	}
	l.mu.Unlock()
}

// reaches reports whether from holds the point to, or a point that to waits for: by After, or by a
// wait of a body or callback, through any number of jobs. The list is locked.
//
//go:norace
func (l *waitList) reaches(to point, from party) bool {
	seen := map[point]bool{to: true}
	todo := []point{to}
	add := func(p point) {
		if !seen[p] {
			seen[p] = true
			todo = append(todo, p)
		}
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.passed() {
			continue
		}
		if from.holds(at) {
			return true
		}
		for next := 0; !at.back; next++ {
			var a *exec
			if a, next = at.job.awaited(next); a == nil {
				break
			}
			add(point{job: a})
		}
		for _, w := range l.list {
			if w.from.holds(at) {
				add(w.to)
			}
		}
	}
	return false
}

// enter notes that the body with that scope waits for the jobs in j.after from index noted on,
// because it must complete j. If a callback runs j, the callback waits for them. One of these jobs
// may wait for the body or callback, or be on the other side of a bubble's edge (B3). Then enter
// notes none, removes all of them from j.after, and returns the violation.
func (l *waitList) enter(j *exec, scope *safety.Scope, noted int) *safety.Violation {
	for _, a := range j.after[noted:] {
		if a.finished() {
			continue
		}
		if v := a.separate(j.bubbled, j); v != nil {
			j.after = j.after[:noted]
			return v
		}
	}
	from := party{job: jobAround(scope)}
	if j.around != nil {
		from = j.around.party()
	}
	if len(j.after) == noted || from.job == nil {
		return nil
	}
	more := j.after[noted:]
	for i, a := range more {
		if !l.note(from, point{job: a}) {
			for _, b := range more[:i] {
				l.end(from, point{job: b})
			}
			j.after = j.after[:noted]
			return circle(from, point{job: a}, "schedules job "+j.name+" to run after")
		}
	}
	j.within = from
	return nil
}

// leave forgets what enter noted.
//
//go:norace
func (l *waitList) leave(j *exec) {
	if j.within.job != nil {
		for _, a := range j.after {
			l.end(j.within, point{job: a})
		}
		j.within = party{}
	}
}

// outer returns the job of which a body scheduled j, or of which a callback runs j in a call, or
// nil.
//
//go:norace
func (j *exec) outer() *exec {
	if j.around != nil {
		return j.around.of
	}
	return jobAround(j.ticket.Parent())
}
