// Package speclaw has the containers of package spec once more, as plainly as Go's slices and maps can say
// them, and random histories of theirs. Only tests import it: they compare specifications with models, and
// checkers of linearizability with each other.
//
//	kind.go      Kind, a container with its specification, model and random operations
//	queue.go, number.go, keyed.go   the kinds
//	history.go   histories, right ones and wrong ones
package speclaw
