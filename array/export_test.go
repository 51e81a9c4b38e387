package array

import "unsafe"

// Behind returns the memory behind the last element of a list.
func Behind[T any](l *List[T]) []T { return l.of.data[len(l.of.data):cap(l.of.data)] }

// BehindItems returns the memory behind the last item of a stream.
func BehindItems[T any](s *Stream[T]) []T { return s.items[len(s.items):cap(s.items)] }

// WindowWords returns where the fields of a Writer lie that a driver moves, in words.
func WindowWords() []uintptr {
	var w Writer[int32]
	first, word := unsafe.Offsetof(w.s), unsafe.Sizeof(uintptr(0))
	return []uintptr{
		(unsafe.Offsetof(w.min) - first) / word, (unsafe.Offsetof(w.first) - first) / word, (unsafe.Offsetof(w.last) - first) / word,
		(unsafe.Offsetof(w.base) - first) / word, (unsafe.Offsetof(w.stride) - first) / word,
	}
}
