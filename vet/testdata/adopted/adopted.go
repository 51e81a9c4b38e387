package adopted

import "example.com/custody/array"

func twice(data []int) {
	a := array.Of(data)
	b := array.Of[int](data) // want `b adopts slice data, which a has adopted`
	_, _ = a.Reader(), b.Writer()
}

func list(data []int) {
	var l *array.List[int]
	a := array.Of(data)
	l = array.ListOf(data) // want `l adopts slice data, which a has adopted`
	_, _ = a.Writer(), l.Reader()
}

func legal(data, more []int, first bool) {
	a, b := array.Of(data[:2]), array.Of(data[2:])
	_, _ = a.Writer(), b.Writer()
	c := array.Of(data)
	d := array.Of(data)
	_, _ = c.Reader(), d.Reader() // both read
	e := array.Of(data)
	_ = e.Reader()
	f := array.Of(more)
	_ = f.Writer()
	more = make([]int, 4)
	g := array.Of(more)
	_ = g.Writer()
	if first {
		f = array.Of(more)
	} else {
		g = array.Of(more)
	}
	_, _ = f.Writer(), g.Writer()
	_, _ = f, g
	g = array.Of(more)
	_ = g.Len()
	g = array.Of(more) // the container before is no longer reachable
	_ = g.Writer()
}

func disposedLate(data []int) {
	a := array.Of(data)
	defer a.Dispose()
	b := array.Of(data) // want `b adopts slice data, which a has adopted`
	_ = b.Writer()
	a.Dispose()
}
