package search

import (
	"math/bits"

	"example.com/custody/examples/router/internal/grid"
)

// Node is what a search knows of a cell. The zero value knows nothing.
type Node struct {
	Cost     int32 // of the cheapest way that is known
	Estimate int32 // of a whole way through the cell
	// next and prev are the numbers of its neighbours in its list while it is open, each more by 1; 0 is none.
	next, prev int32
	Came       Came
	open       bool
}

// Came is how the cheapest known way enters a cell.
type Came uint8

// Ways to be in a cell. By a step in direction d, a way enters by Came(d) + Stepped.
const (
	Unknown Came = iota // there is no way known
	Started             // it is the start
	Stepped
)

// Frontier is the open nodes of a search, those that ways lead to that were not followed yet. It has their numbers; the nodes
// themselves are the caller's. The zero value is empty. The estimates of those that are in it at any time lie within [Span] of each other.
type Frontier struct {
	lists [Span]int32 // node i of a list is the number i+1; newest first
	used  uint64      // bit k: list k is not empty
	least int32       // no open node has a lower estimate
}

// Span is how many lists there are: estimates that far apart share one.
const Span = 64

// Rise is how much the estimate of a neighbour is higher than that of a node, at most: what the step costs, and what the goal has
// come farther away.
const Rise = 2 * grid.Highest

// Empty says whether no node is open.
func (q *Frontier) Empty() bool { return q.used == 0 }

// Offer says that a way to node i is known of that cost and estimate. If it is the cheapest so far the node is open then.
func (q *Frontier) Offer(nodes []Node, i, cost, estimate int32, came Came) {
	n := &nodes[i]
	if n.Came != Unknown {
		if n.Cost <= cost {
			return
		}
		if n.open {
			q.take(nodes, n)
		}
	}
	list := &q.lists[estimate%Span]
	if *list != 0 {
		nodes[*list-1].prev = i + 1
	}
	*n = Node{Cost: cost, Estimate: estimate, next: *list, Came: came, open: true}
	*list = i + 1
	if q.used == 0 || estimate < q.least {
		q.least = estimate
	}
	q.used |= 1 << (estimate % Span)
}

// Least returns the lowest estimate of an open node. There must be one.
func (q *Frontier) Least() int32 {
	q.least += int32(bits.TrailingZeros64(bits.RotateLeft64(q.used, -int(q.least%Span))))
	return q.least
}

// Pop closes one of the nodes with the lowest estimate, and returns its number. There must be one.
func (q *Frontier) Pop(nodes []Node) int32 {
	i := q.lists[q.Least()%Span] - 1
	q.take(nodes, &nodes[i])
	return i
}

// take takes an open node out.
func (q *Frontier) take(nodes []Node, n *Node) {
	k := n.Estimate % Span
	n.open = false
	if n.next != 0 {
		nodes[n.next-1].prev = n.prev
	}
	if n.prev != 0 {
		nodes[n.prev-1].next = n.next
		return
	}
	if q.lists[k] = n.next; n.next == 0 {
		q.used &^= 1 << k
	}
}
