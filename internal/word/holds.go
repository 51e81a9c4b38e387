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

// Held and Size are Holds and the size in bytes of the type that the nil pointer p points to. They
// are for generic code, in which a reflect.Type is dear to compile.
func Held(p any) bool { return Holds(reflect.TypeOf(p).Elem()) }
func Size(p any) int  { return int(reflect.TypeOf(p).Elem().Size()) }

// Bytes returns the size in bytes of the memory of a slice: that of its capacity, without the
// memory to which its elements point.
func Bytes[T any](s []T) int { return cap(s) * Size((*T)(nil)) }
