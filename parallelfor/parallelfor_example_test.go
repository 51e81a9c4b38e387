package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Scale multiplies an array by a factor.
type Scale struct {
	In     array.Reader[float64]
	Out    array.Writer[float64]
	Factor float64
}

func (s *Scale) ExecuteBatch(begin, end int) {
	in, out := s.In.Slice()[begin:end], s.Out.Slice()
	for i := range out {
		out[i] = s.Factor * in[i]
	}
}

func ExampleForBatch() {
	in, out := array.Of([]float64{1, 2, 3, 4}), array.New[float64](4)
	parallelfor.ForBatch(4, Scale{In: in.Reader(), Out: out.Writer(), Factor: 10}, (*Scale).ExecuteBatch)
	fmt.Println(out.Slice())
	// Output: [10 20 30 40]
}

// Squares is a job that is called for each index.
type Squares struct{ Out array.Writer[int] }

func (s *Squares) Execute(i int) { s.Out.Set(i, i*i) }

// A method of the job is the body, by method expression.
func ExampleFor_method() {
	out := array.New[int](5)
	parallelfor.For(5, Squares{Out: out.Writer()}, (*Squares).Execute)
	fmt.Println(out.Slice())
	// Output: [0 1 4 9 16]
}

// The body gets a pointer to the worker's copy of the views.
func ExampleFor() {
	type views struct {
		Out  array.Writer[int]
		Even counter.ParallelWriter
	}
	out, even := array.New[int](10), counter.New()
	parallelfor.For(10, views{Out: out.Writer(), Even: even.ParallelWriter()}, func(v *views, i int) {
		v.Out.Set(i, i/2)
		v.Even.IncIf(i%2 == 0)
	})
	fmt.Println(out.Slice(), even.Value())
	// Output: [0 0 1 1 2 2 3 3 4 4] 5
}

// The error is that of the sequential loop: the lowest index that failed.
func ExampleForErr() {
	names := array.Of([]string{"a", "b", "", "d", ""})
	err := parallelfor.ForErr(context.Background(), 5, names.Reader(), func(r *array.Reader[string], i int) error {
		if r.At(i) == "" {
			return fmt.Errorf("name %d is empty", i)
		}
		return nil
	})
	fmt.Println(err)
	// Output: name 2 is empty
}

// Jobs that need each other's results run one after the other; the caller goes on meanwhile.
func ExampleHandle() {
	a, b := array.New[int](100), array.New[int](100)
	first := parallelfor.Schedule(100, Squares{Out: a.Writer()}, (*Squares).Execute)
	second := parallelfor.Schedule(100, Next{In: a.Reader(), Out: b.Writer()}, (*Next).Execute, parallelfor.After(first))
	second.Complete() // and first with it
	fmt.Println(a.At(9), b.At(9))
	// Output: 81 82
}

// Next adds one.
type Next struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (n *Next) Execute(i int) { n.Out.Set(i, n.In.At(i)+1) }

// A panic of a body comes out of Complete, or of For, with the value and the stack it had.
func ExamplePanic() {
	defer func() {
		p := recover().(*parallelfor.Panic)
		fmt.Println(p.Value, "at", p.Begin)
		fmt.Println(errors.Is(p, os.ErrNotExist))
	}()
	parallelfor.For(10, struct{}{}, func(_ *struct{}, i int) {
		if i >= 4 {
			panic(fmt.Errorf("element %d: %w", i, os.ErrNotExist))
		}
	})
	// Output:
	// element 4: file does not exist at 4
	// true
}

// A pool of its own bounds a part of a program, and ends with it.
func ExamplePool() {
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	out := array.New[int](4)
	parallelfor.For(4, Squares{Out: out.Writer()}, (*Squares).Execute, parallelfor.On(pool))
	fmt.Println(out.Slice())
	// Output: [0 1 4 9]
}

// Every index draws random numbers of its own, the same whichever worker executes it.
func ExampleWorker() {
	type views struct {
		Worker parallelfor.Worker
		Out    array.Writer[int]
	}
	draw := func(workers int) []int {
		out := array.New[int](100)
		parallelfor.For(100, views{Out: out.Writer()}, func(v *views, i int) {
			v.Out.Set(i, v.Worker.Rand(42, i).Int())
		}, parallelfor.Workers(workers))
		return out.Slice()
	}
	fmt.Println(fmt.Sprint(draw(1)) == fmt.Sprint(draw(8)))
	// Output: true
}

// What is wrong with the program, not with the data, panics, and says what to do.
func ExampleSchedule() {
	if !safety.Enabled {
		fmt.Println("conflicting jobs")
		return
	}
	a := array.New[int](100, safety.Named("a"))
	first := parallelfor.Schedule(100, Squares{Out: a.Writer()}, (*Squares).Execute)
	defer first.Complete()
	defer func() {
		v := recover().(*safety.Violation)
		fmt.Println(v.Kind)
	}()
	parallelfor.Schedule(100, Squares{Out: a.Writer()}, (*Squares).Execute) // without After(first)
	// Output: conflicting jobs
}
