package fuzz_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// stray is that an index of a loop appends to a row, whichever that is.
type stray struct{ at, row int }

// rowing is a job that appends to rows by a recipe; one of its indices may go astray.
type rowing struct {
	Rows array.StreamParallelWriter[int]
	recipe
	stray
}

func (j *rowing) Execute(i int) error { return j.rows(&j.Rows, i, i) }

// rows appends what index i appends to the given row.
func (j *rowing) rows(rows *array.StreamParallelWriter[int], i, row int) error {
	err := j.index(i, func(k int, piece []int) {
		switch j.way(i, k) {
		case 0:
			for _, v := range piece {
				rows.Append(row, v)
			}
		case 1:
			rows.AppendAll(row, piece)
		case 2:
			rows.AppendAll(row, append(rows.AvailableBuffer(), piece...))
		case 3:
			parallelfor.For(len(piece), rows.Row(row), func(w *array.StreamRow[int], n int) { w.Append(piece[n]) }, parallelfor.Batch(2))
		}
	})
	if err == nil && i == j.at {
		rows.Append(j.row, -1)
	}
	return err
}

// batches is the same by batches, each of which lends its rows on to a loop of its indices.
type batches struct {
	rowing
	nested bool
}

func (j *batches) ExecuteBatch(begin, end int) error {
	if !j.nested {
		for i := begin; i < end; i++ {
			if err := j.Execute(i); err != nil {
				return err
			}
		}
		return nil
	}
	return parallelfor.ForErr(context.Background(), end-begin, j.Rows, func(w *array.StreamParallelWriter[int], k int) error {
		if begin+k == j.fail {
			return errAppending // not a part of the recipe: its pieces differ
		}
		return (&rowing{recipe: j.recipe, stray: stray{at: -1}}).rows(w, begin+k, k)
	}, parallelfor.Batch(3))
}

// streams runs a program of FuzzStream: a Stream and the rows that model it.
type streams struct {
	*program
	stream *array.Stream[int]
	want   [][]int
}

// loop is a command.
func (p *streams) loop(kind int) {
	const single, perIndex, perBatch, nested = 0, 1, 2, 3
	n, batch, workers := p.Below(80), 1+p.Below(12), 1+p.Below(4)
	r, s := recipe{p.Next(), p.Next()}, stray{-1, 0}
	if p.Bit() {
		s = stray{p.Below(n + 1), p.Around(n)}
	}
	options := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
	j := rowing{p.stream.ParallelWriter(), r, s}
	if kind == nested || kind == single {
		j.stray = stray{-1, 0}
	}
	broken, want, failed := p.predict(j, n, batch, kind == nested, kind == perIndex)
	var err error
	if !safety.Enabled && len(broken) > 0 {
		return
	}
	p.logf("loop %d of %d, batch %d, workers %d, %v, %v: expected %v", kind, n, batch, workers, r, j.stray, broken)
	o := attempt(func() {
		switch kind {
		case single:
			err = parallelfor.DoErr(context.Background(), j.Rows, func(w *array.StreamParallelWriter[int]) error {
				for i := range n {
					if err := j.rows(w, i, i); err != nil {
						return err
					}
				}
				return nil
			})
		case perIndex:
			err = parallelfor.ForErr(context.Background(), n, j, (*rowing).Execute, options...)
		default:
			err = parallelfor.ForBatchErr(context.Background(), n, batches{j, kind == nested}, (*batches).ExecuteBatch, options...)
		}
	})
	if p.judge("the loop", o, broken) && err != failed {
		p.fatalf("the loop ended with %v, expected %v", err, failed)
	}
	if p.want = want; kind == single { // as long as it is used
		for k := len(want) - 1; k >= p.stream.Len() && len(want[k]) == 0; k-- {
			p.want = want[:k]
		}
	}
}

// predict executes the loop on a copy of the model, in order.
func (p *streams) predict(j rowing, n, batch int, nested, each bool) (broken kinds, want [][]int, failed error) {
	for _, r := range p.want {
		want = append(want, slices.Clone(r))
	}
	for len(want) < n {
		want = append(want, nil)
	}
	for i := range n {
		if nested && i == j.fail {
			return nil, want, errAppending
		}
		if err := j.index(i, func(_ int, piece []int) { want[i] = append(want[i], piece...) }); err != nil {
			return nil, want, err
		}
		if i != j.at {
			continue
		}
		lo := i / batch * batch
		hi := min(lo+batch, n)
		if each && safety.Strict {
			lo, hi = i, i+1
		}
		last := i // the last row that the batch has used
		for last >= lo && !j.uses(last) {
			last--
		}
		switch {
		case j.row < 0:
			return kinds{safety.ErrIndex}, want, nil
		case j.row < lo || j.row >= hi:
			return kinds{safety.ErrWriteRange}, want, nil
		case j.row < last:
			return kinds{safety.ErrArgument}, want, nil
		}
		want[j.row] = append(want[j.row], -1)
		if j.row > i { // what indices between add comes after a later row
			for k := i + 1; k < hi && k < j.row; k++ {
				if j.uses(k) {
					return kinds{safety.ErrArgument}, want, nil
				}
			}
		}
	}
	return nil, want, nil
}

// owner is a command: a method of the Stream.
func (p *streams) owner(what int) {
	s := p.stream
	switch what {
	case 0:
		vs := make([]int, p.Below(5))
		p.use("AppendRow", nil, func() { s.AppendRow(vs...) })
		p.want = append(p.want, vs)
	case 1, 2:
		i, count, got := p.Around(len(p.want)), 0, []int(nil)
		var broken kinds
		if i < 0 || i >= len(p.want) {
			broken.add(safety.ErrIndex)
		}
		if p.use(fmt.Sprint("row ", i), broken, func() { got, count = s.At(i), s.Count(i) }) {
			if !slices.Equal(got, p.want[i]) || count != len(got) || cap(got) != len(got) {
				p.fatalf("row %d is %v, expected %v", i, got, p.want[i])
			}
			for k := range got {
				got[k]++
				p.want[i][k]++
			}
		}
	case 3:
		s.Grow(p.Below(100), p.Below(100))
	case 4:
		s.Trim()
	case 5:
		if p.Bit() {
			s.Clear()
			p.want = nil
		}
	case 6:
		n, broken := min(p.Around(len(p.want)), len(p.want)+1), kinds{}
		if n < 0 || n > len(p.want) {
			broken.add(safety.ErrLength)
		}
		if p.use(fmt.Sprint("a loop changes ", n), broken, func() {
			parallelfor.For(n, s.Writer(), func(w *array.StreamWriter[int], i int) { change(w.At(i), i) }, parallelfor.Workers(3))
		}) {
			for i := range n {
				change(p.want[i], i)
			}
		}
	case 7:
		parallelfor.Do(s.Reader(), func(r *array.StreamReader[int]) {
			for i, row := range r.All() {
				if !slices.Equal(row, p.want[i]) {
					p.fatalf("a job finds %v in row %d, expected %v", row, i, p.want[i])
				}
			}
			if r.Len() != len(p.want) {
				p.fatalf("a job finds %d rows, expected %d", r.Len(), len(p.want))
			}
		})
	}
}

// look compares the stream with the model.
func (p *streams) look() {
	total := 0
	for i, r := range p.stream.All() {
		if i >= len(p.want) || !slices.Equal(r, p.want[i]) || p.stream.Offsets()[i] != total {
			p.fatalf("row %d is %v, of %v", i, r, p.want)
		}
		total += len(r)
	}
	if p.stream.Len() != len(p.want) || p.stream.Total() != total {
		p.fatalf("%d rows with %d items, expected %v", p.stream.Len(), p.stream.Total(), p.want)
	}
}

func runStream(t *testing.T, input []byte) {
	p := &streams{program: newProgram(t, input), stream: array.NewStream[int]()}
	for p.More() && p.stream.Total() < 5000 { // so that no input takes long
		if op := p.Below(14); op < 8 {
			p.owner(op)
		} else {
			p.loop((op - 8) % 4)
		}
		p.look()
	}
}

func FuzzStream(f *testing.F) {
	// Commands: 0 to 7 the owner's; 8 to 13 a loop: n, batch - 1, workers - 1, seed, index that
	// fails, 1 for a stray: index, row.
	f.Add([]byte{9, 20, 3, 2, 5, 100, 0, 10, 30, 6, 2, 9, 100, 0, 11, 40, 9, 3, 2, 100, 0, 8, 30, 0, 0, 1, 100, 0})
	f.Add([]byte{9, 20, 3, 2, 5, 7, 0, 10, 30, 6, 2, 9, 12, 0, 11, 40, 9, 3, 2, 17, 0})
	f.Add([]byte{0, 3, 0, 0, 9, 10, 4, 1, 5, 100, 1, 7, 6, 10, 10, 4, 1, 5, 100, 1, 7, 9, 10, 10, 4, 1, 5, 100, 1, 7, 20})
	for seed := range 60 {
		f.Add(script(seed, 200))
	}
	f.Fuzz(runStream)
}
