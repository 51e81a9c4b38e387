//go:build race && !custody_explore

package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// forkBoth is Join in builds with the race detector, which is to see that the halves are not
// ordered. So the left half runs on a goroutine of its own, and the right half after it on the
// calling goroutine, which learns of the end of the left half only at its own. For the same reasons
// as the goroutines of batches, that of the left half then waits for the end of the recursion.
func forkBoth[A, R any](f *Forks[A, R], left, right A) (l, r R) {
	h := &leftHalf[A, R]{forks: &Forks[A, R]{tree: f.tree, call: f.call}, arg: left, ended: make(chan struct{})}
	h.forks.w.forking = &f.tree.forking
	atom.Go(h.begin)
	atom.Hide()
	<-h.ended
	atom.Show()
	func() {
		defer atom.Acquire(unsafe.Pointer(h)) // deferred functions may see a panic of right
		if !h.has() {
			r = f.call(f, right)
		}
	}()
	if h.failed.failed {
		h.raise(&f.w)
	}
	return h.result, r
}

// forkEngine has where the goroutines of the left halves of a recursion wait for its end.
type forkEngine struct{ parking parking }

func (e *forkEngine) begin() {
	e.parking = parking{end: make(chan struct{}), gone: make(chan struct{}, 1)}
}

func (e *forkEngine) end() { e.parking.clear() }

// leftHalf is the left half of a Join, on its goroutine.
type leftHalf[A, R any] struct {
	forks  *Forks[A, R]
	arg    A
	result R
	failed
	ended chan struct{}
}

// has reports whether the half has failed, without showing the race detector that it has ended.
//
//go:norace
func (f *failed) has() bool { return f.failed }

// begin runs the half on the calling goroutine.
func (h *leftHalf[A, R]) begin() {
	h.failed.failed = true
	defer h.end()
	gls.Within(h.forks.tree.scope.Load(), h)
}

// Run runs the half.
func (h *leftHalf[A, R]) Run() {
	h.result = h.forks.call(h.forks, h.arg)
	h.failed.failed = false
}

// end ends the half, and waits for the end of the recursion.
func (h *leftHalf[A, R]) end() {
	if h.failed.failed {
		h.note(&h.forks.w, recover())
	}
	atom.ReleaseMerge(unsafe.Pointer(h))
	park := &h.forks.tree.engine.parking
	atom.Hide()
	close(h.ended)
	atom.Show()
	park.wait()
}
