//go:build !amd64 && !arm64

package groups

// numbers is nothing: lscq is written in assembly for two processors.
func numbers() any { return nil }

// pointers is nothing, too.
func pointers[T any]() (p pipe[T], ok bool) { return p, false }
