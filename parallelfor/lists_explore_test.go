//go:build custody_explore

package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

var errStop = errors.New("this index fails")

// gathers appends to a list and to the rows of a stream; index fail fails on its way.
type gathers struct {
	List  array.ParallelWriter[int]
	Rows  array.StreamParallelWriter[int]
	round int
	fail  int
}

func (j *gathers) Execute(i int) error {
	j.List.Append(10*i + j.round)
	for k := range (i + j.round) % 3 {
		j.Rows.Append(i, 10*i+k)
	}
	if i == j.fail {
		return errStop
	}
	j.List.AppendAll([]int{-i, j.round})
	j.Rows.AppendAll(i, []int{j.round})
	return nil
}

// gathered is what two loops of it leave, of which the second fails at an index.
func gathered(n, fail int, opts ...parallelfor.Option) (list []int, rows [][]int, err error) {
	l, s := array.NewList[int](), array.NewStream[int]()
	for round, fail := range []int{n, fail} {
		err = parallelfor.ForErr(context.Background(), n, gathers{l.ParallelWriter(), s.ParallelWriter(), round, fail}, (*gathers).Execute, opts...)
	}
	for _, r := range s.All() {
		rows = append(rows, slices.Clone(r))
	}
	return slices.Clone(l.Slice()), rows, err
}

// likeSequential compares what explored loops leave with what they leave with one worker.
func likeSequential(t *testing.T, size int, forget func(), leave func(opts ...parallelfor.Option) (list []int, rows [][]int, err error)) {
	list, rows, failed := leave(parallelfor.Sequential(), parallelfor.Batch(1))
	setup := func(p *explore.Program) {
		forget()
		pool := parallelfor.NewPool(size)
		p.Go("caller", func() {
			l, r, err := leave(parallelfor.Batch(1), parallelfor.Workers(size+1), parallelfor.On(pool))
			if !errors.Is(err, failed) || !slices.Equal(l, list) || !slices.EqualFunc(r, rows, slices.Equal) {
				panic(fmt.Sprintf("%v and %v, error %v; not %v and %v, error %v", l, r, err, list, rows, failed))
			}
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(1500)...)
}

// Loops leave in a list and in a stream what the sequential loop leaves, and the second adds to it,
// whichever worker runs the batches, and if one fails.
func TestExploreAppending(t *testing.T) {
	for _, size := range []int{1, 2} {
		for _, fail := range []int{2, 100} {
			t.Run(fmt.Sprint("a pool of ", size, ", index ", fail, " fails"), func(t *testing.T) {
				likeSequential(t, size, parallelfor.Forget[gathers], func(opts ...parallelfor.Option) ([]int, [][]int, error) {
					return gathered(4, fail, opts...)
				})
			})
		}
	}
}

// rowLender has a nested loop append to each of its rows, between what it appends itself; rowAdder
// appends.
type rowLender struct {
	Rows array.StreamParallelWriter[int]
	opts []parallelfor.Option `custody:"unguarded"`
}

type rowAdder struct {
	Row array.StreamRow[int]
	i   int
}

func (j *rowLender) Execute(i int) {
	j.Rows.Append(i, -i)
	parallelfor.For(2, rowAdder{j.Rows.Row(i), i}, (*rowAdder).Execute, j.opts...)
	j.Rows.Append(i, i)
}

func (j *rowAdder) Execute(k int) { j.Row.AppendAll([]int{10*j.i + k, k}) }

// A nested loop over a row leaves what it appends where its body has called it.
func TestExploreAppendingToRows(t *testing.T) {
	forget := func() {
		parallelfor.Forget[rowLender]()
		parallelfor.Forget[rowAdder]()
	}
	likeSequential(t, 1, forget, func(opts ...parallelfor.Option) (_ []int, rows [][]int, _ error) {
		s := array.StreamOf([][]int{{7}, {8, 9}})
		parallelfor.For(3, rowLender{s.ParallelWriter(), opts}, (*rowLender).Execute, opts...)
		for _, r := range s.All() {
			rows = append(rows, slices.Clone(r))
		}
		return nil, rows, nil
	})
}

// frame appends one frame to the back of a pair.
type frame struct {
	Out array.ParallelWriter[int]
	no  int
}

func (j *frame) Execute(i int) { j.Out.AppendAll([]int{j.no, i}) }

// ahead adds to the frame that the job before it has left.
type ahead struct {
	Out array.ParallelWriter[int]
	no  int
}

func (j *ahead) Execute() { j.Out.AppendAll([]int{j.no, -1}) }

// looks notes what the front is.
type looks struct {
	In  array.Reader[int]
	got *[]int `custody:"unguarded"`
}

func (j *looks) Execute() { *j.got = slices.Clone(j.In.Slice()) }

// The front of two lists is a whole frame while a job reads it and others append the next, which
// one goroutine completes while the owner tries to swap: it is refused until then, and the next
// frame is the front afterwards.
func TestExploreFrames(t *testing.T) {
	const frames = 3
	setup := func(p *explore.Program) {
		parallelfor.Forget[frame]()
		parallelfor.Forget[ahead]()
		parallelfor.Forget[looks]()
		pool := parallelfor.NewPool(1)
		opts := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool)}
		d := array.NewDoubleList[int]()
		look := func(no int) {
			var got, want []int
			parallelfor.Do(looks{d.Front().Reader(), &got}, (*looks).Execute, parallelfor.On(pool))
			if no > 0 {
				want = []int{no, 0, no, 1, no, -1}
			}
			if !slices.Equal(got, want) {
				panic(fmt.Sprint("the front is ", got, " in frame ", no))
			}
		}
		p.Go("owner", func() {
			var all atom.WaitGroup
			for no := 1; no <= frames; no++ {
				d.Back().Clear()
				h := parallelfor.Schedule(2, frame{d.Back().ParallelWriter(), no}, (*frame).Execute, opts...)
				last := parallelfor.ScheduleDo(ahead{d.Back().ParallelWriter(), no}, (*ahead).Execute, append(opts, parallelfor.After(h))...)
				all.Go(last.Complete)
				look(no - 1)
				for refused := error(safety.ErrInFlight); refused != nil; atom.Yield() {
					refused = lawtest.Failure(func() error { d.Swap(); return nil })
					if refused != nil && !errors.Is(refused, safety.ErrInFlight) {
						panic(refused)
					}
				}
				look(no)
			}
			all.Wait()
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(1500)...)
}
