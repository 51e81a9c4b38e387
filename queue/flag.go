package queue

import "example.com/custody/internal/atom"

// flag sets a flag in a position, and returns it with the flags it had.
func flag[W interface {
	Load() uint64
	CompareAndSwap(was, is uint64) bool
}](at W, f uint64) (before uint64) {
	for {
		p := at.Load()
		if p&f != 0 || at.CompareAndSwap(p, p|f) {
			return p
		}
	}
}

// unflag takes a flag out of a position.
func unflag(at *atom.HiddenUint64, f uint64) {
	for {
		p := at.Load()
		if at.CompareAndSwap(p, p&^f) {
			return
		}
	}
}
