package atom

import "unsafe"

// ReadSlice declares a read of all elements of s to the race detector.
func ReadSlice[T any](s []T) {
	if Race && len(s) > 0 {
		ReadRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// WriteSlice declares a write of all elements of s to the race detector.
func WriteSlice[T any](s []T) {
	if Race && len(s) > 0 {
		WriteRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}
