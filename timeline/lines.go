package timeline

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"example.com/custody/parallelfor"
)

// line is one line of a picture: stays that do not overlap in time.
type line struct {
	name  string
	stays []stay        // in order of time
	until time.Duration // when the last of them ends
}

// stay is a stay of a worker in a job.
type stay struct {
	parallelfor.RecordedStay
	job  int    // the position of the job in the list of jobs
	name string // the name of the job
}

// linesOf puts all stays that have batches on lines. First come the lines of stays with Goroutine
// 0, those of callers and in nested jobs: each stay is on the first of them that is free. Then
// comes a line for each worker goroutine of a pool.
func linesOf(jobs []parallelfor.RecordedJob) []*line {
	var stays []stay
	for i, j := range jobs {
		for _, s := range j.Stays {
			if len(s.Batches) > 0 {
				stays = append(stays, stay{s, i, j.Name})
			}
		}
	}
	slices.SortStableFunc(stays, func(a, b stay) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	var others, pool []*line
	own := map[int]*line{}
	for _, s := range stays {
		l := own[s.Goroutine]
		if s.Goroutine == 0 {
			if i := slices.IndexFunc(others, func(l *line) bool { return l.until <= s.From }); i >= 0 {
				l = others[i]
			}
		}
		switch {
		case l != nil:
		case s.Goroutine == 0:
			l = new(line)
			others = append(others, l)
		default:
			l = new(line)
			pool = append(pool, l)
			own[s.Goroutine] = l
		}
		l.stays = append(l.stays, s)
		l.until = max(l.until, s.To)
	}
	named(others, pool)
	return append(others, pool...)
}

// named sets the names of the lines; others are those of callers. The line of a worker goroutine
// has the number of the worker that the goroutine was in every stay. If two goroutines had the same
// number, or one had several numbers or 0, the worker goroutines are counted from 1 instead.
func named(others, pool []*line) {
	for i, l := range others {
		if l.name = "caller"; len(others) > 1 {
			l.name += " " + strconv.Itoa(i+1)
		}
	}
	taken := map[int]bool{0: true}
	for _, l := range pool {
		number := l.stays[0].Worker
		if taken[number] || slices.ContainsFunc(l.stays, func(s stay) bool { return s.Worker != number }) {
			for i, l := range pool {
				l.name = "worker goroutine " + strconv.Itoa(i+1)
			}
			return
		}
		taken[number] = true
		l.name = "worker " + strconv.Itoa(number)
	}
}
