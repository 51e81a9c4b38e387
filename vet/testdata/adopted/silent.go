package adopted

import "example.com/custody/array"

func Of(n int) *array.Array[int] { return array.New[int](n) }

func sized(n int) {
	a := Of(n)
	b := Of(n)
	_, _ = a.Writer(), b.Writer()
}

func disposed(data []int) {
	a := array.Of(data)
	_ = a.Writer()
	a.Dispose()
	b := array.Of(data)
	_ = b.Writer()
}
