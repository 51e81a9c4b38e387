package parallelfor

import "example.com/custody/internal/phrase"

// This file is what %v prints of pools, handles and graphs.

// String returns a text with the number of worker goroutines that the pool has, the number of its
// jobs that have not finished, and whether it was closed. Any goroutine may call it at any time. It
// takes the pool's lock for a moment.
func (p *Pool) String() string {
	if p == nil {
		return "<nil>"
	}
	if p.copied() {
		return "parallelfor.Pool: a copy of its struct"
	}
	workers, jobs, closed := p.now()
	s := "parallelfor.Pool: " + phrase.Amount(workers, "worker") + ", " + phrase.Amount(jobs, "job")
	if closed {
		s += ", closed"
	}
	return s
}

//go:norace
func (p *Pool) now() (workers, jobs int, closed bool) {
	p.mu.Lock()
	workers, jobs, closed = p.count, int(p.jobs.Load()%closing), p.closed
	p.mu.Unlock()
	return workers, jobs, closed
}

// String returns the name of the job, where it was scheduled, and how far it is:
//
//	job Router, scheduled at router.go:88, has finished but was not completed
//
// For the zero Handle it returns only that the job was completed, and so it may for any completed
// job. Any goroutine may call it at any time. It completes nothing and waits for no job.
func (h Handle) String() string {
	if !h.hold() {
		return "a job that was completed"
	}
	j := execOf(h)
	defer j.letGo()
	s := "job " + j.ticket.Job()
	if at := j.ticket.Site(); at != 0 {
		s += ", scheduled at " + at.String() + ","
	}
	switch {
	case j.ticket.Returned():
		return s + " was completed"
	case j.finished():
		return s + " has finished but was not completed"
	}
	return s + " has not finished"
}

// String returns how many jobs the graph has. Any goroutine may call it at any time. [Graph.Jobs]
// returns the jobs.
func (g *Graph) String() string {
	if g == nil {
		return "<nil>"
	}
	return "parallelfor.Graph: " + phrase.Amount(g.size(), "job")
}

//go:norace
func (g *Graph) size() int {
	g.mu.Lock()
	n := len(g.records)
	g.mu.Unlock()
	return n
}
