package parallelfor_test

import (
	"runtime"
	"testing"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// busy is a job whose index costs some rounds of arithmetic.
type busy struct {
	In     array.Reader[int]
	Out    array.Writer[int]
	W      parallelfor.Worker
	rounds int
	helped []int `custody:"unguarded"` // batches by worker
}

func spend(v, rounds int) int {
	x := uint64(v)
	for range rounds {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return int(x)
}

func (j *busy) ExecuteBatch(begin, end int) {
	in, out := j.In.Slice(), j.Out.Slice()
	for k := range out {
		out[k] = spend(in[begin+k], j.rounds)
	}
	if j.helped != nil {
		j.helped[64*j.W.Index()]++
	}
}

// Short loops back to back, against the plain loop.
func BenchmarkForkJoin(b *testing.B) {
	const n = 256
	in, out := array.New[int](n), array.New[int](n)
	for _, rounds := range []int{12, 60, 600} {
		name := map[int]string{12: "3us", 60: "17us", 600: "170us"}[rounds]
		b.Run(name+"/plain", func(b *testing.B) {
			i, o := in.Slice(), out.Slice()
			for b.Loop() {
				for k := range o {
					o[k] = spend(i[k], rounds)
				}
			}
		})
		b.Run(name+"/run", func(b *testing.B) {
			helped := make([]int, 64*max(runtime.GOMAXPROCS(0), 2))
			began := time.Now()
			for b.Loop() {
				parallelfor.ForBatch(n, busy{In: in.Reader(), Out: out.Writer(), rounds: rounds, helped: helped}, (*busy).ExecuteBatch)
			}
			_ = began
			b.ReportMetric(float64(helped[64])/float64(helped[0]+helped[64]), "share")
		})
	}
}
