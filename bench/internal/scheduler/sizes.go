package scheduler

import (
	"fmt"
	"runtime"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

// SizeRows are loops of half a microsecond to a millisecond of arithmetic. They show from
// which size on a second core is worth it, and what a loop costs below. They have no bars.
func SizeRows(of *rows.Run) {
	r := &run{Run: of}
	const n, byHand = 256, "goroutines and caller"
	for total := 500 * time.Nanosecond; total <= 1024*time.Microsecond; total *= 2 {
		made := r.newChores(n, total, even)
		results := newCells(made.to, made.loop)
		sides := []measure.Side{
			measure.Do(ours, made.ours()),
			measure.Do(plain, made.loop),
			measure.Do(byHand, func() { rows.PartsHere(n, func(_, begin, end int) { made.part(begin, end) }) }),
		}
		c := contest{work: fmt.Sprintf("%v of arithmetic in %d indices", total, n), results: results}
		r.judge(&c, sides)
		s := r.Compare(c.work, 1, []string{plain}, sides...)
		r.judge(&c, sides)
		row := s.Row()
		row.Ratio, row.Info, row.Workers = s.Ratio(ours, plain), true, runtime.GOMAXPROCS(0)
		r.Rows = append(r.Rows, row)
	}
}
