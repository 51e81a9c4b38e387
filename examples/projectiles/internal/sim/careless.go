package sim

import (
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// Careless schedules the first two jobs of a frame, of which the second does not say that it runs after the first, and returns what
// its schedule panics with. It returns nil in builds that check nothing. The first job does not begin before that, so the text never says that it has finished.
func Careless(c Config) (err error) {
	w := NewWorld(c)
	defer w.Close()
	w.frame = 1
	w.fire()
	w.shots.Apply()
	begin := make(chan struct{})
	held := parallelfor.Go(gate{begin}, func(g *gate) { <-g.begin })
	var jobs []parallelfor.Handle
	defer func() {
		err, _ = recover().(error)
		close(begin)
		parallelfor.Combine(jobs...).Complete()
	}()
	rows := w.shots.Rows()
	jobs = append(jobs, table.ScheduleChunks(rows, w.seek(), (*seek).ExecuteBatch, parallelfor.After(held)))
	jobs = append(jobs, table.ScheduleChunks(rows, w.arc(), (*arc).ExecuteBatch, parallelfor.After(held))) // parallelfor.After(jobs[0]) is meant
	return nil
}

// gate is what a job waits for.
type gate struct {
	begin chan struct{} `custody:"unguarded"`
}
