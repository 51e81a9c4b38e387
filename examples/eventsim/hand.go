package main

import (
	"sync"
	"sync/atomic"
)

// handWorld is the network with goroutines, which keep the order of events.
type handWorld struct {
	network
	workers, chunk int
	first, last    []int32 // the numbers of each node's events, or -1
	next           []int32 // the number of the next event of the same node, or -1
	raised         [][]event
}

func newHand(n network, workers, chunk int) *handWorld {
	w := &handWorld{network: n, workers: workers, chunk: chunk}
	w.first, w.last = make([]int32, len(n.nodes)), make([]int32, len(n.nodes))
	return w
}

// group links the events of each node in their order.
func (w *handWorld) group(events []event) {
	for k := range w.nodes {
		w.first[k], w.last[k] = -1, -1
	}
	w.next = w.next[:0]
	for i, e := range events {
		w.next = append(w.next, -1)
		if last := w.last[e.node]; last >= 0 {
			w.next[last] = int32(i)
		} else {
			w.first[e.node] = int32(i)
		}
		w.last[e.node] = int32(i)
	}
	for len(w.raised) < len(events) {
		w.raised = append(w.raised, nil)
	}
}

func (w *handWorld) step() {
	events := w.wheel[w.now%horizon]
	w.group(events)
	var taken atomic.Int64
	var running sync.WaitGroup
	for range w.workers {
		running.Go(func() {
			for {
				end := int(taken.Add(int64(w.chunk)))
				if end-w.chunk >= len(w.nodes) {
					return
				}
				for k := end - w.chunk; k < min(end, len(w.nodes)); k++ {
					for i := w.first[k]; i >= 0; i = w.next[i] {
						w.nodes[k].handle(events[i], func(e event) { w.raised[i] = append(w.raised[i], e) })
					}
				}
			}
		})
	}
	running.Wait()
	for i := range events {
		for _, e := range w.raised[i] {
			w.schedule(e)
		}
		w.raised[i] = w.raised[i][:0]
	}
	w.wheel[w.now%horizon] = events[:0]
	w.now++
}
