package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse arrays that are split into parts.

var inParts = []misuse{
	{"an array is used while it is split", usedWhileSplit, safety.Violation{Kind: safety.ErrSplit, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
	{"a job is scheduled with an array that is split", scheduledWhileSplit, safety.Violation{Kind: safety.ErrSplit,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", Made: somewhere}, checked},
	{"parts are joined while one of them is split", joinWhileSplit, safety.Violation{Kind: safety.ErrSplit, Container: `array.Array[int] "a[0:50]"`, Made: somewhere}, checked},

	{"an array is split while a job holds it", splitWhileLent, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "watch", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"parts are joined while a job holds one", joinWhileLent, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a[50:100]"`, OtherJob: "fill", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},

	{"a part is used after Join", usedAfterJoin, safety.Violation{Kind: safety.ErrDisposed, Container: `array.Array[int] "a[0:50]"`, Made: somewhere}, checked},
	{"parts are joined through a copy", copiedParts, safety.Violation{Kind: safety.ErrCopied, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
	{"parts are joined twice", joinedTwice, safety.Violation{Kind: safety.ErrDisposed, Container: `array.Array[int] "a"`, Made: somewhere}, checked},

	{"a part is asked for that is not there", noPart, safety.Violation{Kind: safety.ErrIndex, Container: `array.Array[int] "a"`, Index: 2, Max: 2, Length: 2, Made: somewhere}, always},
	{"an array is split into fewer parts than one", noParts, safety.Violation{Kind: safety.ErrLength, Container: `array.Array[int] "a"`, N: -1, Made: somewhere}, always},
	{"an array is split at places that fall", fallingParts, safety.Violation{Kind: safety.ErrArgument,
		Container: `array.Array[int] "a"`, Index: 40, Min: 60, Max: 101, Length: 100, Made: somewhere}, always},
}

// Each part has a custody of its own, and the whole has none until Join.
func usedWhileSplit() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	defer halves.Join()
	a.Set(0, 1) // halves.Part(0) has element 0
}

// A job holds the whole of an array that is split. It would conflict with any job that holds a
// part.
func scheduledWhileSplit() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	defer halves.Join()
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute)
}

// A part is split again, and the halves are joined before its own parts are.
func joinWhileSplit() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	quarters := halves.Part(0).Split(2)
	defer quarters.Join()
	halves.Join()
}

// An array is split while a job reads it. The job holds the whole.
func splitWhileLent() {
	a := array.New[int](100, safety.Named("a"))
	done := make(chan bool)
	h := parallelfor.ScheduleDo(watch{In: a.Reader(), Done: done}, (*watch).Execute)
	defer h.Complete()
	defer close(done)
	a.Split(2)
}

// The parts are joined while a job holds one of them: it has finished, and was not completed.
func joinWhileLent() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	left := parallelfor.Schedule(50, fill{Out: halves.Part(0).Writer()}, (*fill).Execute, parallelfor.Inline())
	right := parallelfor.Schedule(50, fill{Out: halves.Part(1).Writer()}, (*fill).Execute, parallelfor.Inline())
	defer right.Complete()
	left.Complete()
	halves.Join() // no right.Complete() before
}

// A part is kept, and used when the array is whole again.
func usedAfterJoin() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	left := halves.Part(0)
	halves.Join()
	left.Set(0, 1)
}

// Two functions join the parts.
func joinedTwice() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	defer halves.Join()
	halves.Join()
}

// The parts are joined through a copy of what Split returned. The copy could end parts into which
// the array was split since.
func copiedParts() {
	a := array.New[int](100, safety.Named("a"))
	halves := clone(a.Split(2))
	halves.Join()
}

// The program counts the parts from 1.
func noPart() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	_ = halves.Part(2)
}

// The number of parts is computed, and is not positive.
func noParts() {
	a := array.New[int](100, safety.Named("a"))
	processors, reserved := 1, 2
	a.Split(processors - reserved)
}

// The borders of the parts are not in order. The second part would end before it begins.
func fallingParts() {
	a := array.New[int](100, safety.Named("a"))
	a.SplitAt(60, 40)
}
