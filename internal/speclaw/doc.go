// Package speclaw has models of the containers of package spec, written with Go's slices and maps,
// and makes random histories of them. Only tests import it. They compare specifications with
// models, and checkers of linearizability with each other.
//
//	kind.go      Kind: a container with its specification, model and random operations
//	history.go   linearizable and spoiled histories
//	queue.go, number.go, keyed.go   the kinds
package speclaw
