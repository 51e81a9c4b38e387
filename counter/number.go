package counter

import "math"

// Number is the types that a [Sum], [Min] or [Max] can have: integers and floating-point numbers.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64
}

// encode returns v as a word that decode turns back into v.
func encode[T Number](v T) uint64 {
	if T(1)/T(2) != 0 {
		return math.Float64bits(float64(v))
	}
	return uint64(v)
}

// decode returns the number that w encodes.
func decode[T Number](w uint64) T {
	if T(1)/T(2) != 0 {
		return T(math.Float64frombits(w))
	}
	return T(w)
}
