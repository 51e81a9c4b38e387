//go:build amd64 || arm64

package groups

import (
	"unsafe"

	"github.com/bytedance/gopkg/collection/lscq"
)

// numbers is a new lscq.Uint64Queue, which is for numbers only.
func numbers() pipe[int64] {
	q := lscq.NewUint64()
	return tried(func(v int64) bool { return q.Enqueue(uint64(v)) }, func() (int64, bool) {
		v, ok := q.Dequeue()
		return int64(v), ok
	})
}

// pointers is a new lscq.PointerQueue, whose items are allocated one by one.
func pointers[T any]() (pipe[T], bool) {
	q := lscq.NewPointer()
	return tried(func(v T) bool { return q.Enqueue(unsafe.Pointer(&v)) }, func() (v T, ok bool) {
		p, ok := q.Dequeue()
		if ok {
			v = *(*T)(p)
		}
		return v, ok
	}), true
}
