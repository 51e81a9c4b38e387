package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// waiting notes that a body or a callback of the job from waits for the job to, or that a body of
// from has scheduled a job that runs after to and that must be completed before the body returns.
type waiting struct {
	from *job
	to   safety.Life
}

// waitList finds circles before anybody waits in one for ever.
type waitList struct {
	mu   atom.HiddenMutex
	list []waiting
}

var waits waitList

// begin notes that a body of from, or the callback that what names, is about to wait for to. It
// refuses if to cannot finish before that body or callback has returned: because to is the job from
// itself, or runs after it, or has a body that waits for it, and so on through any number of jobs.
func (l *waitList) begin(from *job, what string, to *job) *safety.Violation {
	if l.note(from, to.ticket.Life()) {
		return nil
	}
	return circle(from, what, to, "waits for")
}

// circle is the violation of a body or callback of from, which who names, that would wait for to;
// does is the verb of what it does.
//
//go:norace
func circle(from *job, who string, to *job, does string) *safety.Violation {
	is, do := "that body", "A body may wait only for jobs that need not wait for it, neither by After nor by AutoOrder nor in a body of theirs:"+
		" let the body return, and complete the other job outside."
	if who != aBody {
		is, do = "that function", "A function that a job calls may wait only for jobs that need not wait for it, neither by After nor by AutoOrder nor in a body of theirs:"+
			" let it return, and complete the other job outside."
	}
	what := who + " job " + from.name + " " + does + " job " + to.name + ", which cannot finish before " + is + " does"
	if from == to {
		what = who + " job " + from.name + " " + does + " its own job"
	}
	v := safety.NewViolation(safety.ErrWaitCycle, what, do)
	v.Job, v.OtherJob = from.name, to.name
	return v
}

//go:norace
func (l *waitList) note(from *job, to safety.Life) bool {
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
func (l *waitList) end(from *job, to safety.Life) {
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

// reaches says whether to cannot finish before a body of from returns: from, or a job that one of whose
// bodies scheduled from, is among what to waits for.
//
//go:norace
func (l *waitList) reaches(to safety.Life, from *job) bool {
	seen := map[safety.Life]bool{to: true}
	todo := []safety.Life{to}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if over(at) {
			continue
		}
		j := jobOf(at)
		for f := from; f != nil; f = f.outer() {
			if f == j {
				return true
			}
		}
		for next := 0; ; next++ {
			var a safety.Life
			if a, next = j.awaited(next); a == (safety.Life{}) || at.Ended() {
				break
			}
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
		for _, w := range l.list {
			for f := w.from; f != nil; f = f.outer() {
				if f == j && !seen[w.to] {
					seen[w.to] = true
					todo = append(todo, w.to)
				}
			}
		}
	}
	return false
}

// enter notes what the body that schedules j will have to wait for, because j runs after it. lease
// is that body's; if a callback runs j, enter notes this for the callback. The first noted jobs
// have been noted before. If one of the others cannot be waited for, j does not run after any of
// them.
func (l *waitList) enter(j *job, lease *safety.Lease, noted int) *safety.Violation {
	from, who := j.outerNow(lease)
	if len(j.after) == noted || from == nil {
		return nil
	}
	more := j.after[noted:]
	for i, a := range more {
		if !l.note(from, a) {
			for _, b := range more[:i] {
				l.end(from, b)
			}
			j.mu.Lock()
			j.after = j.after[:noted]
			j.mu.Unlock()
			return circle(from, who, jobOf(a), "schedules job "+j.name+" to run after")
		}
	}
	j.body = from
	return nil
}

// outerNow is outer for a job that is being scheduled. lease is that of the body that schedules it,
// or nil. who names the body or callback of o, as in waiter.
func (j *job) outerNow(lease *safety.Lease) (o *job, who string) {
	switch {
	case j.caller != nil:
		return j.caller.of, j.caller.what
	case lease != nil:
		return lease.Ticket().Owner.(*job), aBody
	}
	return nil, ""
}

// leave forgets what enter noted.
//
//go:norace
func (l *waitList) leave(j *job) {
	if j.body != nil {
		for _, a := range j.after {
			l.end(j.body, a)
		}
		j.body = nil
	}
}

// outer returns the job of which a body scheduled j, or of which a callback runs j in a call, or
// nil.
//
//go:norace
func (j *job) outer() *job {
	l := j.ticket.Parent()
	if j.caller != nil {
		return j.caller.of
	}
	if l == nil || l.Ticket() == nil {
		return nil
	}
	return l.Ticket().Owner.(*job)
}
