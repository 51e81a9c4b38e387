package array_test

import (
	"testing"
	"time"
)

// against measures run and, a few rounds at a time in turns so that both see the same machine,
// base. It reports their ratio.
func against(b *testing.B, base, run func()) {
	b.Helper()
	b.ReportAllocs()
	const turn = 16
	var baseTime, runTime time.Duration
	rounds := 0
	for b.Loop() {
		if rounds%turn == 0 {
			b.StopTimer()
			t := time.Now()
			for range turn {
				base()
			}
			baseTime += time.Since(t)
			b.StartTimer()
		}
		t := time.Now()
		run()
		runTime += time.Since(t)
		rounds++
	}
	if k := (rounds + turn - 1) / turn * turn; baseTime > 0 {
		b.ReportMetric(float64(runTime)/float64(rounds)/(float64(baseTime)/float64(k)), "ratio")
	}
}
