package parallelfor

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// fieldPlan tells where the driver finds, in a value of one type, what it must fill in.
type fieldPlan struct {
	fields []field
	varies bool           // a field is a slice or an Optional, so values differ in what they carry
	plain  []plain        // what bodies must not write
	named  bool           // plain has an entry with its path for each field, and not one for neighbours
	within []reflect.Type // the type, and those from which slices lead to it
	refuse *field         // the first field for which values of the type cannot be jobs
}

type fieldKind uint8

const (
	viewField fieldKind = iota
	workerField
	sliceField
	optionalField
)

type field struct {
	kind   fieldKind
	offset uintptr
	typ    reflect.Type
	path   string
	hold   uintptr    // of a view: the offset of its Hold in it
	size   uintptr    // of an element of a slice
	elem   *fieldPlan // of an element of a slice, or of an Optional
}

var (
	viewType     = reflect.TypeFor[safety.View]()
	disposesType = reflect.TypeFor[interface{ Dispose() }]()
	holdType     = reflect.TypeFor[safety.Hold]()
	guardType    = reflect.TypeFor[safety.Guard]()
	workerType   = reflect.TypeFor[Worker]()

	// calledTypes have the methods of views that drivers call. If methods were looked up by their
	// names, the linker would leave out no method of any type.
	calledTypes = [...]reflect.Type{
		reflect.TypeFor[interface{ Claim(*safety.Claim) }](),
		reflect.TypeFor[interface{ SetRange(begin, end int) }](),
		reflect.TypeFor[interface {
			Window() (begin, end, length int)
		}](),
		reflect.TypeFor[interface{ BeginSpan(batch int) }](),
		reflect.TypeFor[batchView](),
	}
)

// immutable has the types whose values can be shared although they hold pointers.
var immutable atom.Map

func init() { Immutable[time.Time]() }

// Immutable declares that values of type T are never changed through what they point to, so that a
// job may have fields of it. It must be called before the first schedule of a job type that has
// one. Strings, time.Time and the types of net/netip are known from the start.
func Immutable[T any]() { immutable.Store(reflect.TypeFor[T](), nil) }

// fieldPlanOf makes the plan of a type. In builds with the race detector a goroutine of its own
// does that: package reflect has caches under locks, which then order such goroutines, and not
// their callers.
func fieldPlanOf(t reflect.Type) *fieldPlan {
	if atom.Race {
		var made atom.HiddenPointer[fieldPlan]
		done := make(chan struct{})
		atom.Go(func() {
			made.Store(planFields(t, nil, false).unseen())
			atom.Hide()
			close(done)
			atom.Show()
		})
		atom.Hide()
		<-done
		atom.Show()
		return made.Load()
	}
	return planFields(t, nil, false)
}

// planFields makes the plan of a type. within has the types from which slices lead to it. named is
// as in fieldPlan.
func planFields(t reflect.Type, within []reflect.Type, named bool) *fieldPlan {
	p := &fieldPlan{within: append(within, t), named: named}
	p.walk(t, 0, "", false)
	return p
}

// walk adds what is in a value of type t at the offset. inside reports whether the value is part of
// a view. Other fields of a view are the container's own business.
func (p *fieldPlan) walk(t reflect.Type, at uintptr, path string, inside bool) {
	hold, holds := ownHold(t)
	switch {
	case t == workerType:
		p.fields = append(p.fields, field{kind: workerField, offset: at, typ: t, path: path})
	case t == holdType:
		p.refuseUnless(inside, t, path)
	case isImmutable(t):
		if !inside {
			p.addPlain(t, at, path)
		}
	case holds && reflect.PointerTo(t).Implements(viewType):
		p.fields = append(p.fields, field{kind: viewField, offset: at, typ: t, path: path, hold: hold})
		p.walkStruct(t, at, path, true)
	case isOptional(t):
		p.walkOptional(t, at, path)
	case untagged(t):
		p.refuseUnless(false, t, path)
	default:
		p.walkKind(t, at, path, inside)
	}
}

// walkKind is walk for all other types, by their kinds.
func (p *fieldPlan) walkKind(t reflect.Type, at uintptr, path string, inside bool) {
	switch t.Kind() {
	case reflect.Struct:
		if isContainer(t) && !inside {
			p.refuseUnless(inside, t, path)
			return
		}
		p.walkStruct(t, at, path, inside)
	case reflect.Array:
		for i := range t.Len() {
			p.walk(t.Elem(), at+uintptr(i)*t.Elem().Size(), elementPath(path, i), inside)
		}
	case reflect.Slice:
		if !inside {
			p.walkSlice(t, at, path)
		}
	case reflect.Map, reflect.Pointer, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		p.refuseUnless(inside, t, path)
	default:
		if !inside {
			p.addPlain(t, at, path)
		}
	}
}

// walkSlice adds a slice. Its elements must have views, and nothing that is refused.
func (p *fieldPlan) walkSlice(t reflect.Type, at uintptr, path string) {
	if slices.Contains(p.within, t.Elem()) { // a tree has no fixed plan
		p.refuseUnless(false, t, path)
		return
	}
	elem := planFields(t.Elem(), p.within, p.named)
	if len(elem.fields) == 0 && !elem.varies {
		p.refuseUnless(false, t, path)
		return
	}
	p.varies = true
	if r := elem.refuse; r != nil {
		if r.typ != t {
			path = join(path+"[]", r.path)
		}
		p.refuseUnless(false, r.typ, path)
		return
	}
	p.fields = append(p.fields, field{kind: sliceField, offset: at, typ: t, path: path, size: t.Elem().Size(), elem: elem})
}

// isOptional reports whether the type is a safety.Optional. Its first field is a bool, which is
// true if it carries a view.
func isOptional(t reflect.Type) bool {
	return t.PkgPath() == holdType.PkgPath() && strings.HasPrefix(t.Name(), "Optional[")
}

// walkOptional adds an Optional. What it carries has the path of the Optional.
func (p *fieldPlan) walkOptional(t reflect.Type, at uintptr, path string) {
	carried := t.Field(1)
	elem := &fieldPlan{within: p.within, named: p.named}
	elem.walk(carried.Type, carried.Offset, "", false)
	if elem.refuse != nil {
		p.refuseUnless(false, elem.refuse.typ, join(path, elem.refuse.path))
		return
	}
	p.fields = append(p.fields, field{kind: optionalField, offset: at, typ: t, path: path, elem: elem})
	p.varies = true
}

func (p *fieldPlan) walkStruct(t reflect.Type, at uintptr, path string, inside bool) {
	for f := range t.Fields() {
		if f.Tag.Get("custody") == "unguarded" || f.Name == "_" && !inside {
			continue
		}
		if inside && isPart(&f) {
			p.walkStruct(f.Type, at+f.Offset, path, true)
			continue
		}
		name := f.Name
		if f.Tag.Get("custody") == "inline" && f.Type.Kind() == reflect.Struct { // its fields count as the struct's
			name = ""
		}
		p.walk(f.Type, at+f.Offset, join(path, name), inside)
	}
}

// elementPath returns the path of element i of what is at path.
func elementPath(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// join returns the path of rest, which is a path inside of what is at path.
func join(path, rest string) string {
	if path == "" || rest == "" || rest[0] == '[' {
		return path + rest
	}
	return path + "." + rest
}

// isContainer reports whether the type is a container: a struct with a Guard as a field, or one
// that embeds a container, or one with a method Dispose and containers in unexported fields.
func isContainer(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for f := range t.Fields() {
		inner := f.Type
		if inner.Kind() == reflect.Array {
			inner = inner.Elem()
		}
		if inner == guardType || isContainer(inner) && (f.Anonymous || !f.IsExported() && reflect.PointerTo(t).Implements(disposesType)) {
			return true
		}
	}
	return false
}

// ownHold returns the offset of the Hold that makes a type a view. The type embeds the Hold, or
// embeds a struct tagged custody:"part" that does.
func ownHold(t reflect.Type) (uintptr, bool) {
	if t.Kind() != reflect.Struct {
		return 0, false
	}
	for f := range t.Fields() {
		if f.Type == holdType {
			return f.Offset, true
		}
		if isPart(&f) {
			if off, ok := ownHold(f.Type); ok {
				return f.Offset + off, true
			}
		}
	}
	return 0, false
}

// isPart reports whether the field is an embedded struct that is a part of the view around it.
func isPart(f *reflect.StructField) bool {
	return f.Anonymous && f.Tag.Get("custody") == "part"
}

// untagged reports whether a struct embeds a part of a view without the tag: the struct has a
// method that drivers call, which the embedded struct with the Hold lacks.
func untagged(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !reflect.PointerTo(t).Implements(viewType) {
		return false
	}
	for f := range t.Fields() {
		if !f.Anonymous || !reflect.PointerTo(f.Type).Implements(viewType) {
			continue
		}
		for _, m := range calledTypes {
			if reflect.PointerTo(t).Implements(m) && !reflect.PointerTo(f.Type).Implements(m) {
				return true
			}
		}
	}
	return false
}

func isImmutable(t reflect.Type) bool {
	atom.Hide()
	defer atom.Show()
	_, ok := immutable.Load(t)
	return ok || t.PkgPath() == "net/netip" // not imported: it would be in each program
}

// refuseUnless notes, unless ok, that a field of type t keeps values of the type from being jobs.
func (p *fieldPlan) refuseUnless(ok bool, t reflect.Type, path string) {
	if !ok && p.refuse == nil {
		p.refuse = &field{typ: t, path: path}
	}
}

// refusal returns the violation of scheduling a value of the type as the named job.
func (p *fieldPlan) refusal(job string) *safety.Violation {
	what := "job " + job + " has a field " + p.refuse.path + " of type " + p.refuse.typ.String()
	if p.refuse.path == "" {
		what = "job " + job + " is of type " + p.refuse.typ.String()
	}
	why := "which its workers would share unseen"
	do := "Put the data into a container and carry a view of it; or, if no worker changes what others use, tag the field `custody:\"unguarded\"`."
	t, pointer := p.refuse.typ, p.refuse.typ.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	switch _, view := ownHold(t); {
	case untagged(t):
		why = "which embeds a part of a view without its tag"
		do = "Tag the embedded struct that has the Hold `custody:\"part\"`."
	case t == holdType:
		why = "which no view embeds"
		do = "Embed the Hold in the type of the view: that makes it one."
	case isContainer(t):
		why = "which is a container and not a view of one"
		do = "Carry a view, as the container's Reader() or Writer() returns it: it says what the job does with the container."
	case view && pointer:
		why = "which points to a view that its workers would share"
		do = "Carry the view itself: each worker gets a copy of its own."
	}
	v := safety.NewViolation(safety.ErrField, what+", "+why, do)
	v.Job, v.Field = job, p.refuse.path
	return v
}
