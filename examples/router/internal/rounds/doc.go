// Package rounds searches one cheapest way with many workers: A* whose cells are hashed to owners, which search side by side and
// send each other messages.
//
//	layout.go      layout: which owner has which cells, and where
//	owner.go       owner: a part of the search; message: a way that leads to another owner's cell
//	round.go       round: the job of one round; Parallel: rounds until the search has ended
//	sequential.go  Sequential: the same in plain loops: the reference
//	judge.go       whether the search has ended, and how
//
// Hash-distributed A* (A. Kishimoto, A. Fukunaga, A. Botea, Scalable, Parallel Best-First Search for Optimal Sequential Planning, 2009) has
// threads that look into their mailboxes when they get to it, so the order of messages, and of several cheapest ways the one
// that is found, are another on each run, and a thread has to find out that no message is under way. Here
// everything goes in rounds. In each of them every owner
//
//  1. takes in the messages that were sent to it in the round before, by the owners in their order,
//  2. expands its open cells whose estimates are within the bound of the round, the best ones first, and those that it thereby opens,
//  3. sends what leads to cells of others: it appends to its row of a stream, which is everybody's to read in the next round.
//
// All that an owner does in a round follows from what it has and what it is sent. How many owners there are, and which cells they
// have, follows from the grid (not from the workers). So the path is the same at any number of workers, and no owner waits for
// another one within a round: a worker may have them all, one after the other.
//
// The bound is the lowest estimate of any open cell or message, and Slack more. Estimates do not fall from round to round, so
// when the goal costs no more than the lowest one, no way can be cheaper. A larger slack makes fewer rounds and expands more
// cells again, to which a cheaper way is found later.
package rounds
