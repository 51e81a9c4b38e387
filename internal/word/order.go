package word

import (
	"cmp"
	"reflect"
	"strings"
	"unsafe"
)

// Comparer compares two values of a type by where they lie.
type Comparer func(a, b unsafe.Pointer) int

// ComparerOf returns a Comparer of values of a type, or nil if the type has no order. Numbers
// except complex ones, strings, bools, and arrays and structs of these have an order. In it NaNs
// are equal to each other, and less than all other numbers.
func ComparerOf(t reflect.Type) Comparer {
	switch t.Kind() {
	case reflect.Array:
		if elem := ComparerOf(t.Elem()); elem != nil {
			return comparerOfElements(elem, t.Len(), t.Elem().Size())
		}
		return nil
	case reflect.Struct:
		return comparerOfFields(t)
	case reflect.Bool:
		return func(a, b unsafe.Pointer) int { return truth(*(*bool)(a)) - truth(*(*bool)(b)) }
	case reflect.String:
		return func(a, b unsafe.Pointer) int { return strings.Compare(*(*string)(a), *(*string)(b)) }
	}
	return numeric[t.Kind()]
}

// comparerOfElements compares arrays.
func comparerOfElements(elem Comparer, n int, size uintptr) Comparer {
	return func(a, b unsafe.Pointer) int {
		for i := range n {
			at := uintptr(i) * size
			if c := elem(unsafe.Add(a, at), unsafe.Add(b, at)); c != 0 {
				return c
			}
		}
		return 0
	}
}

// comparerOfFields returns a Comparer of structs, or nil if a field's type has no order. Fields
// named _ do not count, as for ==.
func comparerOfFields(t reflect.Type) Comparer {
	type field struct {
		at      uintptr
		compare Comparer
	}
	var all []field
	for f := range t.Fields() {
		c := ComparerOf(f.Type)
		if c == nil {
			return nil
		}
		if f.Name != "_" {
			all = append(all, field{f.Offset, c})
		}
	}
	return func(a, b unsafe.Pointer) int {
		for _, f := range all {
			if c := f.compare(unsafe.Add(a, f.at), unsafe.Add(b, f.at)); c != 0 {
				return c
			}
		}
		return 0
	}
}

// numeric has the Comparers of numbers, by kind.
var numeric = map[reflect.Kind]Comparer{
	reflect.Int: compared[int], reflect.Int8: compared[int8], reflect.Int16: compared[int16], reflect.Int32: compared[int32], reflect.Int64: compared[int64],
	reflect.Uint: compared[uint], reflect.Uint8: compared[uint8], reflect.Uint16: compared[uint16], reflect.Uint32: compared[uint32], reflect.Uint64: compared[uint64],
	reflect.Uintptr: compared[uintptr], reflect.Float32: compared[float32], reflect.Float64: compared[float64],
}

func compared[T cmp.Ordered](a, b unsafe.Pointer) int { return cmp.Compare(*(*T)(a), *(*T)(b)) }

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
