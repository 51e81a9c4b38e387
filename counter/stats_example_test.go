package counter_test

import (
	"fmt"

	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// A counter on which no two goroutines collided is small. The lanes of a job's workers are kept for
// the next one.
func ExampleCounter_Stats() {
	hits := counter.New()
	before := hits.Stats()
	parallelfor.For(1000, hits.ParallelWriter(), func(w *counter.ParallelWriter, i int) { w.Inc() }, parallelfor.Sequential())
	after := hits.Stats()
	fmt.Println(before.Stripes, "stripes,", before.Lanes, "lanes, less than a KiB:", before.Bytes < 1024)
	fmt.Println(after.Stripes, "stripes,", after.Lanes, "lane, more bytes:", after.Bytes > before.Bytes)
	// Output:
	// 0 stripes, 0 lanes, less than a KiB: true
	// 0 stripes, 1 lane, more bytes: true
}
