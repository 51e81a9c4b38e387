package word

import (
	"reflect"
	"unsafe"
)

// Of returns the word of a value that [Fits]: the bits of the value, with zeros above them.
func Of[T any](v T) uint64 {
	switch unsafe.Sizeof(v) {
	case 8:
		return *(*uint64)(unsafe.Pointer(&v))
	case 4:
		return uint64(*(*uint32)(unsafe.Pointer(&v)))
	case 2:
		return uint64(*(*uint16)(unsafe.Pointer(&v)))
	case 1:
		return uint64(*(*uint8)(unsafe.Pointer(&v)))
	}
	return 0
}

// At returns the word of the value at p, of a type that [Fits] and has that size.
func At(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 8:
		return *(*uint64)(p)
	case 4:
		return uint64(*(*uint32)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 1:
		return uint64(*(*uint8)(p))
	}
	return 0
}

// Put stores the value whose word is w at p, for a type that [Fits] and has that size.
func Put(p unsafe.Pointer, size uintptr, w uint64) {
	switch size {
	case 8:
		*(*uint64)(p) = w
	case 4:
		*(*uint32)(p) = uint32(w)
	case 2:
		*(*uint16)(p) = uint16(w)
	case 1:
		*(*uint8)(p) = uint8(w)
	}
}

// To returns the value whose word is w.
func To[T any](w uint64) (v T) {
	switch unsafe.Sizeof(v) {
	case 8:
		*(*uint64)(unsafe.Pointer(&v)) = w
	case 4:
		*(*uint32)(unsafe.Pointer(&v)) = uint32(w)
	case 2:
		*(*uint16)(unsafe.Pointer(&v)) = uint16(w)
	case 1:
		*(*uint8)(unsafe.Pointer(&v)) = uint8(w)
	}
	return v
}

// Fits reports whether values of a type are words: their size is one for which there are loads and
// stores, and they contain no pointers, which the garbage collector would not see in a word.
func Fits(t reflect.Type) bool {
	switch t.Size() {
	case 0, 1, 2, 4, 8:
		return !Holds(t)
	}
	return false
}

// Identifies reports whether two values of a type are equal exactly when their words are: the type
// fits, and all bits of its values count in comparisons. Floats do not qualify, because of zeros
// and NaNs, and neither do structs with padding.
func Identifies(t reflect.Type) bool { return Fits(t) && t.Size() > 0 && exact(t) }

// exact reports whether values of the type are equal exactly when their bits are.
func exact(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	case reflect.Array:
		return exact(t.Elem())
	case reflect.Struct:
		size := uintptr(0)
		for f := range t.Fields() {
			if f.Name == "_" || !exact(f.Type) {
				return false
			}
			size += f.Type.Size()
		}
		return size == t.Size()
	}
	return false
}
