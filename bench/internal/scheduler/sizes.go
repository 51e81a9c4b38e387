package scheduler

import (
	"fmt"
	"runtime"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

// SizeRows are loops of half a microsecond to a millisecond of arithmetic, in several situations.
// They show from which size on a second core is worth it, and what a loop costs below. They have no
// bars.
func SizeRows(of *rows.Run) {
	r := &run{Run: of}
	const n, byHand = 256, "goroutines and caller"
	r.situations(func(in *run, at situation) {
		for total := 500 * time.Nanosecond; total <= 1024*time.Microsecond; total *= 2 {
			made := r.newChores(n, total, even)
			side := func(name string, do func()) measure.Side { return at.side(made, name, do) }
			sides := []measure.Side{
				side(ours, made.ours()),
				side(plain, made.loop),
				side(byHand, func() { rows.PartsHere(n, func(_, begin, end int) { made.part(begin, end) }) }),
			}
			c := contest{work: fmt.Sprintf("%v of arithmetic in %d indices, %s", total, n, at.name), results: newCells(made.to, made.loop)}
			r.judge(&c, sides)
			s := in.Compare(c.work, at.units, []string{plain}, sides...)
			r.judge(&c, sides)
			row := s.Row()
			row.Ratio, row.Info, row.Workers = s.Ratio(ours, plain), true, runtime.GOMAXPROCS(0)
			r.Rows = append(r.Rows, row)
		}
	})
}
