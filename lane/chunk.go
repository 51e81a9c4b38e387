package lane

import "reflect"

const (
	firstBytes = 1 << 10   // of a lane's first chunk, at least; a multiple of every cache line (I5)
	mostBytes  = 256 << 10 // of a chunk of many items, at most
	partBytes  = 256 << 10 // what one worker copies or clears at a time
)

// chunkLen returns how many items the chunk has that follows one of so many items; 0 says that it is the first. Chunks
// double in length, so that short lanes are small and long ones have few chunks, up to a size at which
// a chunk more costs nothing that could be noticed.
func chunkLen[T any](before int) int {
	if before == 0 {
		return count[T](firstBytes)
	}
	return max(before, min(2*before, count[T](mostBytes)))
}

// count returns how many items have so many bytes, or a few more. What has no size counts as a byte.
func count[T any](bytes int) int {
	size := max(int(reflect.TypeFor[T]().Size()), 1)
	return (bytes-1)/size + 1
}

// pointers says whether values of the type can keep something alive.
func pointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return t.Len() > 0 && pointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return true
}
