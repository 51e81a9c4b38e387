package groups

import (
	"slices"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/table"
)

func tableRows(r *rows.Run) {
	tableLoops(r)
	tableChanges(r)
	tableSwaps(r)
	tableRemovals(r)
}

// body is a row of four columns.
type body struct{ X, Y, VX, VY float64 }

// bodies is a table of them, and slices for sides without a table.
type bodies struct {
	t            *table.Table[body]
	x, y, vx, vy *table.Column[float64]
	plain        [4][]float64
	ids          []table.ID
}

func bodyOf(i int) body { return body{float64(i), float64(2 * i), 1, -1} }

func newBodies(n int, opts ...table.Option) *bodies {
	b := &bodies{t: table.New[body](opts...)}
	b.x = table.ColumnOf(b.t, func(r *body) *float64 { return &r.X })
	b.y = table.ColumnOf(b.t, func(r *body) *float64 { return &r.Y })
	b.vx = table.ColumnOf(b.t, func(r *body) *float64 { return &r.VX })
	b.vy = table.ColumnOf(b.t, func(r *body) *float64 { return &r.VY })
	for i := range n {
		b.ids = append(b.ids, b.t.Add(bodyOf(i)))
	}
	b.t.Apply()
	for k := range b.plain {
		b.plain[k] = make([]float64, n)
	}
	for i := range n {
		row := bodyOf(i)
		b.plain[0][i], b.plain[1][i], b.plain[2][i], b.plain[3][i] = row.X, row.Y, row.VX, row.VY
	}
	return b
}

// advance moves bodies, by chunks.
type advance struct{ X, Y, VX, VY array.Writer[float64] }

func (a *advance) ExecuteBatch(begin, end int) {
	step4(a.X.Slice(), a.Y.Slice(), a.VX.Slice(), a.VY.Slice())
}

func (b *bodies) advance() advance {
	return advance{b.x.Writer(), b.y.Writer(), b.vx.Writer(), b.vy.Writer()}
}

// step4 is what is done with the four columns. It is not inlined, so that all sides run the same
// code.
//
//go:noinline
func step4(x, y, vx, vy []float64) {
	y, vx, vy = y[:len(x)], vx[:len(x)], vy[:len(x)]
	for i := range x {
		x[i] += vx[i]
		y[i] += vy[i]
		vx[i] *= 0.999
		vy[i] = vy[i]*0.999 - 0.01
	}
}

// tableLoops compares loops over four columns with loops over four slices.
func tableLoops(r *rows.Run) {
	const n = 1_000_000
	b := newBodies(n, table.ChunkRows(4096))                                  // of rows that take a nanosecond
	p := [...][]float64{b.x.Slice(), b.y.Slice(), b.vx.Slice(), b.vy.Slice()} // the same memory: where it lies says more than how it is gone through
	by := func(name string, parts func(int, func(p, begin, end int))) measure.Side {
		return measure.Do(name, func() {
			parts(n, func(_, lo, hi int) { step4(p[0][lo:hi], p[1][lo:hi], p[2][lo:hi], p[3][lo:hi]) })
		})
	}
	limit := []string{"goroutines", "goroutines and caller"}
	c := r.Compare("four columns of 1M rows, by chunks of 4096", n, limit,
		measure.Do(ours, func() { table.ForChunks(b.t.Rows(), b.advance(), (*advance).ExecuteBatch) }),
		by(limit[0], rows.Parts), by(limit[1], rows.PartsHere))
	c.AtMost(1.05)

	c = r.Compare("the same, with an Apply of nothing before each loop", n, nil,
		measure.Do(ours, func() {
			b.t.Apply()
			table.ForChunks(b.t.Rows(), b.advance(), (*advance).ExecuteBatch)
		}),
		measure.Do("the loop alone", func() { table.ForChunks(b.t.Rows(), b.advance(), (*advance).ExecuteBatch) }))
	c.AtMostOfOwn(1.02, "the loop alone")
}

// tableChanges compares a loop over the changes of one chunk in a hundred with one over all.
func tableChanges(r *rows.Run) {
	const n = 1_000_000
	b := newBodies(n)
	changes := table.NewChanges(b.x)
	table.ForChunks(b.t.Rows().Changed(changes), b.advance(), (*advance).ExecuteBatch)
	chunk := b.t.Chunk()
	k := 0
	c := r.Compare("a loop over the changes of 1 % of the chunks of 1M rows", n, nil,
		between(ours, func() {
			for range n / chunk / 100 {
				k = (k + 37*chunk) % (n - chunk)
				b.x.Set(k, 1)
			}
		}, func() { table.ForChunks(b.t.Rows().Changed(changes), b.advance(), (*advance).ExecuteBatch) }, nothing),
		between("a loop over all", nothing, func() { table.ForChunks(b.t.Rows(), b.advance(), (*advance).ExecuteBatch) }, func() {
			table.ForChunks(b.t.Rows().Changed(changes), b.advance(), (*advance).ExecuteBatch)
		}))
	c.AtMostOfOwn(0.03, "a loop over all")
}

// swapBack is what one writes by hand: columns, and where the row of each number is.
type swapBack struct {
	columns [4][]float64
	numbers []int32 // of rows
	rows    []int32 // of numbers
	free    []int32
}

// change removes the rows of some numbers, the last one first, and adds as many. The numbers of
// these take the place of the others.
func (s *swapBack) change(numbers []int32, added []body, scratch []int32) []int32 {
	scratch = scratch[:0]
	for _, number := range numbers {
		scratch = append(scratch, s.rows[number])
		s.free = append(s.free, number)
	}
	slices.Sort(scratch)
	for k := len(scratch) - 1; k >= 0; k-- {
		row, last := scratch[k], int32(len(s.numbers)-1)
		for c := range s.columns {
			s.columns[c][row] = s.columns[c][last]
			s.columns[c] = s.columns[c][:last]
		}
		s.numbers[row] = s.numbers[last]
		s.rows[s.numbers[row]] = row
		s.numbers = s.numbers[:last]
	}
	for i := range added {
		k := len(s.free) - 1
		number := s.free[k]
		s.free = s.free[:k]
		s.rows[number], numbers[i] = int32(len(s.numbers)), number
		s.numbers = append(s.numbers, number)
		s.columns[0] = append(s.columns[0], added[i].X)
		s.columns[1] = append(s.columns[1], added[i].Y)
		s.columns[2] = append(s.columns[2], added[i].VX)
		s.columns[3] = append(s.columns[3], added[i].VY)
	}
	return scratch
}

// tableSwaps compares the removal and addition of rows with code that does it by hand, and with
// columns that are made anew.
func tableSwaps(r *rows.Run) {
	const n = 100_000
	for _, w := range []struct {
		name  string
		share int
	}{{"10 %", n / 10}, {"1 %", n / 100}} {
		b := newBodies(n)
		s := &swapBack{columns: b.plain, numbers: make([]int32, n), rows: make([]int32, n)}
		ids, numbers := make([]table.ID, n), make([]int32, n) // in the order in which rows go
		for i := range n {
			s.numbers[i], s.rows[i] = int32(i), int32(i)
			ids[i], numbers[i] = b.ids[i*7919%n], int32(i*7919%n)
		}
		added, scratch := make([]body, w.share), []int32(nil)
		k := 0
		choose := func() (begin, end int) {
			for i := range added {
				added[i] = bodyOf(k + i)
			}
			begin, end = k, k+w.share
			k = end % n
			return begin, end
		}
		whole := func() {
			begin, end := choose()
			b.t.Remove(ids[begin:end]...)
			b.t.AddAll(added, ids[begin:begin])
			b.t.Apply()
		}
		hand := measure.Do("by hand", func() {
			begin, end := choose()
			scratch = s.change(numbers[begin:end], added, scratch)
		})
		if w.name == "10 %" {
			c := r.Compare("10 % of 100k rows of four columns removed and as many added", n, nil, measure.Do(ours, whole), hand)
			c.AtMostOf(1.2, "by hand")
			continue
		}
		rows, anew := make([]body, n), [4][]float64{}
		for i := range rows {
			rows[i] = bodyOf(i)
		}
		c := r.Compare("1 % of 100k rows of four columns removed and as many added", n, nil,
			measure.Do(ours, whole), measure.Do("all columns made anew", func() {
				for k := range anew {
					anew[k] = make([]float64, n)
				}
				for i := range rows {
					anew[0][i], anew[1][i], anew[2][i], anew[3][i] = rows[i].X, rows[i].Y, rows[i].VX, rows[i].VY
				}
			}), hand)
		c.AtMostOf(0.05, "all columns made anew")
	}
}

// tableRemovals compares the removal of a row of many with that of one of few.
func tableRemovals(r *rows.Run) {
	few, many := newBodies(10_000), newBodies(1_000_000)
	by := func(name string, b *bodies) measure.Side {
		k := 0
		return measure.Do(name, func() {
			k = (k + 7919) % 10_000
			b.t.Remove(b.ids[k])
			b.ids[k] = b.t.Add(bodyOf(k))
			b.t.Apply()
		})
	}
	c := r.Compare("a row of 1M removed and one added", 1, nil, by(ours, many), by("a row of 10k", few))
	c.AtMostOfOwn(1.5, "a row of 10k")
}
