// Eventsim simulates a network of nodes. The events of one time are handled in parallel, those of
// a node in the order in which they were raised. The program does the same event by event, and with
// goroutines by hand, and fails unless every bit is equal. An engine that starts a goroutine for
// each event, as the ParallelEngine of github.com/sarchlab/akita does, leaves the order of a node's
// events to the scheduler, which the rules for writers and lists prevent.
package main
