package parallelfor_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// The sum of the squares, by cells.
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
		longest = l.Combine(longest, l.In.At(i))
	}
	return longest
}

func (*Longest) Combine(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

func ExampleReducer() {
	words := array.Of(strings.Fields("a job whose fields are views"))
	fmt.Println(parallelfor.RunReduce[string](words.Len(), Longest{words.Reader()}))
	// Output: fields
}

// Parsed adds up what its strings say, if they are all numbers.
type Parsed struct{ In array.Reader[string] }

func (p *Parsed) ExecuteReduce(begin, end int) (sum int, err error) {
	for i := begin; i < end; i++ {
		var x int
		if _, err := fmt.Sscan(p.In.At(i), &x); err != nil {
			return 0, fmt.Errorf("string %d: %w", i, err)
		}
		sum += x
	}
	return sum, nil
}

func (*Parsed) Combine(a, b int) int { return a + b }

func ExampleReducerErr() {
	words := array.Of(strings.Fields("1 2 3 4 five 6 seven"))
	_, err := parallelfor.RunReduceErr[int](context.Background(), words.Len(), Parsed{words.Reader()})
	fmt.Println(err)
	// Output: string 4: expected integer
}

// Running totals, in place.
func ExampleScan() {
	a := array.Of([]int{3, 1, 4, 1, 5})
	slice := (*array.Writer[int]).Slice
	total := parallelfor.Scan(a.Len(), a.Writer(), slice, slice, func(a, b int) int { return a + b })
	fmt.Println(a.Slice(), total)
	// Output: [3 4 8 9 14] 14
}

func ExampleScanExclusive() {
	a := array.Of([]int{3, 1, 4, 1, 5})
	slice := (*array.Writer[int]).Slice
	total := parallelfor.ScanExclusive(a.Len(), a.Writer(), slice, slice, 100, func(a, b int) int { return a + b })
	fmt.Println(a.Slice(), total)
	// Output: [100 103 104 108 109] 114
}

// Where rows of different lengths lie, one after the other: offsets for Writer.ByOffsets.
func ExampleScanExclusiveFunc() {
	type views struct {
		Words   array.Reader[string]
		Offsets array.Writer[int]
	}
	words := array.Of(strings.Fields("a view is the declaration"))
	n := words.Len()
	offsets := array.New[int](n + 1)
	total := parallelfor.ScanExclusiveFunc(n, views{words.Reader(), offsets.Writer()},
		func(v *views, i int) int { return len(v.Words.At(i)) },
		func(v *views) []int { return v.Offsets.Slice() },
		0, func(a, b int) int { return a + b })
	offsets.Set(n, total)
	fmt.Println(offsets.Slice())
	// Output: [0 1 5 7 10 21]
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

// One job for all questions of yes and no.
func ExamplePredicate() {
	distance := array.Of([]float64{30, 4, 12, 7})
	job := Visible{distance.Reader(), 10}
	fmt.Println(parallelfor.RunFilter(4, job), parallelfor.RunFind(4, job))
	// Output: [1 3] 1
}

// Even says which strings are even numbers, if they are numbers.
type Even struct{ In array.Reader[string] }

func (e *Even) Execute(i int) (bool, error) {
	var x int
	_, err := fmt.Sscan(e.In.At(i), &x)
	return x%2 == 0, err
}

func ExamplePredicateErr() {
	words := array.Of(strings.Fields("1 3 4 five"))
	fmt.Println(parallelfor.RunFindErr(context.Background(), 4, Even{words.Reader()}))
	fmt.Println(parallelfor.RunFilterErr(context.Background(), 4, Even{words.Reader()}))
	// Output:
	// 2 <nil>
	// [] expected integer
}

// The indices go into a container, in the order of the loop.
func ExampleFilterAppend() {
	a, kept := array.Of([]int{5, -2, 7, -1, 0}), array.NewList[int]()
	parallelfor.FilterAppend(5, a.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i) > 0 }, kept.ParallelWriter())
	fmt.Println(kept.Slice())
	// Output: [0 2]
}

// Any view with a method Append takes the indices.
func ExampleIndexAppender() {
	odd := array.NewList[int]()
	h := parallelfor.ScheduleFilterAppendErr(context.Background(), 10, struct{}{}, func(_ *struct{}, i int) (bool, error) {
		if i == 7 {
			return false, errors.New("7 is not for me")
		}
		return i%2 == 1, nil
	}, odd.ParallelWriter())
	h.Complete()
	fmt.Println(odd.Slice(), h.Err())
	// Output: [1 3 5] 7 is not for me
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

func ExampleAny() {
	a := numbers(1000)
	fmt.Println(parallelfor.Any(1000, a.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i) > 998 }))
	fmt.Println(parallelfor.All(1000, a.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i) < 998 }))
	// Output:
	// true
	// false
}

// A slice that no container has.
func ExampleEach() {
	words := strings.Fields("no container has these")
	parallelfor.Each(words, struct{}{}, func(_ *struct{}, i int, word *string) { *word = strings.ToUpper(*word) })
	fmt.Println(words)
	// Output: [NO CONTAINER HAS THESE]
}

func ExampleSort() {
	a := array.Of(strings.Fields("the order of keys and of a key's values"))
	parallelfor.Sort(a.Writer(), (*array.Writer[string]).Slice, strings.Compare)
	fmt.Println(a.Slice())
	// Output: [a and key's keys of of order the values]
}

// What compare says is equal stays in its order: here, words of the same length.
func ExampleSortStable() {
	a := array.Of(strings.Fields("the order of keys and of a key's values"))
	parallelfor.SortStable(a.Writer(), (*array.Writer[string]).Slice, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	fmt.Println(a.Slice())
	// Output: [a of of the and keys order key's values]
}

// A goroutine that holds an array until the handle is completed.
func ExampleGo() {
	type views struct{ Lines array.Writer[string] }
	lines := array.New[string](3)
	incoming := make(chan string)
	h := parallelfor.Go(views{lines.Writer()}, func(v *views) {
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
