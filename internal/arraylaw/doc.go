// Package arraylaw has the contract of array-shaped containers as tests: one suite for all of them.
// Only tests import it.
//
//	suite.go   Suite, and the functions that it needs to make a container and to run a job
//	owner.go   the owner's operations, outside of jobs and beside them
//	view.go    the operations of jobs through Reader and Writer
//	caught.go  violations as values
//	random.go  properties
//
// The suite does not know any container or driver: its user supplies constructors, view types and
// ways to run a job. Elements are ints.
package arraylaw
