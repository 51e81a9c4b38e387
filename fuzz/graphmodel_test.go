package fuzz_test

import (
	"math/rand/v2"
	"slices"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// This file is the rules of custody, as the documentation states them, for graphs of jobs.

// node is a job of a graph.
type node struct {
	name     string
	after    []*node
	handle   parallelfor.Handle
	returned bool
}

// hold is that a job has a container, or one of the two arrays of a Double, in a mode.
type hold struct {
	by   *node
	mode safety.Mode
}

// want is a claim of a job that is being drawn.
type want struct {
	on   *box
	mode safety.Mode
	form int // of the view
}

// guard returns what the claim is a claim of: of a Double, readers get the front and writers the
// back.
func (w want) guard() *[]hold {
	if w.on.kind == boxDouble && w.mode == safety.Write {
		return &w.on.held[1-w.on.front]
	}
	return &w.on.held[w.on.front]
}

// before returns the jobs that a job runs after, when it does after the given ones.
func before(after []*node) map[*node]bool {
	in := map[*node]bool{}
	for todo := slices.Clone(after); len(todo) > 0; {
		j := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !in[j] {
			in[j] = true
			todo = append(todo, j.after...)
		}
	}
	return in
}

// conflicts returns the jobs because of which one with these claims, after these jobs, would be
// refused.
func conflicts(claims []want, after []*node) (with []*node) {
	behind := before(after)
	for _, c := range claims {
		for _, h := range *c.guard() {
			if !together(h.mode, c.mode) && !behind[h.by] && !slices.Contains(with, h.by) {
				with = append(with, h.by)
			}
		}
	}
	return with
}

// excluding returns the jobs because of which an owner's operation would be refused; of a Double it
// concerns the front.
func excluding(b *box, op int) (by []*node) {
	for _, h := range b.held[b.front] {
		if !goes(op, h.mode) && !slices.Contains(by, h.by) {
			by = append(by, h.by)
		}
	}
	return by
}

// holders returns the jobs that hold any of the boxes.
func holders(boxes ...*box) (by []*node) {
	for _, b := range boxes {
		for _, side := range b.held {
			for _, h := range side {
				by = append(by, h.by)
			}
		}
	}
	return by
}

// writers returns the jobs that write either side of the box.
func writers(b *box) (by []*node) {
	for _, side := range b.held {
		for _, h := range side {
			if h.mode == safety.Write {
				by = append(by, h.by)
			}
		}
	}
	return by
}

// take notes that the job holds what it claims.
func (g *graph) take(j *node, claims []want) {
	for _, c := range claims {
		*c.guard() = append(*c.guard(), hold{j, c.mode})
	}
}

// giveBack notes that a job was completed: it and all that it runs after have returned what they
// held.
func (g *graph) giveBack(j *node) {
	for k := range before([]*node{j}) {
		k.returned = true
	}
	for _, b := range g.boxes {
		for side := range b.held {
			b.held[side] = slices.DeleteFunc(b.held[side], func(h hold) bool { return h.by.returned })
		}
	}
}

// follower returns a job that was not returned and gives back what j holds when it is completed: j
// or one after it.
func (g *graph) follower(r *rand.Rand, j *node) *node {
	var all []*node
	for _, k := range g.nodes {
		if !k.returned && before([]*node{k})[j] {
			all = append(all, k)
		}
	}
	return all[r.IntN(len(all))]
}

// needed returns an edge without which the job would be refused, or -1.
func needed(r *rand.Rand, claims []want, after []*node) int {
	for _, i := range r.Perm(len(after)) {
		if len(conflicts(claims, without(after, i))) > 0 {
			return i
		}
	}
	return -1
}

func without(after []*node, i int) []*node { return slices.Delete(slices.Clone(after), i, i+1) }

func nodeNamed(nodes []*node, name string) bool {
	return slices.ContainsFunc(nodes, func(j *node) bool { return j.name == name })
}
