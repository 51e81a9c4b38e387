package array

// Behind returns the memory behind the last element of a list.
func Behind[T any](l *List[T]) []T { return l.of.data[len(l.of.data):cap(l.of.data)] }

// BehindItems returns the memory behind the last item of a stream.
func BehindItems[T any](s *Stream[T]) []T { return s.items[len(s.items):cap(s.items)] }
