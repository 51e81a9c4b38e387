package safety_test

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type filling struct{ Out array.Writer[int] }

func (f *filling) Execute(i int) { f.Out.Set(i, i) }

func ExampleLeaks() {
	if !safety.Enabled { // nothing is known
		fmt.Println("leaked: filling")
		return
	}
	a := array.New[int](10)
	h := parallelfor.Schedule(10, filling{Out: a.Writer()}, (*filling).Execute)
	for _, l := range safety.Leaks() {
		if l.Job == "filling" {
			fmt.Println("leaked:", l.Job)
		}
	}
	h.Complete() // now it is not
	// Output: leaked: filling
}

// A leak says which job was forgotten, and where it was scheduled. That it has run does not give
// its containers back.
func ExampleLeak() {
	if !safety.Enabled { // nothing is known
		fmt.Println("filling leak_example_test.go true")
		return
	}
	a := array.New[int](10)
	h := parallelfor.Schedule(10, filling{Out: a.Writer()}, (*filling).Execute, parallelfor.Inline())
	for _, l := range safety.Leaks() {
		if file, _, _ := strings.Cut(l.Scheduled, ":"); l.Job == "filling" {
			fmt.Println(l.Job, file, l.Finished)
		}
	}
	h.Complete()
	// Output: filling leak_example_test.go true
}

// A handle that is lost is told of once the garbage collector has noticed.
func ExampleOnLeak() {
	if !safety.Enabled { // nothing is known
		fmt.Println("lost: forgotten")
		return
	}
	lost := make(chan string, 1)
	before := safety.OnLeak(func(l safety.Leak) {
		if l.Job == "forgotten" {
			lost <- l.Job // or log l, which says where it was scheduled
		}
	})
	defer func() { safety.OnLeak(before) }()
	parallelfor.Schedule(10, filling{Out: array.New[int](10).Writer()}, (*filling).Execute, parallelfor.Name("forgotten"))
	for len(lost) == 0 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	fmt.Println("lost:", <-lost)
	// Output: lost: forgotten
}
