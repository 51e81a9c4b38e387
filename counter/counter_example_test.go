package counter_test

import (
	"fmt"
	"sync"

	"example.com/custody/counter"
	"example.com/custody/safety"
)

func ExampleCounter() {
	hits := counter.New(safety.Named("hits"))
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			for range 100 {
				hits.Inc()
			}
		})
	}
	group.Wait()
	fmt.Println(hits.Value())
	// Output: 1000
}

// Swap takes the count of an interval and begins the next one, and no Add falls between.
func ExampleCounter_Swap() {
	requests := counter.New()
	requests.Add(7)
	fmt.Println(requests.Swap(0))
	requests.Inc()
	fmt.Println(requests.Swap(0))
	// Output:
	// 7
	// 1
}

func ExampleLocal() {
	bytes := counter.New()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			local := bytes.Local()
			defer local.Close()
			for range 1000 {
				local.Add(3)
			}
		})
	}
	group.Wait()
	fmt.Println(bytes.Value())
	// Output: 12000
}

func ExampleSum() {
	energy := counter.NewSum[float64]()
	for _, e := range []float64{0.5, 1.25, -0.75} {
		energy.Add(e)
	}
	fmt.Println(energy.Value())
	// Output: 1
}

func ExampleMin() {
	nearest := counter.NewMin[float64]()
	_, ok := nearest.Value()
	fmt.Println(ok)
	for _, d := range []float64{3.5, 1.25, 2} {
		nearest.Observe(d)
	}
	fmt.Println(nearest.Value())
	// Output:
	// false
	// 1.25 true
}

func ExampleMax() {
	peak := counter.NewMax[int]()
	for _, load := range []int{3, 9, 4} {
		peak.Observe(load)
	}
	fmt.Println(peak.Value())
	// Output: 9 true
}

func ExampleHistogram() {
	ages := counter.NewHistogram(4)
	for _, age := range []int{12, 31, 35, 38} {
		ages.Add(age/10, 1)
	}
	for decade, n := range ages.All() {
		fmt.Printf("%ds: %d\n", 10*decade, n)
	}
	// Output:
	// 0s: 0
	// 10s: 1
	// 20s: 0
	// 30s: 3
}
