package array_test

import (
	"fmt"
	"strings"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Divisors finds the divisors of each number. How many there are is not known before.
type Divisors struct {
	Out array.StreamParallelWriter[int]
}

func (d *Divisors) Execute(n int) {
	row := d.Out.AvailableBuffer()
	for k := 1; k <= n; k++ {
		if n%k == 0 {
			row = append(row, k)
		}
	}
	d.Out.AppendAll(n, row)
}

func ExampleStream() {
	divisors := array.NewStream[int]()
	parallelfor.For(13, Divisors{Out: divisors.ParallelWriter()}, (*Divisors).Execute)
	fmt.Println(divisors.At(12), divisors.Count(11), divisors.Total())
	// Output: [1 2 3 4 6 12] 2 35
}

// What a filter leaves of each row lies together, whatever that is.
func ExampleStreamParallelWriter() {
	text := array.Of([]string{"a short line", "", "and a long one that has more words"})
	lengths := array.NewStream[int]()
	type views struct {
		In  array.Reader[string]
		Out array.StreamParallelWriter[int]
	}
	parallelfor.For(text.Len(), views{In: text.Reader(), Out: lengths.ParallelWriter()}, func(v *views, i int) {
		for word := range strings.FieldsSeq(v.In.At(i)) {
			v.Out.Append(i, len(word))
		}
	})
	fmt.Println(lengths.Items(), lengths.Offsets())
	// Output: [1 5 4 3 1 4 3 4 3 4 5] [0 3 3 11]
}

// Primes keeps the numbers that have two divisors.
type Primes struct {
	In  array.StreamReader[int]
	Out array.ParallelWriter[int]
}

func (p *Primes) Execute(n int) {
	if p.In.Count(n) == 2 {
		p.Out.Append(n)
	}
}

// The second loop is scheduled before the first has left anything.
func ExampleStreamReader() {
	divisors, primes := array.NewStream[int](), array.NewList[int]()
	first := parallelfor.Schedule(13, Divisors{Out: divisors.ParallelWriter()}, (*Divisors).Execute)
	second := parallelfor.Schedule(-1, Primes{In: divisors.Reader(), Out: primes.ParallelWriter()}, (*Primes).Execute,
		parallelfor.LengthOf(divisors.Reader()), parallelfor.After(first))
	second.Complete()
	fmt.Println(primes.Slice())
	// Output: [2 3 5 7 11]
}

// A body has a nested loop append to the row of its index.
func ExampleStreamRow() {
	words := array.Of([]string{"custody", "map"})
	letters := array.NewStream[string]()
	type views struct {
		In  array.Reader[string]
		Out array.StreamParallelWriter[string]
	}
	parallelfor.For(words.Len(), views{In: words.Reader(), Out: letters.ParallelWriter()}, func(v *views, i int) {
		word := v.In.At(i)
		parallelfor.For(len(word), v.Out.Row(i), func(row *array.StreamRow[string], k int) {
			row.Append(word[k : k+1])
		})
	})
	fmt.Println(letters.At(0), letters.At(1))
	// Output: [c u s t o d y] [m a p]
}

// Each row is changed by its index.
func ExampleStreamWriter() {
	s := array.StreamOf([][]int{{1, 2}, {}, {3}})
	parallelfor.For(s.Len(), s.Writer(), func(w *array.StreamWriter[int], i int) {
		row := w.At(i)
		for k := range row {
			row[k] *= 10
		}
	})
	fmt.Println(s.Items(), s.Offsets())
	// Output: [10 20 30] [0 2 2 3]
}
