package fuzz_test

import (
	"fmt"
	"math"
	"slices"
)

// differ compares two loops' leavings, and returns what is different. Of a loop that failed the
// elements from the failure on may hold anything.
func (l *loop) differ(got, want left) string {
	type pair struct {
		what      string
		got, want any
	}
	for _, p := range []pair{
		{"outcome", l.ending(got), want.ending()},
		{"Counter", got.count, want.count},
		{"Sum of floats", math.Float64frombits(got.sum), math.Float64frombits(want.sum)},
		{"bits of the Sum of floats", got.sum, want.sum},
		{"Sum of integers", got.whole, want.whole},
		{"Min", [2]any{got.min, got.minOK}, [2]any{want.min, want.minOK}},
		{"Max", [2]any{got.max, got.maxOK}, [2]any{want.max, want.maxOK}},
	} {
		if p.got != p.want {
			return fmt.Sprintf("%s: %v, expected %v", p.what, p.got, p.want)
		}
	}
	if !slices.Equal(got.counts, want.counts) {
		return fmt.Sprintf("Histogram: %v, expected %v", got.counts, want.counts)
	}
	for i := range l.lowest {
		if got.out[i] != want.out[i] {
			return fmt.Sprintf("element %d: %#x, expected %#x", i, got.out[i], want.out[i])
		}
		if !slices.Equal(got.log[2*i:2*i+2], want.log[2*i:2*i+2]) {
			return fmt.Sprintf("index %d was in batch %v, expected %v", i, got.log[2*i:2*i+2], want.log[2*i:2*i+2])
		}
	}
	return ""
}

// ending is how the loop ended. One thing cannot be taken back: that a body ended the goroutine
// which called the loop, at an index that comes after the one whose error counts.
func (l *loop) ending(got left) string {
	for _, f := range l.views.Faults[:l.views.Faulty] {
		if got.goexit && f.how == failGoexit && f.at > l.lowest && l.lowestHow() == failError {
			return outcome{err: faultError(l.lowest)}.String()
		}
	}
	return got.outcome.ending()
}

// lowestHow says how the lowest failing index fails.
func (l *loop) lowestHow() int {
	for _, f := range l.views.Faults[:l.views.Faulty] {
		if f.at == l.lowest {
			return f.how
		}
	}
	return -1
}

// ending is the outcome as text, with all that must be the same.
func (o outcome) ending() string {
	s := o.String()
	if v := o.violation; v != nil {
		s = fmt.Sprint(v.Kind, v.Job, v.Field, v.Index, v.Min, v.Max, v.Length)
	}
	return s
}

// check compares the Sequential loop with the plain one, as far as that is cut-free: integers.
func (l *loop) check(got left) string {
	var count int64
	counts := make([]int64, bins)
	var whole int16
	add := func(i int) {
		counts[i%bins]++
		count++
	}
	for i := 0; i < l.n && i <= l.lowest; i++ {
		count += int64(i) - 1
		add(i)
		whole += int16(i * 257)
		if v := l.views; i < l.lowest && v.Nest > 0 && i%v.Nest == 0 {
			for k := range inner {
				add(i + k)
			}
		}
	}
	switch {
	case got.count != count:
		return fmt.Sprintf("Counter: %d, expected %d", got.count, count)
	case got.whole != whole:
		return fmt.Sprintf("Sum: %d, expected %d", got.whole, whole)
	case !slices.Equal(got.counts, counts):
		return fmt.Sprintf("Histogram: %v, expected %v", got.counts, counts)
	case (got.ending() == outcome{}.String()) != (l.lowest == l.n):
		return "outcome: " + got.ending()
	}
	return ""
}
