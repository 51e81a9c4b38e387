package safety_test

import (
	"fmt"
	"log/slog"
	"strings"

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
	h := parallelfor.Schedule(10, filling{a.Writer()})
	for _, l := range safety.Leaks() {
		if l.Job == "filling" {
			fmt.Println("leaked:", l.Job)
		}
	}
	h.Complete() // now it is not
	// Output: leaked: filling
}

// A leak says which job was forgotten, and where it was scheduled. That it has run does not give its containers back.
func ExampleLeak() {
	if !safety.Enabled { // nothing is known
		fmt.Println("filling leak_example_test.go true")
		return
	}
	a := array.New[int](10)
	h := parallelfor.Schedule(10, filling{a.Writer()}, parallelfor.Inline())
	for _, l := range safety.Leaks() {
		if file, _, _ := strings.Cut(l.Scheduled, ":"); l.Job == "filling" {
			fmt.Println(l.Job, file, l.Finished)
		}
	}
	h.Complete()
	// Output: filling leak_example_test.go true
}

// In a test: func TestX(t *testing.T) { defer safety.VerifyNoLeaks(t); ... }
func ExampleVerifyNoLeaks() {
	var t safety.TestingT = new(verdict) // a *testing.T
	defer safety.VerifyNoLeaks(t)
	a := array.New[int](10)
	parallelfor.Schedule(10, filling{a.Writer()}).Complete()
}

func ExampleOnLeak() {
	safety.OnLeak(func(l safety.Leak) { slog.Warn(l.String(), "job", l.Job, "scheduled", l.Scheduled) })
	defer safety.OnLeak(nil)
}
