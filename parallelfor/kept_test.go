package parallelfor_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What as many workers need as there are processors is kept, also where these are many and loops of one and of many workers take turns.
func TestTheMemoryOfAsManyWorkersAsProcessorsIsKept(t *testing.T) {
	if atom.Race || safety.Strict || atom.Explored {
		t.Skip("copies of jobs are made anew here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64))
	turns := func() {
		for _, workers := range []int{64, 2} {
			parallelfor.For(128, none{}, func(*none, int) {}, parallelfor.Workers(workers), parallelfor.Batch(1))
		}
	}
	turns()
	many := testing.AllocsPerRun(50, turns)
	one := testing.AllocsPerRun(50, func() {
		parallelfor.For(128, none{}, func(*none, int) {}, parallelfor.Workers(64), parallelfor.Batch(1))
	})
	require.Less(t, many, one+one/2) // goroutines are started for bodies that so many workers may block in
}
