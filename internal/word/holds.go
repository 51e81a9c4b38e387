package word

import "reflect"

// Holds reports whether values of the type can keep memory alive.
func Holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return t.Len() > 0 && Holds(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if Holds(field.Type) {
				return true
			}
		}
		return false
	}
	return true
}

// Bytes returns the size in bytes of the memory of a slice: that of its capacity, without the
// memory to which its elements point.
func Bytes[T any](s []T) int { return cap(s) * int(reflect.TypeFor[T]().Size()) }
