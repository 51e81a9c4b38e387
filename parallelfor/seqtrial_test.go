package parallelfor_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

var errSource = errors.New("source")

// trial is a drawn program: what its source yields and how it ends, at which item the function
// fails and how, and after how many results the range ends.
type trial struct {
	n, fails, breaks   int // item fails fails; the range ends after breaks results; -1 for never
	how, ends          string
	flushes            map[int]bool
	opts               []parallelfor.Option
	workers, batchSize int
}

func (p trial) String() string {
	return fmt.Sprintf("%d items, item %d fails by %q, the range ends after %d, the source by %q, %d workers, batches of %d, flushes %v",
		p.n, p.fails, p.how, p.breaks, p.ends, p.workers, p.batchSize, p.flushes)
}

func drawTrial(r *rand.Rand) trial {
	p := trial{n: r.IntN(200), fails: -1, breaks: -1, flushes: map[int]bool{}, workers: 1 + r.IntN(8)}
	p.opts = []parallelfor.Option{parallelfor.Workers(p.workers)}
	if r.IntN(3) == 0 {
		p.batchSize = 1 + r.IntN(5)
		p.opts = append(p.opts, parallelfor.Batch(p.batchSize))
	}
	if r.IntN(2) == 0 {
		p.fails, p.how = r.IntN(250), []string{"error", "panic", "goexit"}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		p.breaks = r.IntN(200)
	}
	p.ends = []string{"", "", "error", "panic", "goexit"}[r.IntN(5)]
	for range r.IntN(4) {
		p.flushes[r.IntN(200)] = true
	}
	return p
}

// source yields 0 to n-1.
func (p trial) source() iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range p.n {
			if p.flushes[i] && !yield(0, parallelfor.Flush) || !yield(i, nil) {
				return
			}
		}
		switch p.ends {
		case "error":
			yield(0, errSource)
		case "panic":
			panic(errSource)
		case "goexit":
			runtime.Goexit()
		}
	}
}

func (p trial) body(i int) (string, error) {
	if i == p.fails {
		switch p.how {
		case "error":
			return "", errIndex
		case "panic":
			panic(errIndex)
		case "goexit":
			runtime.Goexit()
		}
	}
	return fmt.Sprint("r", i), nil
}

// plainly is the sequential loop.
func (p trial) plainly(yield func(string, error) bool) {
	for i, err := range p.source() {
		if err == parallelfor.Flush {
			if !yield("", err) {
				return
			}
			continue
		}
		var out string
		if err == nil {
			out, err = p.body(i)
		}
		if !yield(out, err) || err != nil {
			return
		}
	}
}

// taken ranges over results, and tells what they are and how the range ends.
func (p trial) taken(results iter.Seq2[string, error]) (all []string, end string) {
	e := endingOf(func() {
		if p.breaks == 0 {
			return
		}
		for out, err := range results {
			if err != nil {
				all = append(all, err.Error())
				continue
			}
			if all = append(all, out); len(all) == p.breaks {
				return
			}
		}
	})
	var panicked *parallelfor.Panic
	if err, ok := e.value.(error); ok && errors.As(err, &panicked) {
		e.value = panicked.Value
	}
	return all, e.String()
}

// collecting is a job that adds to containers of all kinds.
type collecting struct {
	List   array.ParallelWriter[int]
	Rows   array.StreamKeyedWriter[int]
	Sum    counter.SumParallelWriter[float64]
	Count  counter.ParallelWriter
	Words  hashmap.ParallelMerger[int, int]
	Groups hashmap.MultiParallelWriter[int, int]
}

// leave runs the loop of a trial over containers, and returns what it leaves and how it ends.
func (p trial) leave(loop func(source iter.Seq2[int, error], job collecting, body func(j *collecting, i, a int) error) error) (left, end string) {
	list, rows, sum, count := array.NewList[int](), array.NewStream[int](), counter.NewSum[float64](), counter.New()
	rows.Resize(3)
	words, groups := hashmap.New[int, int](), hashmap.NewMulti[int, int]()
	var err error
	e := endingOf(func() {
		err = loop(p.source(), collecting{
			List: list.ParallelWriter(), Rows: rows.KeyedWriter(), Sum: sum.ParallelWriter(), Count: count.ParallelWriter(),
			Words: words.ParallelMerger(func(a, b int) int { return 3*a + b }), Groups: groups.ParallelWriter(),
		}, func(j *collecting, i, a int) error {
			if i != a {
				panic("the number of the item")
			}
			j.List.Append(i)
			j.Rows.Add(i%3, i)
			j.Sum.Add(1 / float64(i+1))
			j.Count.Inc()
			j.Words.Merge(i%7, i)
			j.Groups.Add(i%5, i)
			_, err := p.body(i)
			return err
		})
	})
	var panicked *parallelfor.Panic
	if err, ok := e.value.(error); ok && errors.As(err, &panicked) {
		e.value = panicked.Value
	}
	left = fmt.Sprintln(list.Slice(), rows.Len(), rows.Items(), sum.Value(), count.Value())
	for k, v := range words.All() {
		left += fmt.Sprintln(k, v)
	}
	for k, g := range groups.Groups() {
		left += fmt.Sprintln(k, g)
	}
	return left, fmt.Sprint(err, e)
}
