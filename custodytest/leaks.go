package custodytest

import (
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// NoLeaks asserts, when the test ends, that it has completed each handle and disposed of each container that it has made since NoLeaks was called: what was left before
// does not count. Each leak is an error that says where it comes from. It has containers tracked meanwhile (safety.SetLeakMode), and takes the hook of
// safety.OnLeak for those that the garbage collector finds first; both are as before afterwards.
//
// Call it first: it looks when what was registered later with t.Cleanup has run. Tests that run beside it count, too, so it is not for parallel ones. Where
// containers need not be disposed, and only handles count, call safety.VerifyNoLeaks in the end. Builds without checks know of no leaks, and find none.
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

// same is what a leak has in common with itself at another time: a job may have finished since.
func same(l safety.Leak) safety.Leak {
	l.Finished = false
	return l
}

// found are leaks that the hook was told of.
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
