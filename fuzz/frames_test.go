package fuzz_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// frames runs a program of FuzzDoubleList: a DoubleList and the two slices that model it.
type frames struct {
	*program
	list        *array.DoubleList[int]
	front, back []int
}

// chain is a command: some jobs one after the other on the back, the last of which is completed.
// Each appends by a recipe or changes what is there. If none fails, the lists change places.
func (p *frames) chain() {
	if p.Bit() {
		p.list.Back().Clear()
		p.back = nil
	}
	var last parallelfor.Handle
	var failed error
	length := len(p.back)
	for k := range 1 + p.Below(3) {
		n, r := p.Below(30), recipe{p.Next(), p.Next()}
		opts := []parallelfor.Option{parallelfor.Batch(p.Below(8) - 1), parallelfor.Workers(1 + p.Below(3)), parallelfor.After(last)}
		if p.Bit() {
			p.logf("job %d appends %d, %v", k, n, r)
			last = parallelfor.ScheduleErr(context.Background(), n, appending{p.list.Back().ParallelWriter(), r}, (*appending).Execute, opts...)
			if failed == nil {
				p.back, failed = r.appended(p.back, n)
			}
		} else if n = min(n, length); k == 0 { // the number is unknown behind a job that appends
			p.logf("job %d changes %d", k, n)
			last = parallelfor.Schedule(n, raising{p.list.Back().Writer()}, (*raising).Execute, opts...)
			change(p.back[:n], 3)
		}
	}
	if last == (parallelfor.Handle{}) {
		return
	}
	if !slices.Equal(p.contents(), p.front) {
		p.fatalf("the front is %v before the swap, expected %v", p.contents(), p.front)
	}
	if err := lawtest.Failure(func() error { p.list.Swap(); return nil }); safety.Enabled && !errors.Is(err, safety.ErrInFlight) {
		p.fatalf("a swap before custody is back ended with %v", err)
	} else if err == nil {
		p.list.Swap()
	}
	last.Complete()
	if err := last.Err(); !errors.Is(err, failed) {
		p.fatalf("the jobs ended with %v, expected %v", err, failed)
	}
	if failed == nil {
		p.list.Swap()
		p.front, p.back = p.back, p.front
	}
}

type raising struct{ Out array.Writer[int] }

func (j *raising) Execute(i int) { j.Out.Set(i, j.Out.At(i)%1000+4) }

func (p *frames) contents() []int {
	d := make([]int, p.list.Front().Len())
	p.list.Front().CopyTo(d)
	return d
}

func runFrames(t *testing.T, input []byte) {
	p := &frames{program: newProgram(t, input), list: array.NewDoubleList[int]()}
	for p.More() {
		switch n := p.Next(); p.Below(5) {
		case 0:
			p.list.Front().Append(n)
			p.front = append(p.front, n)
		case 1:
			p.list.Front().Resize(n % 20)
			p.front = append(p.front[:min(n%20, len(p.front))], make([]int, max(n%20-len(p.front), 0))...)
		default:
			p.chain()
		}
		var got []int
		parallelfor.Do(p.list.Front().Reader(), func(r *array.Reader[int]) { got = slices.Clone(r.Slice()) })
		if !slices.Equal(got, p.front) || !slices.Equal(p.contents(), p.front) {
			p.fatalf("a job finds %v, the owner %v, expected %v", got, p.contents(), p.front)
		}
	}
}

func FuzzDoubleList(f *testing.F) {
	// Commands: a number, and 0 Append, 1 Resize, 2 to 4 jobs: 1 to clear the back, how many - 1,
	// and each its n, seed, index that fails, batch + 1, workers - 1, 1 to append.
	f.Add([]byte{5, 0, 0, 2, 1, 0, 9, 5, 100, 3, 1, 1, 0, 2, 1, 1, 9, 5, 100, 3, 1, 1, 9, 6, 100, 3, 1, 1})
	f.Add([]byte{5, 0, 0, 2, 1, 0, 9, 5, 4, 3, 1, 1, 0, 2, 0, 0, 9, 5, 100, 3, 1, 1, 0, 2, 0, 1, 9, 5, 100, 3, 1, 0, 9, 6, 100, 3, 1, 1})
	for seed := range 40 {
		f.Add(script(seed, 200))
	}
	f.Fuzz(runFrames)
}
