package safety

// Optional is a field of a job that may carry a view of type V, or none. Its zero value carries
// none, where a view that was never assigned would be refused.
//
//	type blur struct {
//		Out  array.Writer[float32]
//		Mask safety.Optional[array.Reader[bool]] // none: everything is blurred
//	}
//
//	func (j *blur) Execute(i int) {
//		if mask, ok := j.Mask.View(); ok && !mask.At(i) {
//			return
//		}
//		...
//	}
//
// The view keeps all its rules. A job type with Optional fields is searched by reflection at each
// schedule, which costs about 500 ns more: twice as much as a call of a loop of one batch.
//
// A driver finds the view as in any struct, if the first field of the Optional, a bool, is true.
// Each method: own worker; wait-free; O(1); allocates never.
type Optional[V any] struct {
	present bool
	view    V
}

// Some returns an Optional that carries the view, which must be assigned.
func Some[V any](view V) Optional[V] { return Optional[V]{present: true, view: view} }

// View returns the view that the job carries, to be used like a field of the job. If it carries
// none, ok is false and the view is nil.
func (o *Optional[V]) View() (view *V, ok bool) {
	if !o.present {
		return nil, false
	}
	return &o.view, true
}
