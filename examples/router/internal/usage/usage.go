// Package usage computes how busy workers were with the jobs of a recording.
package usage

import (
	"cmp"
	"slices"
	"time"

	"example.com/custody/parallelfor"
)

// Usage is how busy some workers were with the jobs of a recording.
type Usage struct {
	Jobs  int           // recorded
	Span  time.Duration // from the beginning of the first batch to the end of the last
	Busy  time.Duration // of all workers together
	Share float64       // of the span times the workers
}

// Measure computes the usage of the workers. More batches than workers may run at a time, because
// the goroutine that completes a job may run it before a worker does. At such times all workers
// count as busy.
func Measure(jobs []parallelfor.RecordedJob, workers int) Usage {
	u := Usage{Jobs: len(jobs)}
	var changes []change
	for _, j := range jobs {
		for _, s := range j.Stays {
			for _, b := range s.Batches {
				changes = append(changes, change{b.From, 1}, change{b.To, -1})
			}
		}
	}
	if len(changes) == 0 {
		return u
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	running := 0
	for i, c := range changes {
		if i > 0 {
			u.Busy += time.Duration(min(running, workers)) * (c.at - changes[i-1].at)
		}
		running += c.by
	}
	u.Span = changes[len(changes)-1].at - changes[0].at
	if u.Span > 0 {
		u.Share = float64(u.Busy) / float64(u.Span) / float64(workers)
	}
	return u
}

// change is a moment at which one batch more is executed, or one less.
type change struct {
	at time.Duration
	by int
}
