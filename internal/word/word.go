package word

import (
	"reflect"
	"unsafe"
)

// Of returns the word of a value that fits: its bits, with zeros above them.
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

// To returns the value that has a word.
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

// Text returns a key whose type is that of strings, by whatever name.
func Text[T any](v T) string { return *(*string)(unsafe.Pointer(&v)) }

// Fits says whether values of a type are words: they have a size for which there are loads and stores, and no pointers, which
// the garbage collector would not see.
func Fits(t reflect.Type) bool {
	switch t.Size() {
	case 0, 1, 2, 4, 8:
		return !Holds(t)
	}
	return false
}

// Identifies says whether two values of a type that fits are equal just when their words are: all their bits count, and
// nothing else does. Floats are not so, because of zeros and NaNs, nor is what has gaps.
func Identifies(t reflect.Type) bool { return Fits(t) && t.Size() > 0 && exact(t) }

// exact says that values are equal just when their bits are.
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
