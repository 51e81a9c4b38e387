package lane_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// columns is a container with two Lanes and a State of its own.
type columns struct {
	guard   safety.Guard
	numbers lane.Lanes[int]
	names   lane.Lanes[string]
	n       []int
	s       []string
}

// into is the lanes of a body that a nested job appends to.
type into struct {
	n *lane.Lane[int]
	s *lane.Lane[string]
}

// opened is the State: what both Opens have stored.
type opened struct{ lanes any }

func (o *opened) Lanes() any { return o.lanes }

func phases(p *safety.Phase) (n, s safety.Phase) {
	of, _ := p.Into.(into)
	n, s = *p, *p
	n.Into, s.Into = of.n, of.s
	return n, s
}

func (c *columns) OpenPhase(p *safety.Phase) {
	n, s := phases(p)
	c.numbers.Open(&n)
	c.names.Open(&s)
	p.State = &opened{[]any{n.State, s.State}}
}

func (c *columns) SealPhase(p *safety.Phase) {
	n, s := phases(p)
	c.numbers.Seal(&n, func(all lane.Items[int]) {
		for _, piece := range all.Slices(0, all.Len()) {
			c.n = append(c.n, piece...)
		}
	})
	c.names.Seal(&s, func(all lane.Items[string]) {
		for _, piece := range all.Slices(0, all.Len()) {
			c.s = append(c.s, piece...)
		}
	})
}

type columnsWriter struct {
	safety.Hold
	into  into
	binds int // how often it binds itself more
}

func (w *columnsWriter) Claim(c *safety.Claim) {
	if w.into.n != nil {
		c.Into = w.into
	}
}

func (w *columnsWriter) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	for range w.binds + 1 {
		w.into = into{lane.Of[int](b), lane.Of[string](b)}
	}
}

func (w *columnsWriter) BeginSpan(batch int) {
	w.into.n.BeginSpan(batch)
	w.into.s.BeginSpan(batch)
}

func (w *columnsWriter) put(n int, s string) {
	w.into.n.Append(&w.Hold, n)
	w.into.s.Append(&w.Hold, s)
}

// A container may have several Lanes. What nested jobs append to them comes where the bodies are.
func TestSeveralLanes(t *testing.T) {
	c := new(columns)
	c.guard.Init(c, 0)
	for range 2 {
		c.n, c.s = nil, nil
		parallelfor.For(3, columnsWriter{Hold: c.guard.Hold(safety.Append, nil)}, func(w *columnsWriter, i int) {
			w.put(100*i, "before")
			parallelfor.For(2, *w, func(w *columnsWriter, k int) { w.put(100*i+k+1, "inner") }, parallelfor.Batch(1))
			w.put(100*i+3, "behind")
		}, parallelfor.Batch(1))
		require.Equal(t, []int{0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203}, c.n)
		require.Equal(t, []string{"before", "inner", "inner", "behind", "before", "inner", "inner", "behind", "before", "inner", "inner", "behind"}, c.s)
	}
}

// To find one of several lanes allocates nothing.
func TestSeveralLanesAllocateNothing(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip("such builds allocate")
	}
	c := new(columns)
	c.guard.Init(c, 0)
	loop := func(binds int) float64 {
		return testing.AllocsPerRun(10, func() {
			c.n, c.s = c.n[:0], c.s[:0]
			parallelfor.For(1, columnsWriter{Hold: c.guard.Hold(safety.Append, nil), binds: binds}, func(w *columnsWriter, i int) { w.put(i, "") }, parallelfor.Workers(1))
		})
	}
	require.Equal(t, loop(0), loop(10))
}
