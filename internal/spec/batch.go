package spec

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Batch is a sequence of values. Batches are comparable and take 4 bytes for each value.
type Batch string

// BatchOf returns the batch of the values, each of which must fit an int32.
func BatchOf(values ...int) Batch {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, word(v))
	}
	return Batch(b)
}

// word returns a value as it is stored. It panics if the value does not fit, which is a fault of
// the test.
func word(v int) uint32 {
	if int(int32(v)) != v {
		panic("spec: value " + strconv.Itoa(v) + " is no int32; use small values")
	}
	return uint32(int32(v))
}

// Len returns the number of values.
func (b Batch) Len() int { return len(b) / 4 }

// At returns the value at index i of [0, Len).
func (b Batch) At(i int) int {
	return int(int32(uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24))
}

// Values returns the values as a slice.
func (b Batch) Values() []int {
	values := make([]int, b.Len())
	for i := range values {
		values[i] = b.At(i)
	}
	return values
}

// String writes the values as "[1 2 3]".
func (b Batch) String() string {
	var s strings.Builder
	s.WriteByte('[')
	for i := range b.Len() {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(strconv.Itoa(b.At(i)))
	}
	s.WriteByte(']')
	return s.String()
}

// first returns the first n values, and rest the others.
func (b Batch) first(n int) Batch { return b[:4*n] }
func (b Batch) rest(n int) Batch  { return b[4*n:] }

// with returns the batch with v appended.
func (b Batch) with(v int) Batch {
	w := word(v)
	return b + Batch([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
}

// without returns the batch without the value at index i.
func (b Batch) without(i int) Batch { return b[:4*i] + b[4*i+4:] }

// index returns the index of the first value equal to v, or -1.
func (b Batch) index(v int) int {
	for i := range b.Len() {
		if b.At(i) == v {
			return i
		}
	}
	return -1
}
