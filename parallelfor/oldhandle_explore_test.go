//go:build custody_explore

package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// digit is a job that writes its number behind those of the jobs before it.
type digit struct {
	A  array.Writer[int]
	ID int
}

func (j *digit) Execute(i int) { j.A.Set(i, 10*j.A.At(i)+j.ID) }

// digits are the arrays of a scenario, and its pool.
type digits struct {
	pool  *parallelfor.Pool
	all   []*array.Array[int]
	short bool // the jobs are put off
}

func digitsOf(arrays int, short bool) *digits {
	parallelfor.Forget[digit]()
	d := &digits{pool: parallelfor.NewPool(1), short: short}
	for range arrays {
		d.all = append(d.all, array.New[int](1))
	}
	return d
}

func newDigits(arrays int) *digits { return digitsOf(arrays, false) }

// schedule schedules a job that writes a number to an array.
func (d *digits) schedule(at, id int, opts ...parallelfor.Option) parallelfor.Handle {
	if opts = append(opts, parallelfor.On(d.pool)); !d.short {
		opts = append(opts, parallelfor.Workers(1))
	}
	return parallelfor.Schedule(1, digit{d.all[at].Writer(), id}, (*digit).Execute, opts...)
}

// holds panics unless the arrays have those numbers, and the jobs are complete.
func (d *digits) holds(numbers []int, handles ...parallelfor.Handle) {
	for _, h := range handles {
		h.Complete()
		if !h.Finished() || h.Err() != nil {
			panic(fmt.Sprint("a completed job has finished: ", h.Finished(), ", with ", h.Err()))
		}
	}
	for i, want := range numbers {
		if got := d.all[i].At(0); got != want {
			panic(fmt.Sprintf("array %d is %d, not %d", i, got, want))
		}
	}
	d.pool.Close()
}

// A handle knows its job while other goroutines complete it and run jobs after it.
func TestExploreOldHandles(t *testing.T) {
	var newDigits func(arrays int) *digits
	for name, setup := range map[string]func(p *explore.Program){
		"two complete a job, a third runs one after it": func(p *explore.Program) {
			d := newDigits(4)
			h := d.schedule(0, 1)
			p.Go("completes and goes on", func() {
				h.Complete()
				first := d.schedule(1, 1)
				first.Complete()
				d.schedule(1, 2, parallelfor.After(h, first)).Complete()
			})
			p.Go("completes", func() {
				h.Complete()
				d.schedule(2, d.all[0].At(0)).Complete()
			})
			p.Go("runs one after it", func() { d.schedule(3, 1, parallelfor.After(h)).Complete() })
			p.Then(func() { d.holds([]int{1, 12, 1, 1}, h) })
		},
		"a chain is completed at both ends": func(p *explore.Program) {
			d := newDigits(3)
			first := d.schedule(0, 1)
			second := d.schedule(0, 2, parallelfor.After(first))
			third := d.schedule(0, 3, parallelfor.After(second))
			p.Go("at the end", func() {
				third.Complete()
				d.schedule(0, 4).Complete()
			})
			p.Go("at the beginning", func() {
				first.Complete()
				d.schedule(1, 1).Complete()
				d.schedule(1, 2, parallelfor.After(second)).Complete()
			})
			p.Go("in the middle", func() {
				second.Complete()
				d.schedule(2, 1).Complete()
			})
			p.Then(func() { d.holds([]int{1234, 12, 1}, first, second, third) })
		},
		"jobs are lost in a chain": func(p *explore.Program) {
			d := newDigits(2)
			for at := range 2 {
				p.Go(fmt.Sprint("goes on at ", at), func() {
					h := d.schedule(at, 1)
					for id := 2; id < 5; id++ {
						h = d.schedule(at, id, parallelfor.After(h))
						if id == 3 {
							h.Complete()
						}
					}
					h.Complete()
				})
			}
			p.Then(func() { d.holds([]int{1234, 1234}) })
		},
		"others ask of it, and run jobs after it": func(p *explore.Program) {
			d := newDigits(2)
			h := d.schedule(0, 1)
			p.Go("completes and goes on", func() {
				h.Complete()
				for id := 2; id < 5; id++ {
					d.schedule(0, id).Complete()
				}
			})
			p.Go("asks", func() {
				finished, s := h.Finished(), h.String()
				if h.Err() != nil || finished && strings.HasSuffix(s, "has not finished") {
					panic(s)
				}
				h.Ticket()
			})
			p.Go("runs one after it", func() { d.schedule(1, 1, parallelfor.After(h)).Complete() })
			p.Then(func() { d.holds([]int{1234, 1}, h) })
		},
		"the ledger orders": func(p *explore.Program) {
			d := newDigits(2)
			auto := parallelfor.AutoOrder()
			for k := range 2 {
				p.Go(fmt.Sprint("schedules ", k), func() {
					d.schedule(0, 1, auto)
					d.schedule(0, 2, auto).Complete()
					d.schedule(1, 1, auto).Complete()
				})
			}
			p.Then(func() {
				n := d.all[0].At(0)
				if n != 1212 && n != 1122 {
					panic(fmt.Sprint("the array is ", n))
				}
				d.holds([]int{n, 11})
			})
		},
		"its pool is closed": func(p *explore.Program) {
			d := newDigits(2)
			h := d.schedule(0, 1)
			p.Go("asks", func() {
				for range 3 {
					h.Err()
				}
			})
			p.Go("completes", func() { h.Complete() })
			p.Go("completes, too", func() { h.Complete() })
			p.Then(func() { // a pool whose goroutines seem awake would begin no job
				last := d.schedule(1, 1)
				d.pool.Close()
				d.holds([]int{1, 1}, last)
			})
		},
		"some are completed in bodies": func(p *explore.Program) {
			d := newDigits(3)
			h := d.schedule(0, 1)
			for k := 1; k < 3; k++ {
				p.Go(fmt.Sprint("runs a body ", k), func() {
					parallelfor.Do(struct{}{}, func(*struct{}) { h.Complete() }, parallelfor.On(d.pool))
					d.schedule(k, 1).Complete()
					d.schedule(k, 2, parallelfor.After(h)).Complete()
				})
			}
			p.Then(func() { d.holds([]int{1, 12, 12}, h) })
		},
	} {
		for _, short := range []bool{false, true} {
			newDigits = func(arrays int) *digits { return digitsOf(arrays, short) }
			t.Run(fmt.Sprint(name, ", short: ", short), func(t *testing.T) {
				if short {
					defer parallelfor.AllShort(false)()
				}
				explore.Run(t, explore.Options{}, setup, standard(2000)...)
			})
		}
	}
}

// oops is a job that fails.
type oops struct{}

var errOops = errors.New("oops")

func (*oops) Execute(int) error { return errOops }

// A job that has failed reports its error to each goroutine that asks.
func TestExploreOldFailures(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		d := digitsOf(2, false)
		parallelfor.Forget[oops]()
		failed := parallelfor.ScheduleErr(context.Background(), 1, oops{}, (*oops).Execute, parallelfor.On(d.pool))
		var seen [2]error
		for k := range 2 {
			p.Go(fmt.Sprint("asks ", k), func() {
				failed.Complete()
				d.schedule(k, 1).Complete()
				d.schedule(k, 2).Complete()
				seen[k] = failed.Err()
			})
		}
		p.Then(func() {
			if seen[0] != errOops || seen[1] != errOops {
				panic(fmt.Sprint("the errors are ", seen))
			}
			d.holds([]int{12, 12})
		})
	}, standard(1000)...)
}
