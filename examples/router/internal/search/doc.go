// Package search finds cheapest ways over a grid.
//
//	frontier.go  Node: what a search knows of a cell; Frontier: the open ones, by their estimates
//	astar.go     Space and Find: A*, to one goal
//	dijkstra.go  Dijkstra: what all cells cost, with a heap of the standard library: what A* is held to
//
// The estimate of a cell is what the way to it has cost and what the rest costs at least: so many steps as there would be without
// walls, at the least cost. From a cell to its neighbour it does not fall (the bound is consistent), so A* has the cheapest way to a
// cell when it takes that out of the frontier, and estimates rise by less than Span at a step. That is what makes a ring
// of a few lists do as a priority queue, in which everything takes constant time: R. B. Dial, Algorithm 360, 1969.
//
// Whoever is in the same list comes out newest first, neighbours are looked at in one order, and a way replaces another only when it
// is cheaper. So the path is one and the same on each run, wherever it is.
package search
