//go:build amd64 || arm64

package groups

import "github.com/bytedance/gopkg/collection/lscq"

// numbers is a new lscq.Uint64Queue, which is for numbers only.
func numbers() pipe[int64] {
	q := lscq.NewUint64()
	return tried(func(v int64) bool { return q.Enqueue(uint64(v)) }, func() (int64, bool) {
		v, ok := q.Dequeue()
		return int64(v), ok
	})
}
