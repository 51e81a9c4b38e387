package table_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// adding adds to X where there are changes, and notes where it was.
type adding struct {
	X    array.Writer[float64]
	Seen array.ParallelWriter[int]
	by   float64
}

func (j *adding) Execute(row int) {
	j.X.Set(row, j.X.At(row)+j.by)
	j.Seen.Append(row)
}

// FuzzTable makes requests of two tables, between which rows go to and fro, applies them, and runs loops and changes between that, as its input
// says; and compares all of it with slices and maps.
func FuzzTable(f *testing.F) {
	f.Add([]byte{2, 0, 1, 0, 2, 9, 0, 8, 1, 4, 0, 9, 0, 10, 3, 6, 0, 9, 1})
	f.Add([]byte{1, 0, 5, 0, 5, 9, 0, 5, 5, 5, 5, 0, 5, 9, 3, 11, 0, 10, 0, 7, 0, 9, 0})
	f.Add([]byte{4, 0, 1, 1, 2, 0, 3, 12, 9, 8, 0, 4, 0, 12, 9, 10, 2, 11, 1, 10, 2})
	f.Fuzz(func(t *testing.T, in []byte) {
		next := func() int {
			if len(in) == 0 {
				return 0
			}
			b := in[0]
			in = in[1:]
			return int(b)
		}
		const keys = 16
		chunk := 1 + next()%4
		var tables [2]*things
		var seen [2]*table.Changes
		var touched [2]map[int]bool // rows whose X was changed since the last loop; nil: all
		for i := range tables {
			tables[i] = newThings(table.ChunkRows(chunk))
			seen[i] = table.Changed(tables[i].x)
		}
		var known [2][]table.ID
		apply := func(i, how int) {
			var alive func(r thing) bool
			if how%4 == 3 {
				alive = func(r thing) bool { return r.Key%5 != how%5 }
			}
			tables[i].apply(t, alive)
			touched[i] = nil
		}
		for len(in) > 0 {
			op, n := next()%13, next()
			i := n & 1
			w := tables[i]
			switch {
			case op < 5:
				known[i] = append(known[i], w.add(n/2%keys))
			case op < 7 && len(known[i]) > 0:
				w.remove(known[i][n/2%len(known[i])])
			case op == 7:
				w.removeKey(n / 2 % keys)
			case op == 8 && w.t.Len() > 0: // a row goes, if it is not to go yet, to the other table, which has no such key
				row := n / 2 % w.t.Len()
				apply(1-i, 0)
				apply(i, 0)
				if row >= w.t.Len() {
					continue
				}
				id, moved, to := w.t.ID(row), w.model.rows[row], tables[1-i]
				as := table.Transfer(w.t, id, to.t)
				w.model.events = append(w.model.events, event{id: id})
				apply(i, 0)
				to.model.events = append(to.model.events, event{add: true, id: as, row: moved})
				known[1-i] = append(known[1-i], as)
				apply(1-i, 0)
			case op == 10: // a loop over what has changed
				list := array.NewList[int]()
				table.Run(w.t.Rows().Changed(seen[i]), adding{X: w.x.Writer(), Seen: list.ParallelWriter(), by: float64(n)}, parallelfor.Workers(1+n%3))
				rows := slices.Clone(list.Slice())
				require.True(t, slices.IsSorted(rows))
				for _, row := range rows {
					w.model.rows[row].X += float64(n)
				}
				for row := range w.t.Len() {
					first := row / chunk * chunk
					hit := touched[i] == nil
					for r := first; r < first+chunk; r++ {
						hit = hit || touched[i][r]
					}
					if in := slices.Contains(rows, row); hit && touched[i] != nil {
						require.True(t, in, row)
					} else if !hit {
						require.False(t, in, row)
					}
				}
				touched[i] = map[int]bool{}
				w.check(t)
			case op == 11 && w.t.Len() > 0:
				row := n / 2 % w.t.Len()
				w.x.Set(row, float64(n))
				w.model.rows[row].X = float64(n)
				if touched[i] != nil {
					touched[i][row] = true
				}
			case op == 12 && w.t.Len() > 0:
				row := n / 2 % w.t.Len()
				r := w.model.rows[row]
				r.At[0] += 100
				require.True(t, w.t.Set(w.t.ID(row), r))
				w.model.rows[row] = r
				if touched[i] != nil {
					touched[i][row] = true
				}
			default:
				apply(i, n/2)
			}
		}
		for i := range tables {
			apply(i, 0)
		}
	})
}
