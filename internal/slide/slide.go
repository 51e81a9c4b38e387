// Package slide moves the windows of views from batch to batch. The window of a view is the slice
// of its elements that the batch owns. A call by way of an interface costs as much as the rest of a
// batch, so a driver moves such a window itself, whatever the type of the elements.
package slide

import "unsafe"

// View is a view whose window a driver may move.
type View interface {
	Slide() *Window
}

// Window is the layout of the windows of all types of elements. Elements and base are slices of
// them in the view.
type Window struct {
	elements struct {
		data     unsafe.Pointer
		len, cap int
	}
	min         int // the index in base of the first of the elements
	first, last int // the indices of the loop whose elements they are: first <= i < last
	base        struct {
		data     unsafe.Pointer
		len, cap int
	}
	stride int     // the number of elements that each index owns
	size   uintptr // of an element
}

// Over returns the window that begins with the given slice.
func Over[T any](elements *[]T) *Window {
	w := (*Window)(unsafe.Pointer(elements))
	w.size = unsafe.Sizeof(*new(T))
	return w
}

// Serves reports whether Move does all that the view has to do in a loop over n indices. It is for
// a view that is bound.
func (w *Window) Serves(n int) bool { return w.stride == 1 && n <= w.base.len }

// Move makes the elements [lo, hi) of base the window of the indices [lo, hi), with its capacity
// cut. There must be one index at least.
func (w *Window) Move(lo, hi int) {
	w.elements.data = unsafe.Add(w.base.data, uintptr(lo)*w.size)
	w.elements.len, w.elements.cap = hi-lo, hi-lo
	w.min, w.first, w.last = lo, lo, hi
}
