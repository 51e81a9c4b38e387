// Package spec has an executable specification for each kind of container. A specification is the
// sequential behavior as data. Package linear judges histories of concurrent operations against it,
// and so can any other checker of linearizability.
//
//	Queue, ShortQueue   FIFO queues, bounded or not, with batches, Peek, Len, Clear and Close
//	Counter             a number to add to, exact or summed up from cells
//	Register            one value: Load, Store, Swap, CompareAndSwap
//	Map                 one value for each key
//	MultiMap            a sequence of values for each key
//	Claim               any number of shared holders or one exclusive holder
//
// Each specification has one small struct for operations and one for answers, such as QueueIn and
// QueueOut. Fields that an operation does not mention are 0 in the operation and are ignored in the
// answer. Keys and values are small ints, chosen by the test.
//
// An answer of false is a claim about the container and is judged as such: of TryEnqueue that the
// queue was full, of TryDequeue that it was empty, of Load that the key was absent. The claim must
// hold at one moment between the call and the return. A container whose false may also mean
// contention does not have these operations.
//
// # Invariants
//
//	(I1) States are values: equal states behave equally forever, and no operation changes one in
//	     place.
//	(I2) Bounds accept every answer of a container that counts each element which is present for the
//	     whole interval, and each element which is present for part of it at most once. They may
//	     accept more.
//
// Map: queue.go has the operations and options of queues; queuestep.go their behavior; line.go
// their states; queuelen.go the bounds of a weak Len; batch.go sequences of values. counter.go,
// register.go, map.go, multimap.go and claim.go have one kind each; window.go has what was present
// while an operation ran.
package spec
