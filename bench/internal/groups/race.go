package groups

import (
	"strings"

	"example.com/custody/bench/internal/builds"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

// raceRows is what tests pay that run with the race detector. Plain goroutines pay for it, too.
func raceRows(r *rows.Run) {
	err := builds.Racing.Each(r.Config, func(work string, s *measure.Series) {
		bar := 2.0
		if strings.HasSuffix(work, builds.ByIndex) {
			bar = 4
		}
		r.Limited(work, s, builds.Racing.Peer).AtMost(bar)
	})
	if err != nil {
		r.Note("skipped: builds with the race detector: " + err.Error())
	}
}
