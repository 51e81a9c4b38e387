//go:build custody_explore

package parallelfor_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// shift is a job that changes two arrays in a way that shows the order of such jobs.
type shift struct {
	ID   int
	A, B array.Writer[int]
}

func (j *shift) Execute(i int) {
	j.A.Set(i, 10*j.A.At(i)+j.ID)
	j.B.Set(i, 10*j.B.At(i)+j.ID)
}

// Jobs that two goroutines schedule in AutoOrder run one after the other, in one order for all
// their containers, whether they are completed, run in one call, or have nothing to execute.
func TestExploreAutoOrder(t *testing.T) {
	auto := parallelfor.AutoOrder()
	for name, second := range map[string]func(j shift, opts ...parallelfor.Option){
		"two schedules": func(j shift, opts ...parallelfor.Option) {
			parallelfor.Schedule(1, j, (*shift).Execute, opts...).Complete()
		},
		"a run": func(j shift, opts ...parallelfor.Option) { parallelfor.For(1, j, (*shift).Execute, opts...) },
		"an empty job": func(j shift, opts ...parallelfor.Option) {
			parallelfor.Schedule(0, j, (*shift).Execute, opts...).Complete()
			parallelfor.Schedule(1, j, (*shift).Execute, opts...).Complete()
		},
		"an inline job": func(j shift, opts ...parallelfor.Option) {
			parallelfor.Schedule(1, j, (*shift).Execute, append(opts, parallelfor.Inline())...).Complete()
		},
	} {
		t.Run(name, func(t *testing.T) {
			setup := func(p *explore.Program) {
				parallelfor.Forget[shift]()
				pool := parallelfor.NewPool(1)
				a, b := array.New[int](1), array.New[int](1)
				opts := []parallelfor.Option{auto, parallelfor.Workers(1), parallelfor.On(pool)}
				p.Go("first", func() {
					h := parallelfor.Schedule(1, shift{1, a.Writer(), b.Writer()}, (*shift).Execute, opts...)
					parallelfor.Schedule(1, shift{2, b.Writer(), a.Writer()}, (*shift).Execute, opts...).Complete()
					h.Complete()
				})
				p.Go("second", func() { second(shift{3, b.Writer(), a.Writer()}, slices.Clone(opts)...) })
				p.Then(func() {
					pool.Close()
					x, y := a.At(0), b.At(0)
					if x != y || x != 123 && x != 132 && x != 312 {
						panic(fmt.Sprint("the arrays are ", x, " and ", y))
					}
				})
			}
			explore.Run(t, explore.Options{}, setup, standard(2000)...)
		})
	}
}
