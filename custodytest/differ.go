package custodytest

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// difference says where two values of one type differ first, and how; or nothing.
func difference[R any](want, got R) string {
	d := differ{seen: map[[2]uintptr]bool{}}
	d.compare("result", reflect.ValueOf(&want).Elem(), reflect.ValueOf(&got).Elem())
	return d.found
}

// differ compares values. Pairs of pointers that it is at, or was, are equal as far as that.
type differ struct {
	seen  map[[2]uintptr]bool
	found string
}

// compare compares two values of one type.
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
	case reflect.Slice:
		if d.unless(a.IsNil() == b.IsNil(), path, a, b) && d.unless(a.Len() == b.Len(), "len("+path+")", reflect.ValueOf(a.Len()), reflect.ValueOf(b.Len())) {
			d.elements(path, a, b)
		}
	case reflect.Array:
		d.elements(path, a, b)
	case reflect.Map:
		if d.unless(a.IsNil() == b.IsNil(), path, a, b) && d.unless(a.Len() == b.Len(), "len("+path+")", reflect.ValueOf(a.Len()), reflect.ValueOf(b.Len())) {
			d.entries(path, a, b)
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			d.unless(a.IsNil() == b.IsNil(), path, a, b)
			return
		}
		if a.Kind() == reflect.Pointer {
			pair := [2]uintptr{a.Pointer(), b.Pointer()}
			if d.seen[pair] {
				return
			}
			d.seen[pair] = true
		} else if !d.unless(a.Elem().Type() == b.Elem().Type(), path, a, b) {
			return
		}
		d.compare(path, a.Elem(), b.Elem())
	case reflect.Func:
		d.unless(a.IsNil() == b.IsNil(), path, a, b)
	default:
		d.unless(a.Equal(b), path, a, b)
	}
}

func (d *differ) elements(path string, a, b reflect.Value) {
	for i := range a.Len() {
		if d.found == "" {
			d.compare(path+"["+strconv.Itoa(i)+"]", a.Index(i), b.Index(i))
		}
	}
}

// entries compares maps of one length. Keys that are not equal to themselves are compared with nothing.
func (d *differ) entries(path string, a, b reflect.Value) {
	for it := a.MapRange(); it.Next(); {
		k := it.Key()
		if !a.MapIndex(k).IsValid() {
			continue
		}
		at := path + "[" + fmt.Sprint(k) + "]"
		if v := b.MapIndex(k); v.IsValid() {
			d.compare(at, it.Value(), v)
		} else if d.found == "" {
			d.found = at + " is missing"
		}
	}
}

// unless notes a difference unless they are equal, and says whether they are.
func (d *differ) unless(equal bool, path string, a, b reflect.Value) bool {
	if !equal && d.found == "" {
		d.found = fmt.Sprintf("%s is %v, and not %v", path, b, a)
	}
	return equal
}
