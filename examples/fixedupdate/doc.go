// Fixedupdate has thousands of objects behind an interface fall in fixed steps. Objects are added,
// removed and killed while the job of a step runs. The program makes the same steps by calls of the
// objects' methods, one by one and on several goroutines, and fails unless every bit is equal.
package main
