package lawtest

import (
	"runtime"
	"sync"
	"testing"
	"weak"
)

// Kept returns the number of bytes that the program holds after do and did not hold before it. Both
// are measured after the garbage collector has freed all that it can.
func Kept(do func()) int {
	runGoroutines()
	before := held()
	do()
	return held() - before
}

// goroutines is more than the number of goroutines that run at once in a test of memory.
const goroutines = 4000

// runGoroutines runs goroutines at once. The runtime keeps the descriptor of each, about 400 bytes,
// and uses it for later ones, so that Kept does not count descriptors.
var runGoroutines = sync.OnceFunc(func() {
	var all sync.WaitGroup
	end := make(chan struct{})
	for range goroutines {
		all.Go(func() { <-end })
	}
	close(end)
	all.Wait()
})

// held returns the number of bytes that the program holds.
func held() int {
	for range 20 { // more than spare memory lasts, and then those that free what cleanups release
		collect()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// collect returns after a garbage collection that has run a cleanup.
func collect() {
	over := make(chan struct{})
	runtime.AddCleanup(new([16]byte), func(over chan struct{}) { close(over) }, over)
	for {
		runtime.GC()
		select {
		case <-over:
			return
		default:
			runtime.Gosched()
		}
	}
}

// collections is the number of collections after which an object that has not been freed is kept.
// Before that, only the stack of a goroutine that has not run since may hold it.
const collections = 100

// Collected fails the test unless the garbage collector frees the object of p.
func Collected[T any](t testing.TB, p weak.Pointer[T]) {
	t.Helper()
	for range collections {
		if collect(); p.Value() == nil {
			return
		}
	}
	t.Errorf("something keeps it")
	t.FailNow()
}

// Comes reports whether a condition becomes true after some garbage collections.
func Comes(is func() bool) bool {
	for range collections {
		if is() {
			return true
		}
		collect()
	}
	return is()
}

// Happens fails the test unless a condition becomes true after some garbage collections.
func Happens(t testing.TB, what string, is func() bool) {
	t.Helper()
	if Comes(is) {
		return
	}
	t.Errorf("it does not come about: %s", what)
	t.FailNow()
}
