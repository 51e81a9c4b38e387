package hash

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Text is a hash function for strings. All bits of a hash depend on all bytes of the string.
//
// It is Wang Yi's wyhash, which Go's maps use on machines without AES instructions, with seeded
// secrets in place of constants. Each step multiplies two words of the string and folds the halves
// of the product. For short strings, Of costs less than maphash.String and delays the instructions
// around it less.
type Text struct{ first, second, third, fourth uint64 }

// NewText returns the function of a seed.
func NewText(seed uint64) Text {
	next := mixer(seed)
	return Text{next(), next(), next(), next()}
}

// Of returns the hash of a string.
func (t *Text) Of(s string) uint64 {
	n := len(s)
	p := unsafe.Pointer(unsafe.StringData(s))
	x := t.second
	var a, b uint64
	switch {
	case n > 16:
		for left := n; left > 16; left -= 16 {
			x = fold(eight(p)^t.first, eight(unsafe.Add(p, 8))^x)
			p = unsafe.Add(p, 16)
		}
		p = unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), n-16)
		a, b = eight(p), eight(unsafe.Add(p, 8))
	case n >= 8:
		a, b = eight(p), eight(unsafe.Add(p, n-8))
	case n >= 4:
		a, b = four(p), four(unsafe.Add(p, n-4))
	case n > 0:
		a = uint64(*(*byte)(p)) | uint64(*(*byte)(unsafe.Add(p, n>>1)))<<8 | uint64(*(*byte)(unsafe.Add(p, n-1)))<<16
	}
	hi, lo := bits.Mul64(a^t.first, b^x)
	return fold(lo^t.third^uint64(n), hi^t.fourth)
}

// fold returns the exclusive or of the halves of the product of a and b.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// eight returns the eight bytes at p.
func eight(p unsafe.Pointer) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(p)[:])
}

// four returns the four bytes at p.
func four(p unsafe.Pointer) uint64 {
	return uint64(binary.LittleEndian.Uint32((*[4]byte)(p)[:]))
}

// SameText reports whether two strings are equal. For strings of 8 to 16 bytes it makes no call.
func SameText(a, b string) bool {
	n := len(a)
	if n != len(b) {
		return false
	}
	if n < 8 || n > 16 {
		return a == b
	}
	p, q := unsafe.Pointer(unsafe.StringData(a)), unsafe.Pointer(unsafe.StringData(b))
	return eight(p) == eight(q) && eight(unsafe.Add(p, n-8)) == eight(unsafe.Add(q, n-8))
}

// Short is the greatest length of a string for ShortText.
const Short = 8

// ShortText returns a word that tells a short string from others of its length.
func ShortText(s string) uint64 {
	n := len(s)
	p := unsafe.Pointer(unsafe.StringData(s))
	switch {
	case n >= 4:
		return four(p) | four(unsafe.Add(p, n-4))<<32
	case n > 0:
		return uint64(*(*byte)(p)) | uint64(*(*byte)(unsafe.Add(p, n>>1)))<<8 | uint64(*(*byte)(unsafe.Add(p, n-1)))<<16
	}
	return 0
}
