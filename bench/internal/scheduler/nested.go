package scheduler

import (
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

const (
	outerN  = 16
	innerN  = 1000
	nestedN = outerN * innerN
)

// outer runs a loop for each index, over the row of results that the index owns.
type outer struct {
	In  array.Reader[chore]
	Out array.Writer[uint64]
}

func (j *outer) Execute(i int) {
	parallelfor.ForBatch(innerN, inner{j.In, array.ByRows(j.Out, 1), i * innerN}, (*inner).ExecuteBatch)
}

// inner is the loop in outer's body. Its results are an array of their own, whose index 0 is the
// row's first.
type inner struct {
	In   array.Reader[chore]
	Out  array.Writer[uint64]
	From int // where the row's chores begin
}

func (j *inner) ExecuteBatch(begin, end int) {
	doChores(j.Out.Slice(), j.In.Slice()[j.From+begin:j.From+end])
}

// nested is a loop of 16 whose bodies run loops of 1000. Left out are the pools in which that
// stands still.
func nested(r *run) {
	c := r.newChores(nestedN, 167*time.Microsecond, even)
	k := c.contest("loop of 16 with loops of 1000 in it", 0)
	k.nested = true
	k.ours = func() {
		parallelfor.For(outerN, outer{c.in.Reader(), array.ByRows(c.out.Writer(), innerN)}, (*outer).Execute, parallelfor.Batch(1))
	}
	k.by = func(d *driver) func() {
		return func() {
			d.loop(outerN, 0, func(begin, end int) {
				for i := begin; i < end; i++ {
					d.loop(innerN, 0, func(begin, end int) { c.part(i*innerN+begin, i*innerN+end) })
				}
			})
		}
	}
	s := r.contest(k)
	s.AtMostHalf(1.07)
	s.Beside()
}
