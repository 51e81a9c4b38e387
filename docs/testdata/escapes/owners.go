package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func adoptedSlice() {
	data := make([]int, 4)
	a := array.Of(data, safety.Named("a"))
	h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	data[0] = 1
	h.Complete()
}

func ownSlice() {
	a := array.New[int](4, safety.Named("a"))
	s := a.Slice()
	h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	s[0] = 1
	h.Complete()
}

func unorderedOwner() {
	a := array.New[int](4, safety.Named("a"))
	var done hint
	go func() {
		defer done.give()
		defer caught()
		a.Set(0, 1)
	}()
	done.wait()
	parallelfor.For(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
}

func unorderedOwnerInPhase() {
	a := array.New[int](4, safety.Named("a"))
	var done hint
	h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
	go func() {
		defer done.give()
		defer caught()
		a.Set(0, 1)
	}()
	done.wait()
	h.Complete()
}

func partAfterJoin() {
	a := array.New[int](4, safety.Named("a"))
	parts := a.Split(2)
	part := parts.Part(0)
	parts.Join()
	part.Set(0, 1)
}
