package safety

// Optional is a field of a job that may carry a view of type V, or none: a container that the job can do
// without. Its zero value carries none, where a view that was never assigned would be refused.
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
// What it carries is a view like any other, with all its rules. A job type with Optional fields is looked through
// by reflection at each schedule, which costs some 500 ns more: as much again as a schedule of one batch.
type Optional[V any] struct {
	present bool
	view    V
}

// Some returns an Optional that carries the view. It must be assigned: that nothing is carried is what the zero
// Optional says.
func Some[V any](view V) Optional[V] { return Optional[V]{present: true, view: view} }

// View returns the view that the job carries there, to be used like a field of it; ok is false, and the view nil,
// when there is none.
func (o *Optional[V]) View() (view *V, ok bool) {
	if !o.present {
		return nil, false
	}
	return &o.view, true
}
