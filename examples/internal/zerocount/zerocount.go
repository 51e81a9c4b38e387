// Package zerocount is what the programs countzeros and customcontainer have around what they show: an array whose zeros are counted in some
// ways, and how long each takes.
package zerocount

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Options are the flags of both programs.
type Options struct {
	N, Every, Batch, Workers, Repeat int
}

// Parse returns the flags of the program of that name. N is how many elements the array has when nobody says so; more adds flags of the
// program's own.
func Parse(name string, n int, args []string, stderr io.Writer, more func(fs *flag.FlagSet)) (o Options, err error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.N, "n", n, "how many elements the array has")
	fs.IntVar(&o.Every, "every", 2, "every so many-th element is 0")
	fs.IntVar(&o.Batch, "batch", 8, "how many indices a batch has; 0 is automatic")
	fs.IntVar(&o.Workers, "workers", runtime.GOMAXPROCS(0), "how many workers run the loops")
	fs.IntVar(&o.Repeat, "repeat", 9, "how often each way is measured, in turns")
	more(fs)
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case o.N < 0, o.Every < 1, o.Batch < 0, o.Workers < 1, o.Repeat < 1:
		return o, errors.New("-n and -batch must be at least 0, -every, -workers and -repeat at least 1")
	}
	return o, nil
}

// Input returns n numbers of which every so many-th is 0, the first too.
func Input(n, every int) *array.Array[int32] {
	in := array.New[int32](n, safety.Named("in"))
	for i, s := 0, in.Slice(); i < n; i++ {
		s[i] = int32(i % every)
	}
	return in
}

// Count is a way to count the zeros of an array: it returns how many there are.
type Count = func(in *array.Array[int32], opts ...parallelfor.Option) int64

// Measure returns the median times of the ways, of which the func tells the name and how it counts. They count the same array in turns, each once
// before it is measured; it is an error when one counts wrongly.
func Measure[W any](o Options, ways []W, as func(way W) (name string, count Count)) (medians []time.Duration, err error) {
	in := Input(o.N, o.Every)
	want := int64((o.N + o.Every - 1) / o.Every)
	all := make([][]time.Duration, len(ways))
	for round := range o.Repeat + 1 {
		for k, way := range ways {
			name, count := as(way)
			began := time.Now()
			got := count(in, parallelfor.Batch(o.Batch), parallelfor.Workers(o.Workers))
			took := time.Since(began)
			if got != want {
				return nil, fmt.Errorf("%s: counted %d zeros of %d", name, got, want)
			}
			if round > 0 {
				all[k] = append(all[k], took)
			}
		}
	}
	for _, times := range all {
		slices.Sort(times)
		medians = append(medians, times[len(times)/2])
	}
	return medians, nil
}

// String says what was measured.
func (o Options) String() string {
	return fmt.Sprintf("%d elements, every %d. is 0, Batch(%d), %d workers; medians of %d", o.N, o.Every, o.Batch, o.Workers, o.Repeat)
}
