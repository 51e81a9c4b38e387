package capture

import (
	"context"
	"sync"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

var global = array.New[int](4)

type views struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

type job struct{ In array.Reader[int] }

func (j *job) Execute(i int) {
	_ = j.In.At(i) + global.At(i) // want `job job uses container global itself: carry a view of it, such as what its Reader, Writer or ParallelWriter returns`
	_ = global.Len()              // told once
}

func next() int { return 0 }

type plain struct{ n int }

func (p *plain) Execute(i int) { _ = global.At(i) } // no job: it has no view

func containers(c *counter.Counter, in *array.Array[int]) {
	parallelfor.For(4, in.Reader(), func(r *array.Reader[int], i int) {
		c.Add(int64(r.At(i)))    // want `the job uses container c itself: carry a view of it, such as what its Reader, Writer or ParallelWriter returns`
		own := array.New[int](1) // its own
		own.Set(0, in.At(i))     // want `the job uses container in itself`
	})
	parallelfor.For(4, c.ParallelWriter(), func(w *counter.ParallelWriter, i int) { w.Inc() })
	parallelfor.For(4, job{in.Reader()}, (*job).Execute)
	parallelfor.Do(in.Writer(), func(w *array.Writer[int]) {
		_ = in.At(0) // want `the job uses container in itself`
	})
	parallelfor.ScheduleDo(in.Writer(), func(w *array.Writer[int]) {
		_ = in.At(0) // want `the job uses container in itself`
	}).Complete()
	func() { _ = in.At(0) }() // no body
	parallelfor.For(4, in.Reader(), func(*array.Reader[int], int) {}, parallelfor.Progress(func(int, int) { _ = c.Value() }))
}

func variables(ctx context.Context, v views, s []int, m map[int]int, p *plain) (err error) {
	sum, last := 0, 0
	var table [4][4]int
	parallelfor.For(4, v, func(v *views, i int) {
		sum += v.In.At(i) // want `every call of the body of the job may write sum: they race`
		local := 0
		local++
		s[i] = local            // each its own
		s[local+1] = i          // chosen by what differs
		table[i][0] = 1         // each its own
		s[0] = i                // want `may write s\[0\]: they race`
		m[i] = 1                // want `may write m\[i\]: they race`
		p.n = i                 // want `may write p.n: they race`
		v.Out.Set(i, s[0]+last) // read only
		s[next()] = i           // who knows
		if i == 0 {
			last = 1 // one call
		}
	})
	parallelfor.Do(v, func(v *views) { last = v.In.At(0) }) // called once
	var mu sync.Mutex
	parallelfor.For(4, v, func(v *views, i int) {
		mu.Lock()
		sum += i
		mu.Unlock()
	})
	return parallelfor.ForErr(ctx, 4, v, func(v *views, i int) error {
		_, err = v.In.At(i), nil // want `may write err: they race`
		for last = range 3 {     // want `may write last: they race`
		}
		table[1][1]++ // want `may write table\[1\]\[1\]: they race`
		return err
	})
}
