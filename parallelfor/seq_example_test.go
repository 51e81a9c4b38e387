package parallelfor_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// lines returns the lines of r, and then the error of reading it.
func lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s := bufio.NewScanner(r)
		for s.Scan() {
			if !yield(s.Text(), nil) {
				return
			}
		}
		if s.Err() != nil {
			yield("", s.Err())
		}
	}
}

// Lines are parsed in parallel and come in their order. The error is that of the first bad line.
func ExampleMapSeqErr() {
	file := strings.NewReader("1\n2\nthree\n4\n")
	for n, err := range parallelfor.MapSeqErr(context.Background(), lines(file), strconv.Atoi) {
		fmt.Println(n, err)
	}
	// Output:
	// 1 <nil>
	// 2 <nil>
	// 0 strconv.Atoi: parsing "three": invalid syntax
}

// The fields of a text are measured in parallel, and their lengths come in the order of the text.
func ExampleMapSeq() {
	lengths := parallelfor.MapSeq(strings.FieldsSeq("the order of the results is that of the fields"), func(s string) int { return len(s) })
	fmt.Println(slices.Collect(lengths))
	// Output: [3 5 2 3 7 2 4 2 3 6]
}

// A map counts the words of a text whose length is not known. Its order is that of the text.
func ExampleForSeq() {
	counts := hashmap.New[string, int]()
	parallelfor.ForSeq(strings.FieldsSeq("b a b c a b"), counts.ParallelMerger(hashmap.Add), func(m *hashmap.ParallelMerger[string, int], _ int, word string) {
		m.Merge(word, 1)
	})
	for word, n := range counts.All() {
		fmt.Println(word, n)
	}
	// Output:
	// b 3
	// a 2
	// c 1
}

// What is wrong with a line ends the loop, and what lines before it have added stays.
func ExampleForSeqErr() {
	sums := hashmap.New[string, int]()
	file := strings.NewReader("a 1\nb 2\na 3\nb x\na 4\n")
	err := parallelfor.ForSeqErr(context.Background(), lines(file), sums.ParallelMerger(hashmap.Add), func(m *hashmap.ParallelMerger[string, int], i int, line string) error {
		key, value, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		m.Merge(key, n)
		return nil
	})
	a, _ := sums.Load("a")
	b, _ := sums.Load("b")
	fmt.Println(a, b, err)
	// Output: 4 2 line 4: strconv.Atoi: parsing "x": invalid syntax
}

// received returns the items of a channel. What was received is not kept waiting while the channel
// is empty.
func received[T any](ch <-chan T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for {
			select {
			case v, ok := <-ch:
				if !ok || !yield(v, nil) {
					return
				}
			default:
				if !yield(none, parallelfor.Flush) {
					return
				}
				v, ok := <-ch
				if !ok || !yield(v, nil) {
					return
				}
			}
		}
	}
}

// Answers come in the order of the questions, each as soon as those before it are there.
func Example_flush() {
	questions, answers := make(chan int), make(chan string)
	go func() {
		defer close(answers)
		square := func(n int) (string, error) { return fmt.Sprint(n, " squared is ", n*n), nil }
		for answer, err := range parallelfor.MapSeqErr(context.Background(), received(questions), square) {
			if err == nil {
				answers <- answer
			}
		}
	}()
	for n := range 3 {
		questions <- n
		fmt.Println(<-answers)
	}
	close(questions)
	// Output:
	// 0 squared is 0
	// 1 squared is 1
	// 2 squared is 4
}
