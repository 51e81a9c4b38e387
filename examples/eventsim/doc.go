// Eventsim simulates a network of nodes. The events of one time are handled in parallel, those of a
// node in the order in which they were raised, so the final state is that of the SerialEngine of
// github.com/sarchlab/akita. Akita's ParallelEngine starts a goroutine for each event. There the
// scheduler decides the order of a node's events, and runs end in different states. The rules for
// writers and lists prevent that. Unlike in akita, an event raises only events of later times. The
// program does the same event by event, and with goroutines by hand, and fails unless every bit is
// equal.
package main
