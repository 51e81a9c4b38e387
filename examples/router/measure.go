package main

import (
	"slices"
	"time"
)

// form is a way to search all goals, and how long it took each time.
type form struct {
	name  string
	run   func()
	times []time.Duration
}

// enough is how long all forms together search when nobody says how often.
const enough = 2 * time.Second

// measure lets the forms search in turns: so many times, or for 0 as often as time allows, and three times at least. Once before,
// unmeasured, they get the memory that they use again.
func measure(forms []*form, repeat int) {
	for _, f := range forms {
		f.run()
	}
	begun := time.Now()
	for k := 0; k < repeat || repeat == 0 && (k < 3 || time.Since(begun) < enough); k++ {
		for _, f := range forms {
			since := time.Now()
			f.run()
			f.times = append(f.times, time.Since(since))
		}
	}
	for _, f := range forms {
		slices.Sort(f.times)
	}
}

// median returns how long it took usually.
func (f *form) median() time.Duration { return f.times[len(f.times)/2] }

// least returns how long it took when nothing else kept the processors busy.
func (f *form) least() time.Duration { return f.times[0] }

// faster returns how many times as fast as another form this one is: by the medians, and by the least times.
func (f *form) faster(other *form) (usually, best float64) {
	return ratio(other.median(), f.median()), ratio(other.least(), f.least())
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }
