package safety_test

import (
	"fmt"
	"log/slog"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type filling struct{ Out array.Writer[int] }

func (f *filling) Execute(i int) { f.Out.Set(i, i) }

func ExampleLeaks() {
	a := array.New[int](10)
	h := parallelfor.Schedule(10, filling{a.Writer()})
	for _, l := range safety.Leaks() {
		fmt.Println("leaked:", l.Job)
	}
	h.Complete()
	fmt.Println(len(safety.Leaks()))
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
