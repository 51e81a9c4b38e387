package main

import (
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These are mistakes of authors of containers.

var authors = []misuse{
	{"a view claims a container in no mode", noMode, safety.Violation{Kind: safety.ErrArgument, Container: "main.box", Job: "open", Made: somewhere}, checked},
	{"a view says that it has a range, and has none", noWindow, safety.Violation{Kind: safety.ErrNoRange, Container: "main.box", Job: "fill", Made: somewhere}, checked},
	{"a container of one's own was not initialised", noInit, safety.Violation{Kind: safety.ErrUnassigned}, checked},
}

// The view of a container of the program's own claims the container in no mode.
func noMode() {
	b := new(box)
	b.guard.Init(b, -1)
	parallelfor.Do(boxView{b.guard.Hold(0, nil)}, func(*boxView) {}, parallelfor.Name("open"))
}

// The claim of a view is Ranged, and the view lacks a method that returns its range.
func noWindow() {
	b := new(box)
	b.guard.Init(b, -1)
	parallelfor.For(3, rangedView{b.guard.Hold(safety.Write, nil)}, func(*rangedView, int) {}, parallelfor.Name("fill"))
}

// The constructor of a container does not call Guard.Init.
func noInit() {
	b := new(box)
	b.Put(1)
}

type box struct {
	guard safety.Guard
	n     int
}

func (b *box) Put(n int) {
	b.guard.CheckWrite()
	b.n = n
}

type boxView struct {
	safety.Hold
}

type rangedView struct {
	safety.Hold
}

// Claim completes the claim.
func (v *rangedView) Claim(c *safety.Claim) {
	c.Ranged, c.Extent = true, 3
}

func (v *rangedView) SetRange(begin, end int) {}
