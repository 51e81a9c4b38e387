package custody_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type Smooth struct {
	Heights array.Writer[float64]
}

func (s *Smooth) Execute(i int) {
	s.Heights.Set(i, (s.Heights.At(max(i-1, 0))+s.Heights.At(i))/2)
}

// The violation that the README shows is the one that its program gets, except the places.
func TestREADMEShowsTheViolationThatItsProgramGets(t *testing.T) {
	if !safety.Enabled || safety.Strict {
		t.Skip("the README shows the default level")
	}
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	heights := array.New[float64](1000, safety.Named("heights"))
	var text string
	func() {
		defer func() { text = recover().(error).Error() }()
		parallelfor.For(1000, Smooth{Heights: heights.Writer()}, (*Smooth).Execute)
	}()
	text = regexp.MustCompile(`happened at \w+\.go:\d+`).ReplaceAllString(text, "happened at main.go:14")
	text = regexp.MustCompile(`made at \w+\.go:\d+`).ReplaceAllString(text, "made at main.go:18")
	require.Contains(t, string(readme), text)
}

func TestREADMEIsShort(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(readme), "\n"), 200)
	require.LessOrEqual(t, len(strings.Fields(string(readme))), 1200, "words")
}

type CountZeros struct {
	In    array.Reader[int32]
	Zeros counter.ParallelWriter
}

func (j *CountZeros) ExecuteBatch(begin, end int) {
	for _, x := range j.In.Slice()[begin:end] {
		if x == 0 {
			j.Zeros.Inc() // a plain add into this worker's own cache line
		}
	}
}

// Count the zeros of an array, every worker in a lane of its own.
func Example() {
	in := array.New[int32](1000)
	for i := range in.Len() {
		in.Set(i, int32(i%4))
	}
	zeros := counter.New()
	parallelfor.ForBatch(in.Len(), CountZeros{in.Reader(), zeros.ParallelWriter()}, (*CountZeros).ExecuteBatch)
	fmt.Println(zeros.Value())
	// Output: 250
}

// A sum of floats has the same bits at any number of workers.
func Example_sum() {
	const n = 100_000
	var sums [3]float64
	for k, workers := range []int{1, 2, 8} {
		sum := counter.NewSum[float64]()
		parallelfor.For(n, sum.ParallelWriter(), func(w *counter.SumParallelWriter[float64], i int) {
			w.Add(1 / float64(i+1))
		}, parallelfor.Workers(workers))
		sums[k] = sum.Value()
	}
	fmt.Println(sums[0] == sums[1], sums[0] == sums[2])
	// Output: true true
}
