package fuzz_test

import (
	"fmt"
	"math/rand/v2"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/safety"
)

// box is a container of a graph, and what the model knows of it.
type box struct {
	name   string
	kind   int
	length int // of an array

	array  *array.Array[int]
	double *array.Double[int]
	value  *array.Value[int]
	count  *counter.Counter
	sum    *counter.Sum[float64]
	bins   *counter.Histogram

	held  [2][]hold // the second of a Double only
	front int       // of a Double: which of the two is the front
	split *array.Parts[int]
	parts []*box // while it is split
	ended bool   // a part that was joined
}

// The kinds of boxes.
const (
	boxArray = iota
	boxDouble
	boxValue
	boxCount
	boxSum
	boxBins
	boxKinds
)

// boxLength is how many elements there are in arrays and bins.
const boxLength = 8

func newBox(kind, number int) *box {
	b := &box{name: fmt.Sprint("c", number), kind: kind, length: boxLength}
	named := safety.Named(b.name)
	switch kind {
	case boxArray:
		b.array = array.New[int](boxLength, named)
	case boxDouble:
		b.double = array.NewDouble[int](boxLength, named)
	case boxValue:
		b.value = array.NewValue[int](1, named)
	case boxCount:
		b.count = counter.New(named)
	case boxSum:
		b.sum = counter.NewSum[float64](named)
	case boxBins:
		b.bins = counter.NewHistogram(boxLength, named)
	}
	return b
}

func (b *box) reader() array.Reader[int] {
	if b.double != nil {
		return b.double.Front().Reader()
	}
	return b.array.Reader()
}

func (b *box) writer() array.Writer[int] {
	if b.double != nil {
		return b.double.Back().Writer()
	}
	return b.array.Writer()
}

// mode draws a mode that there are views in; single jobs have more.
func (b *box) mode(r *rand.Rand, single bool) safety.Mode {
	switch k := r.IntN(5); {
	case k < 2:
		return safety.Read
	case b.kind <= boxDouble, b.kind == boxBins && k == 2, single && b.kind == boxValue:
		return safety.Write
	case b.kind == boxValue:
		return safety.Read
	}
	return safety.Append
}

// ops draws an operation of the owner.
func (b *box) op(r *rand.Rand) int {
	if k := r.IntN(5); k < 2 || b.kind <= boxValue && k < 3 {
		return ownerRead
	} else if k == 4 || b.kind <= boxValue {
		return ownerWrite
	}
	return ownerAdd
}

// do does it, at element k, and returns what it has read.
func (b *box) do(op, k int) (got int64) {
	switch b.kind {
	case boxArray:
		if op == ownerWrite {
			s := b.array.Slice()
			s[k] = mixed(s[k], 7)
		}
		return int64(b.array.At(k))
	case boxDouble:
		if op == ownerWrite {
			b.double.Front().Set(k, mixed(b.double.Front().At(k), 7))
		}
		return int64(b.double.Front().At(k))
	case boxValue:
		if op == ownerWrite {
			b.value.Store(mixed(b.value.Load(), 7))
		}
		return int64(b.value.Load())
	case boxCount:
		switch op {
		case ownerRead:
			return b.count.Value()
		case ownerWrite:
			return b.count.Swap(7)
		}
		b.count.Add(5)
	case boxSum:
		switch op {
		case ownerRead:
			return int64(b.sum.Value())
		case ownerWrite:
			return int64(b.sum.Swap(7))
		}
		b.sum.Add(5)
	case boxBins:
		switch op {
		case ownerRead:
			return b.bins.At(k)
		case ownerWrite:
			b.bins.Reset()
		default:
			b.bins.Add(k, 5)
		}
	}
	return 0
}

// all returns everything that is in the container.
func (b *box) all() (values []int) {
	if b.kind <= boxDouble || b.kind == boxBins {
		for k := range b.length {
			values = append(values, int(b.do(ownerRead, k)))
		}
		return values
	}
	return []int{int(b.do(ownerRead, 0))}
}

// cut splits the array where the randomness says.
func (b *box) cut(r *rand.Rand) {
	at := 1 + r.IntN(b.length-1)
	if r.IntN(2) == 0 {
		b.split = b.array.Split(2)
	} else {
		b.split = b.array.SplitAt(at)
	}
	for i, part := range b.split.All() {
		lo, hi := b.split.Range(i)
		b.parts = append(b.parts, &box{name: fmt.Sprintf("%s[%d:%d]", b.name, lo, hi), length: hi - lo, array: part})
	}
}

func readersOf(b *box) []array.Reader[int] { return []array.Reader[int]{b.reader()} }
