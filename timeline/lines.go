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

// stay is a stay in a job.
type stay struct {
	parallelfor.RecordedStay
	job  int
	name string // the job's
}

// linesOf puts all stays that have batches on lines. First come those of goroutines that are not
// the pool's, each on the first line that is free, then a line for each worker goroutine of the
// pool.
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
			l = &line{name: "goroutine " + strconv.Itoa(len(others)+1)}
			others = append(others, l)
		default:
			l = &line{name: "pool " + strconv.Itoa(len(pool)+1)}
			pool = append(pool, l)
			own[s.Goroutine] = l
		}
		l.stays = append(l.stays, s)
		l.until = max(l.until, s.To)
	}
	return append(others, pool...)
}
