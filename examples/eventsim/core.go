package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// horizon is the number of lists of the wheel. The events of time t are in list t%horizon.
const horizon = 8

// event is a packet that arrives at a node.
type event struct {
	time   int
	node   int32
	packet uint64
}

// group adds the number of each event to the row of its node.
type group struct {
	Events  array.Reader[event]
	Numbers array.StreamKeyedWriter[int32]
}

func (g *group) Execute(i int) { g.Numbers.Add(int(g.Events.At(i).node), int32(i)) }

// handle has each node handle its events in order. What an event raises goes to the event's row.
type handle struct {
	Events  array.Reader[event]
	Numbers array.StreamReader[int32]
	Nodes   array.Writer[node]
	Raised  array.StreamKeyedWriter[event]
}

func (h *handle) Execute(k int) {
	for _, i := range h.Numbers.At(k) {
		h.Nodes.Ptr(k).handle(h.Events.At(int(i)), func(e event) { h.Raised.Add(int(i), e) })
	}
}

// schedule appends what the events have raised, in the order of the events, to the wheel.
type schedule struct {
	Raised array.StreamReader[event]
	Wheel  [horizon]array.ParallelWriter[event]
}

func (s *schedule) Execute(i int) {
	for _, e := range s.Raised.At(i) {
		s.Wheel[e.time%horizon].Append(e)
	}
}

// world has the nodes, and the events to come.
type world struct {
	nodes   *array.Array[node]
	wheel   [horizon]*array.List[event]
	numbers *array.Stream[int32] // a row of events for each node
	raised  *array.Stream[event] // a row for each event
	now     int
	opts    []parallelfor.Option
}

func newWorld(n network, opts ...parallelfor.Option) *world {
	w := &world{
		nodes:   array.Of(n.nodes, safety.Named("nodes")),
		numbers: array.NewStream[int32](safety.Named("numbers")),
		raised:  array.NewStream[event](safety.Named("raised")),
		opts:    opts,
	}
	for t, events := range n.wheel {
		w.wheel[t] = array.ListOf(events, safety.Named("events"))
	}
	return w
}

// step handles the events of one time, and clears their list for the events of a later one.
func (w *world) step() {
	events := w.wheel[w.now%horizon]
	w.numbers.Clear()
	w.numbers.Resize(w.nodes.Len())
	parallelfor.For(events.Len(), group{
		Events: events.Reader(), Numbers: w.numbers.KeyedWriter(),
	}, (*group).Execute, w.opts...)
	w.raised.Clear()
	w.raised.Resize(events.Len())
	parallelfor.For(w.nodes.Len(), handle{
		Events: events.Reader(), Numbers: w.numbers.Reader(), Nodes: w.nodes.Writer(), Raised: w.raised.KeyedWriter(),
	}, (*handle).Execute, w.opts...)
	scheduling := schedule{Raised: w.raised.Reader()}
	for t, list := range w.wheel {
		scheduling.Wheel[t] = list.ParallelWriter()
	}
	parallelfor.For(events.Len(), scheduling, (*schedule).Execute, w.opts...)
	events.Clear()
	w.now++
}
