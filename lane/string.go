package lane

import "reflect"

// String names the type of the lane, and nothing else: what is in it concerns its worker alone. It may be called by any goroutine at any time.
func (*Lane[T]) String() string { return reflect.TypeFor[Lane[T]]().String() }

// String names the type of the lanes, and nothing else: their container says more. It may be called by any goroutine at any time.
func (*Lanes[T]) String() string { return reflect.TypeFor[Lanes[T]]().String() }
