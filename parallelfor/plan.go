package parallelfor

import (
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// layout says where in a value of one type the driver finds what it must fill in.
type layout struct {
	fields []field
	varies bool           // some field is a slice or Optional: what is in a value differs from value to value
	plain  []plain        // what bodies must not write
	named  bool           // plain has an entry with its path for each field, rather than one for neighbouring fields
	within []reflect.Type // what the type is inside of, itself included
	refuse *field         // the first field for which values of the type cannot be jobs
}

type fieldKind uint8

const (
	viewField fieldKind = iota
	workerField
	sliceField
	maybeField
)

type field struct {
	kind   fieldKind
	offset uintptr
	typ    reflect.Type
	path   string
	hold   uintptr // a view's: where in it its Hold is
	elem   *layout // a slice's, or an Optional's own
}

var (
	viewType     = reflect.TypeFor[safety.View]()
	disposesType = reflect.TypeFor[interface{ Dispose() }]()
	holdType     = reflect.TypeFor[safety.Hold]()
	guardType    = reflect.TypeFor[safety.Guard]()
	workerType   = reflect.TypeFor[Worker]()
)

// immutable has the types whose values can be shared although they hold pointers.
var immutable atom.Map

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[time.Time](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[netip.AddrPort](), reflect.TypeFor[netip.Prefix](),
	} {
		immutable.Store(t, nil)
	}
}

// Immutable says that values of type T are never changed through what they point to, so that a job
// may have fields of it. It must be called before the first schedule of a job type that has one. Known
// from the start: strings, time.Time and the types of net/netip.
func Immutable[T any]() { immutable.Store(reflect.TypeFor[T](), nil) }

// layoutOf walks the type once.
func layoutOf(t reflect.Type) *layout {
	atom.Hide() // package reflect has caches
	defer atom.Show()
	return layoutIn(t, nil, false)
}

// layoutIn walks a type that is inside the given types, from which it is reached through slices.
// named is as in layout.
func layoutIn(t reflect.Type, within []reflect.Type, named bool) *layout {
	l := &layout{within: append(within, t), named: named}
	l.walk(t, 0, "", false)
	return l
}

// walk adds what is in a value of type t at the offset. inside says that it is part of a view, whose
// other fields are the container's own business.
func (l *layout) walk(t reflect.Type, at uintptr, path string, inside bool) {
	if t == workerType {
		l.fields = append(l.fields, field{kind: workerField, offset: at, typ: t, path: path})
		return
	}
	if t == holdType {
		if !inside {
			l.refuseField(t, path)
		}
		return
	}
	if isImmutable(t) {
		if safety.Enabled && !inside {
			l.addPlain(t, at, path)
		}
		return
	}
	if off, ok := ownHold(t); ok && reflect.PointerTo(t).Implements(viewType) {
		l.fields = append(l.fields, field{kind: viewField, offset: at, typ: t, path: path, hold: off})
		l.walkStruct(t, at, path, true)
		return
	}
	if isMaybe(t) {
		l.walkMaybe(t, at, path)
		return
	}
	if untagged(t) {
		l.refuseField(t, path)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if isContainer(t) && !inside {
			l.refuseField(t, path)
			return
		}
		l.walkStruct(t, at, path, inside)
	case reflect.Array:
		for i := range t.Len() {
			l.walk(t.Elem(), at+uintptr(i)*t.Elem().Size(), path+"["+strconv.Itoa(i)+"]", inside)
		}
	case reflect.Slice:
		if inside {
			return
		}
		if slices.Contains(l.within, t.Elem()) { // trees have no fixed layout
			l.refuseField(t, path)
			return
		}
		elem := layoutIn(t.Elem(), l.within, l.named)
		if len(elem.fields) == 0 && !elem.varies {
			l.refuseField(t, path)
			return
		}
		l.varies = true
		if r := elem.refuse; r != nil { // it has views, and something else besides
			if r.typ != t {
				path = join(path+"[]", r.path)
			}
			l.refuseField(r.typ, path)
			return
		}
		l.fields = append(l.fields, field{kind: sliceField, offset: at, typ: t, path: path, elem: elem})
	case reflect.Map, reflect.Pointer, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		if !inside {
			l.refuseField(t, path)
		}
	default:
		if safety.Enabled && !inside {
			l.addPlain(t, at, path)
		}
	}
}

// isMaybe reports whether the type is a safety.Optional. The first field of one, a bool, is true if
// it carries a view.
func isMaybe(t reflect.Type) bool {
	return t.PkgPath() == holdType.PkgPath() && strings.HasPrefix(t.Name(), "Optional[")
}

// walkMaybe adds an Optional: what it carries, if it is present, has its path.
func (l *layout) walkMaybe(t reflect.Type, at uintptr, path string) {
	carried := t.Field(1)
	elem := &layout{within: l.within, named: l.named}
	elem.walk(carried.Type, carried.Offset, "", false)
	if elem.refuse != nil {
		l.refuseField(elem.refuse.typ, join(path, elem.refuse.path))
		return
	}
	l.fields = append(l.fields, field{kind: maybeField, offset: at, typ: t, path: path, elem: elem})
	l.varies = true
}

func (l *layout) walkStruct(t reflect.Type, at uintptr, path string, inside bool) {
	for f := range t.Fields() {
		if f.Tag.Get("custody") == "unguarded" || f.Name == "_" && !inside {
			continue
		}
		if inside && isPart(&f) {
			l.walkStruct(f.Type, at+f.Offset, path, true)
			continue
		}
		name := f.Name
		if f.Tag.Get("custody") == "inline" && f.Type.Kind() == reflect.Struct { // what it has is as if it were the struct's
			name = ""
		}
		l.walk(f.Type, at+f.Offset, join(path, name), inside)
	}
}

// join is the path of what is at rest inside of what is at path.
func join(path, rest string) string {
	if path == "" || rest == "" || rest[0] == '[' {
		return path + rest
	}
	return path + "." + rest
}

// isContainer reports whether the type is a struct with a Guard as a direct field, or of a struct
// that it embeds; or one with a method Dispose and containers in an unexported field.
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

// ownHold finds the Hold that makes a type a view: one that it embeds, or that an embedded struct
// does which is tagged custody:"part".
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

// untagged reports whether a struct has methods that drivers call of views, which an embedded
// struct with the Hold does not have: then that is a part of the view, and lacks the tag.
func untagged(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !reflect.PointerTo(t).Implements(viewType) {
		return false
	}
	for f := range t.Fields() {
		if !f.Anonymous || !reflect.PointerTo(f.Type).Implements(viewType) {
			continue
		}
		for _, name := range [...]string{"Claim", "SetRange", "Window", "BeginSpan", "BeginBatch"} {
			_, outer := reflect.PointerTo(t).MethodByName(name)
			if _, inner := reflect.PointerTo(f.Type).MethodByName(name); outer && !inner {
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
	return ok
}

func (l *layout) refuseField(t reflect.Type, path string) {
	if l.refuse == nil {
		l.refuse = &field{typ: t, path: path}
	}
}

// refusal says why a value of the type cannot be the named job.
func (l *layout) refusal(job string) *safety.Violation {
	what := "job " + job + " has a field " + l.refuse.path + " of type " + l.refuse.typ.String()
	if l.refuse.path == "" {
		what = "job " + job + " is of type " + l.refuse.typ.String()
	}
	why := "which its workers would share unseen"
	do := "Put the data into a container and carry a view of it; or, if no worker changes what others use, tag the field `custody:\"unguarded\"`."
	t, pointer := l.refuse.typ, l.refuse.typ.Kind() == reflect.Pointer
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
	v.Job, v.Field = job, l.refuse.path
	return v
}
