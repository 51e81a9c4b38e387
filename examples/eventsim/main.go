package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 10_000, Steps: 100, Chunk: 64}
	return program.Simulate("eventsim", "nodes", o, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	plain, hand := draw(o.N, o.Seed), newHand(draw(o.N, o.Seed), o.Workers, o.Chunk)
	jobs := newWorld(draw(o.N, o.Seed), parallelfor.On(pool), parallelfor.Batch(o.Chunk))
	if err := program.Race(w, o.Steps,
		program.Way{Name: "events, one by one", Step: plain.step},
		program.Way{Name: fmt.Sprintf("by hand, %d goroutines", o.Workers), Step: hand.step},
		program.Way{Name: fmt.Sprintf("loops, %d workers", o.Workers), Step: jobs.step},
	); err != nil {
		return err
	}
	handled, most := 0, 0
	for _, n := range plain.nodes {
		handled, most = handled+n.handled, max(most, n.handled)
	}
	fmt.Fprintf(w, "%d nodes handled %d events, one of them %d\n", o.N, handled, most)
	return program.Verified(w, plain.state(), hand.state(), jobs.state())
}

// node passes packets on. It may keep one, which leaves with the next.
type node struct {
	mixed   uint64 // depends on all that has arrived, and on its order
	handled int
	keeps   bool
	kept    uint64
	to      [4]int32
}

// handle calls raise for each event that is the consequence of e.
func (n *node) handle(e event, raise func(event)) {
	for range 500 { // in place of work: the steps of splitmix64, by Steele, Lea and Flood, 2014
		n.mixed = (n.mixed ^ e.packet) + 0x9e3779b97f4a7c15
		n.mixed = (n.mixed ^ n.mixed>>30) * 0xbf58476d1ce4e5b9
		n.mixed = (n.mixed ^ n.mixed>>27) * 0x94d049bb133111eb
		n.mixed ^= n.mixed >> 31
	}
	n.handled++
	if !n.keeps && n.mixed%4 == 0 {
		n.keeps, n.kept = true, e.packet
		return
	}
	raise(n.send(e.time, n.mixed))
	if n.keeps {
		raise(n.send(e.time, n.kept))
		n.keeps = false
	}
}

// send returns the arrival of a packet at a neighbour, within the horizon.
func (n *node) send(now int, packet uint64) event {
	return event{time: now + 1 + int(packet>>8%(horizon-1)), node: n.to[packet>>4%4], packet: packet}
}

// network is the nodes and the events to come, in slices.
type network struct {
	nodes []node
	wheel [horizon][]event
	now   int
}

// draw returns a network, with packets under way. Nodes of low numbers have many neighbours.
func draw(nodes int, seed uint64) network {
	r, n := rand.New(rand.NewPCG(seed, 1)), network{nodes: make([]node, nodes)}
	for k := range n.nodes {
		for j := range n.nodes[k].to {
			n.nodes[k].to[j] = int32(min(r.IntN(nodes), r.IntN(nodes)))
			n.schedule(event{time: r.IntN(horizon), node: int32(k), packet: r.Uint64()})
		}
	}
	return n
}

func (n *network) schedule(e event) {
	n.wheel[e.time%horizon] = append(n.wheel[e.time%horizon], e)
}

// step is that of a world without the library.
func (n *network) step() {
	events := n.wheel[n.now%horizon]
	for _, e := range events {
		n.nodes[e.node].handle(e, n.schedule)
	}
	n.wheel[n.now%horizon] = events[:0]
	n.now++
}

func (n *network) state() []any { return []any{n.nodes, n.wheel} }

func (w *world) state() []any {
	var wheel [horizon][]event
	for t, list := range w.wheel {
		wheel[t] = slices.Clone(list.Slice())
	}
	return []any{w.nodes.Slice(), wheel}
}
