// Package route searches the cheapest ways from one start to several goals: one search for each goal, none of which needs
// another's result, and all of which read the same costs.
//
//	route.go       Route: what is found for a goal; Same, which compares two forms
//	jobs.go        Jobs: a single job for each goal, with outputs of its own, completed in order while the others run
//	loop.go        Loop: one parallel loop over the goals, whose paths are the rows of a stream
//	sequential.go  Sequential: a plain loop: the reference
//	goroutines.go  Goroutines: by hand, to see what the machine has to give
//	careless.go    Careless: jobs that have the costs to write, though they only read them, and what the library says
//
// How long a path will be nobody knows before it is found. A single job appends it to a list of its own, a loop to the
// row of its index: neither has arrays of a length that a longer path does not fit into.
package route
