// Package spec says what the containers do, as data: one executable specification for each kind of
// container. A specification is the sequential behaviour; package linear judges histories of concurrent
// operations against it, and so can every other checker of linearizability.
//
//	Queue, ShortQueue   FIFO queues, bounded or not, with batches, Peek, Len, Clear and Close
//	Counter             a number that is added to, exact or summed up from cells
//	Register            one value: Load, Store, Swap, CompareAndSwap
//	Map                 one value for each key
//	MultiMap            a sequence of values for each key
//	Claim               who holds something: any number of readers or one writer
//
// Operations and answers are small structs of one kind for each specification: QueueIn says what is asked
// and QueueOut what is answered. A field that an operation does not mention is 0 in what is asked, and is
// ignored in what is answered. Keys and values are small ints, chosen by the test.
//
// An answer of false is a claim about the container, and is judged as one: of a TryEnqueue that the queue
// was full, of a TryDequeue that it was empty, of a Load that there was no such key, each at one moment
// between the call and the return. A container that may also say false because it met somebody does not
// have these operations.
//
// # Invariants
//
//	(I1) States are values: equal states behave equally for ever, and no operation changes one in place.
//	(I2) Bounds never refuse an answer that a container could give which counts each element that is there
//	     during all of the operation, and each that was there at some moment of it or not at all. They may
//	     accept more.
//
// Map: queue.go operations and options of queues; queuestep.go their behaviour; line.go their states;
// queuelen.go what Len may say beside others; batch.go values in a row; counter.go, register.go, map.go,
// multimap.go, claim.go one kind each; window.go what was there while an operation ran.
package spec
