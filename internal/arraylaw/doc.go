// Package arraylaw is the contract of array-shaped containers as tests: one suite, run over every
// container that has it. Only tests import it.
//
//	suite.go   Suite, and what it needs to know: how to make a container, how to run a job
//	owner.go   what the owner may do, outside jobs and beside them
//	view.go    what jobs may do through Reader and Writer
//	caught.go  violations, as values to look at
//	random.go  properties
//
// The suite knows no container and no driver: constructors, view types and ways to run a job are given
// to it. Elements are ints.
package arraylaw
