// Package groups holds the comparisons, a file for each group of them.
//
// To add a group write a file with a function that adds rows to a [rows.Run], and name it in [All].
// What holds for every group:
//
//   - Ours goes through the public API of the library, in the default build, with a struct job.
//   - The limit is the fastest program in plain Go for the same work, its machine code read, not
//     one that is easy to beat. When it is not clear which of several programs that is, all are
//     measured, and the limit is the fastest.
//   - Every side checks its result, so none can leave work out.
//   - A row has a bar that it can miss, or says that it has none.
//
// Map: groups.go their list; counter.go; array.go; lists.go lists and streams; table.go; queue.go
// those with a bound, queueendless.go those without, queuephases.go what loops leave, queuepeers.go
// and lscq.go other libraries; hashmap.go goroutines that share a map, hashmappeers.go, sharded.go
// and cockroach.go the maps beside ours, hashmapphases.go and hashmapbuilds.go loops that read,
// merge and fill, hashmapcosts.go memory and keys that are hard to hash; multimap.go,
// multimappeers.go, multimapcosts.go, spatialhash.go, densekeys.go grouping; firstuse.go what the
// first use costs; sort.go; streams.go; join.go
// recursions; race.go builds with the race detector; scaling.go curves.
package groups
