package custodytest

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"strconv"
)

// difference returns a text about the first difference between two values, or the empty string.
func difference[R any](want, got R) string {
	d := differ{seen: map[pair]bool{}}
	d.compare("result", reflect.ValueOf(&want).Elem(), reflect.ValueOf(&got).Elem())
	return d.found
}

// differ compares values. A pair that it has met before counts as equal, so that it comes to an end
// with values that contain themselves.
type differ struct {
	seen  map[pair]bool
	found string
}

// pair is a pair of pointers, maps or slices. It has the type, because a struct and its first field
// have one address, and the length, because two slices of an array may begin at one element.
type pair struct {
	a, b uintptr
	n    int
	t    reflect.Type
}

// again reports whether the differ has met a pair of non-nil pointers, maps or slices before. The
// two slices or maps must have the same length.
func (d *differ) again(a, b reflect.Value) bool {
	p := pair{a: a.Pointer(), b: b.Pointer(), t: a.Type()}
	if a.Kind() != reflect.Pointer {
		p.n = a.Len()
	}
	if d.seen[p] {
		return true
	}
	d.seen[p] = true
	return false
}

// compare records the first difference between two values of the same type. Of two functions it
// compares only whether they are nil.
func (d *differ) compare(path string, a, b reflect.Value) {
	if d.found != "" {
		return
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		d.unless(math.Float64bits(a.Float()) == math.Float64bits(b.Float()), path, a, b)
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		d.unless(math.Float64bits(real(x)) == math.Float64bits(real(y)) && math.Float64bits(imag(x)) == math.Float64bits(imag(y)), path, a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			d.compare(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
		}
	case reflect.Array:
		d.elements(path, a, b)
	case reflect.Slice:
		if d.alike(path, a, b) && !d.again(a, b) {
			d.elements(path, a, b)
		}
	case reflect.Map:
		if d.alike(path, a, b) && !d.again(a, b) {
			d.entries(path, a, b)
		}
	case reflect.Pointer:
		if d.unless(a.IsNil() == b.IsNil(), path, a, b) && !a.IsNil() && !d.again(a, b) {
			d.compare(path, a.Elem(), b.Elem())
		}
	case reflect.Interface:
		if !d.unless(a.IsNil() == b.IsNil(), path, a, b) || a.IsNil() {
			return
		}
		if a, b = a.Elem(), b.Elem(); a.Type() != b.Type() {
			d.differs(path, exactly(a), exactly(b))
			return
		}
		d.compare(path, a, b)
	case reflect.Func:
		d.unless(a.IsNil() == b.IsNil(), path, a, b)
	default:
		d.unless(a.Equal(b), path, a, b)
	}
}

// alike records a difference if only one of two slices or maps is nil, or if their lengths differ.
// It reports whether their elements must be compared: there is no difference yet, and the lengths
// are not 0.
func (d *differ) alike(path string, a, b reflect.Value) bool {
	if !d.unless(a.IsNil() == b.IsNil(), path, a, b) {
		return false
	}
	return d.unless(a.Len() == b.Len(), "len("+path+")", reflect.ValueOf(a.Len()), reflect.ValueOf(b.Len())) && a.Len() > 0
}

func (d *differ) elements(path string, a, b reflect.Value) {
	for i := range a.Len() {
		if d.found == "" {
			d.compare(path+"["+strconv.Itoa(i)+"]", a.Index(i), b.Index(i))
		}
	}
}

// entries compares maps of the same length. A key that is not equal to itself cannot be looked up,
// so each entry with such a key must have an entry in the other map that looks the same.
func (d *differ) entries(path string, a, b reflect.Value) {
	strange := strangers(b)
	for it := a.MapRange(); d.found == "" && it.Next(); {
		k, v := it.Key(), it.Value()
		at := path + "[" + keyed(k) + "]"
		switch w := b.MapIndex(k); {
		case w.IsValid():
			d.compare(at, v, w)
		case a.MapIndex(k).IsValid() || !d.removed(&strange, k, v):
			d.differs(at, shown(v), "missing")
		}
	}
}

// keyed returns the text of a key in a path.
func keyed(k reflect.Value) string {
	if k.Kind() == reflect.Interface {
		k = k.Elem()
	}
	if k.Kind() == reflect.Pointer {
		return "a pointer"
	}
	return fmt.Sprint(k)
}

// entry is an entry of a map.
type entry struct{ key, value reflect.Value }

// strangers returns the entries of a map whose keys are not equal to themselves.
func strangers(m reflect.Value) (list []entry) {
	for it := m.MapRange(); it.Next(); {
		if !m.MapIndex(it.Key()).IsValid() {
			list = append(list, entry{it.Key(), it.Value()})
		}
	}
	return list
}

// removed removes from the list the first entry whose key and value look like the given ones. The
// keys are not equal to themselves, so compare compares them. removed reports whether there was
// such an entry.
func (d *differ) removed(list *[]entry, key, value reflect.Value) bool {
	for i, e := range *list {
		trial := differ{seen: maps.Clone(d.seen)}
		trial.compare("", key, e.key)
		trial.compare("", value, e.value)
		if trial.found == "" {
			(*list)[i] = (*list)[len(*list)-1]
			*list = (*list)[:len(*list)-1]
			return true
		}
	}
	return false
}

// unless records a difference if equal is false, and returns equal.
func (d *differ) unless(equal bool, path string, a, b reflect.Value) bool {
	if !equal {
		want, got := shown(a), shown(b)
		if want == got {
			want, got = exactly(a), exactly(b)
		}
		d.differs(path, want, got)
	}
	return equal
}

// differs records a difference, if it is the first.
func (d *differ) differs(path, want, got string) {
	if d.found == "" {
		d.found = path + " is " + got + ", and not " + want
	}
}

// shown returns the text of a value in a message. A value with elements may contain itself, so the
// text has only their number or the value's type.
func shown(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		switch {
		case v.IsNil():
			return "nil"
		case v.Len() == 0:
			return "empty"
		}
		return "of length " + strconv.Itoa(v.Len())
	case reflect.Pointer, reflect.Func:
		switch {
		case v.IsNil():
			return "nil"
		case v.Kind() == reflect.Func:
			return "a function"
		}
		return "a pointer"
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return shown(v.Elem())
	case reflect.Struct, reflect.Array:
		return "a " + v.Type().String()
	}
	return fmt.Sprint(v)
}

// exactly returns a text of a value, with its bits or type, for a message about two values of which
// shown returns the same text.
func exactly(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return fmt.Sprintf("%v with the bits %#x", v, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprintf("%v with the bits %#x and %#x", v, math.Float64bits(real(v.Complex())), math.Float64bits(imag(v.Complex())))
	case reflect.Struct, reflect.Array:
		return shown(v)
	case reflect.String:
		return fmt.Sprintf("%q of type %v", v.String(), v.Type())
	}
	return fmt.Sprintf("%s of type %v", shown(v), v.Type())
}
