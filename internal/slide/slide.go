// Package slide moves the windows of views from batch to batch. The window of a view is the slice
// of its elements that the batch owns. A call by way of an interface costs as much as the rest of a
// batch, so a driver moves such a window itself, whatever the type of the elements.
package slide

import "unsafe"

// View is a view whose window a driver may move.
type View interface {
	// Slide returns the window, and the size of an element.
	Slide() (*Window, uintptr)
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
	stride int // the number of elements that each index owns
}

// Over returns the window that begins with the given slice, and the size of an element.
func Over[T any](elements *[]T) (*Window, uintptr) {
	return (*Window)(unsafe.Pointer(elements)), unsafe.Sizeof(*new(T))
}

// Move makes the elements [lo, hi) of base the window of the indices [lo, hi), with its capacity
// cut. There must be one index at least. Move does nothing and returns false if an index owns more
// or less than one element, or base ends before hi: the body may have replaced the view since the
// batch before.
func (w *Window) Move(lo, hi int, size uintptr) bool {
	if w.stride != 1 || hi > w.base.len {
		return false
	}
	w.elements.data = unsafe.Add(w.base.data, uintptr(lo)*size)
	w.elements.len, w.elements.cap = hi-lo, hi-lo
	w.min, w.first, w.last = lo, lo, hi
	return true
}
