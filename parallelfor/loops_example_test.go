package parallelfor_test

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// The sum of the squares, by batches.
func ExampleReduce() {
	a := array.Of([]float64{1, 2, 3, 4})
	sum := parallelfor.Reduce(a.Len(), a.Reader(), func(r *array.Reader[float64], begin, end int) (sum float64) {
		for _, x := range r.Slice()[begin:end] {
			sum += x * x
		}
		return sum
	}, func(a, b float64) float64 { return a + b })
	fmt.Println(sum)
	// Output: 30
}

func ExampleReduceErr() {
	a := array.Of([]string{"a", "b", "", "d"})
	_, err := parallelfor.ReduceErr(context.Background(), a.Len(), a.Reader(), func(r *array.Reader[string], begin, end int) (int, error) {
		total := 0
		for i := begin; i < end; i++ {
			if r.At(i) == "" {
				return 0, fmt.Errorf("string %d is empty", i)
			}
			total += len(r.At(i))
		}
		return total, nil
	}, func(a, b int) int { return a + b })
	fmt.Println(err)
	// Output: string 2 is empty
}

// Longest finds the longest of some strings, the first of them if there are several.
type Longest struct{ In array.Reader[string] }

func (l *Longest) ExecuteReduce(begin, end int) (longest string) {
	for i := begin; i < end; i++ {
		longest = longer(longest, l.In.At(i))
	}
	return longest
}

func longer(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

func ExampleReduce_method() {
	words := array.Of(strings.Fields("a job whose fields are views"))
	fmt.Println(parallelfor.Reduce(words.Len(), Longest{In: words.Reader()}, (*Longest).ExecuteReduce, longer))
	// Output: fields
}

// Running totals, in place.
func ExampleScan() {
	a := array.Of([]int{3, 1, 4, 1, 5})
	total := parallelfor.Scan(a.Len(), a.Writer(), (*array.Writer[int]).At, (*array.Writer[int]).Slice, func(a, b int) int { return a + b })
	fmt.Println(a.Slice(), total)
	// Output: [3 4 8 9 14] 14
}

// Where rows of different lengths lie, one after the other: offsets for array.ByOffsets.
func ExampleScan_offsets() {
	type views struct {
		Words   array.Reader[string]
		Offsets array.Writer[int]
	}
	words := array.Of(strings.Fields("a view is the declaration"))
	offsets := array.New[int](words.Len() + 1)
	parallelfor.Scan(offsets.Len(), views{Words: words.Reader(), Offsets: offsets.Writer()}, func(v *views, i int) int {
		if i == 0 {
			return 0
		}
		return len(v.Words.At(i - 1))
	}, func(v *views) []int { return v.Offsets.Slice() }, func(a, b int) int { return a + b })
	fmt.Println(offsets.Slice())
	// Output: [0 1 5 7 10 21]
}

// The error of the lowest index is returned.
func ExampleScanErr() {
	words, totals := array.Of(strings.Fields("1 2 three 4 five")), array.New[int](5)
	type views struct {
		Words  array.Reader[string]
		Totals array.Writer[int]
	}
	_, err := parallelfor.ScanErr(context.Background(), 5, views{Words: words.Reader(), Totals: totals.Writer()},
		func(v *views, i int) (int, error) { return strconv.Atoi(v.Words.At(i)) },
		func(v *views) []int { return v.Totals.Slice() },
		func(a, b int) int { return a + b })
	fmt.Println(err)
	// Output: strconv.Atoi: parsing "three": invalid syntax
}

func ExampleFilter() {
	a := array.Of([]int{5, -2, 7, -1, 0})
	fmt.Println(parallelfor.Filter(a.Len(), a.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i) < 0 }))
	// Output: [1 3]
}

// Visible says which things are near enough to be seen.
type Visible struct {
	Distance array.Reader[float64]
	Limit    float64
}

func (v *Visible) Execute(i int) bool { return v.Distance.At(i) <= v.Limit }

// One job for two questions.
func ExampleFind_method() {
	distance := array.Of([]float64{30, 4, 12, 7})
	job := Visible{Distance: distance.Reader(), Limit: 10}
	fmt.Println(parallelfor.Filter(4, job, (*Visible).Execute), parallelfor.Find(4, job, (*Visible).Execute))
	// Output: [1 3] 1
}

// Even says which strings are even numbers, if they are numbers.
type Even struct{ In array.Reader[string] }

func (e *Even) Execute(i int) (bool, error) {
	var x int
	_, err := fmt.Sscan(e.In.At(i), &x)
	return x%2 == 0, err
}

func ExampleFindErr() {
	words := array.Of(strings.Fields("1 3 4 five"))
	fmt.Println(parallelfor.FindErr(context.Background(), 4, Even{In: words.Reader()}, (*Even).Execute))
	fmt.Println(parallelfor.FilterErr(context.Background(), 4, Even{In: words.Reader()}, (*Even).Execute))
	// Output:
	// 2 <nil>
	// [] expected integer
}

func ExampleCompact() {
	a := array.Of([]int{5, -2, 7, -1, 0})
	kept := parallelfor.Compact(a.Len(), a.Writer(), (*array.Writer[int]).Slice, func(w *array.Writer[int], i int) bool { return w.At(i) > 0 })
	fmt.Println(a.Slice()[:kept], a.Slice())
	// Output: [5 7] [5 7 0 0 0]
}

// The lowest index wins, however many workers look.
func ExampleFind() {
	a := numbers(1000)
	fmt.Println(parallelfor.Find(1000, a.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i)%77 == 76 }))
	// Output: 76
}

func ExampleSort() {
	a := array.Of(strings.Fields("the order of keys and of a key's values"))
	parallelfor.Sort(a.Writer(), (*array.Writer[string]).Slice, strings.Compare)
	fmt.Println(a.Slice())
	// Output: [a and key's keys of of order the values]
}

// What compare says is equal stays in its order: here, words of the same length.
func ExampleSort_stable() {
	a := array.Of(strings.Fields("the order of keys and of a key's values"))
	parallelfor.Sort(a.Writer(), (*array.Writer[string]).Slice, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	fmt.Println(a.Slice())
	// Output: [a of of the and keys order key's values]
}

// Names by their length: a key that is an integer takes the place of the comparison.
func ExampleSortByKey() {
	a := array.Of(strings.Fields("the order of keys and of a key's values"))
	parallelfor.SortByKey(a.Writer(), (*array.Writer[string]).Slice, func(s string) int { return len(s) })
	fmt.Println(a.Slice())
	// Output: [a of of the and keys order key's values]
}

// A goroutine that holds an array until the handle is completed.
func ExampleGo() {
	type views struct{ Lines array.Writer[string] }
	lines := array.New[string](3)
	incoming := make(chan string)
	h := parallelfor.Go(views{Lines: lines.Writer()}, func(v *views) {
		for i := range v.Lines.Slice() {
			v.Lines.Set(i, <-incoming)
		}
	})
	for _, s := range []string{"one", "two", "three"} {
		incoming <- s
	}
	h.Complete()
	fmt.Println(lines.Slice())
	// Output: [one two three]
}

// Temporary memory that costs no allocation: the middle of every three neighbours.
func ExampleScratch() {
	type views struct {
		Worker parallelfor.Worker
		In     array.Reader[int]
		Out    array.Writer[int]
	}
	in, out := array.Of([]int{9, 1, 5, 7, 3}), array.New[int](5)
	parallelfor.ForBatch(5, views{In: in.Reader(), Out: out.Writer()}, func(v *views, begin, end int) {
		near := parallelfor.Scratch[int](v.Worker, 3)
		for i := begin; i < end; i++ {
			for k := range near {
				near[k] = v.In.At(min(max(i-1+k, 0), 4))
			}
			v.Out.Set(i, near[0]+near[1]+near[2]-min(near[0], near[1], near[2])-max(near[0], near[1], near[2]))
		}
	})
	fmt.Println(out.Slice())
	// Output: [9 5 5 5 3]
}
