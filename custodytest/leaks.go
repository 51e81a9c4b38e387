package custodytest

import (
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// NoLeaks asserts, when the test ends, that every handle made since the call has been completed and
// every container disposed of. Leaks from before the call do not count. Each leak is an error of
// the test that tells where the value comes from. Until then NoLeaks turns on the tracking of
// containers (safety.SetLeakMode), and replaces the hook of safety.OnLeak to learn of leaks that
// the garbage collector finds first. Both are restored afterwards.
//
// Call it first: it looks for leaks after all functions that were registered later with t.Cleanup.
// Leaks of concurrent tests count, too, so it is not for parallel tests. If only handles count,
// filter safety.Leaks() by the field Job at the end instead. Builds without checks know of no
// leaks, and report none.
func NoLeaks(t testing.TB) {
	t.Helper()
	left := map[safety.Leak]int{}
	for _, l := range safety.Leaks() {
		left[same(l)]++
	}
	var lost found
	before := safety.OnLeak(lost.add)
	mode := safety.SetLeakMode(safety.LeaksOn)
	if mode == safety.LeaksWithStacks {
		safety.SetLeakMode(mode)
	}
	t.Cleanup(func() {
		t.Helper()
		all := append(safety.Leaks(), lost.take()...)
		safety.SetLeakMode(mode)
		safety.OnLeak(before)
		for _, l := range all {
			if left[same(l)] > 0 {
				left[same(l)]--
				continue
			}
			t.Errorf("%v", l)
		}
	})
}

// same returns a leak without the field Finished, which changes when the job finishes.
func same(l safety.Leak) safety.Leak {
	l.Finished = false
	return l
}

// found are leaks that the hook reported.
type found struct {
	mu   atom.Mutex
	list []safety.Leak
}

func (f *found) add(l safety.Leak) {
	f.mu.Lock()
	f.list = append(f.list, l)
	f.mu.Unlock()
}

func (f *found) take() []safety.Leak {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
}
