package groups

import (
	"example.com/custody/bench/internal/programs"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/bench/internal/scheduler"
)

const ours = rows.Ours

// All is the groups in the order in which they run.
var All = []rows.Group{
	{Name: "counter", Rows: counterRows, About: "What it costs to count: by loops, each worker in its own lane; from any goroutine; and to read the value."},
	{Name: "array", Rows: arrayRows, About: "Loops over arrays through views, by window and by index, against loops over slices; and the default build against the unchecked one."},
	{Name: "list", Rows: listRows, About: "Loops that append, in the order of the sequential loop, against two passes and against append."},
	{Name: "table", Rows: tableRows, About: "Loops over the columns of a table, changes of its rows between frames, and loops over what changed."},
	{Name: "queue", Rows: queueRows, About: "Items handed from goroutine to goroutine, bounded and not, one by one and in batches; and what loops leave, against channels and queues of other libraries."},
	{Name: "map", Rows: mapRows, About: "Loads and stores from all goroutines at the same time, overwriting, memory, and keys that are hard to hash, against concurrent maps of other libraries."},
	{Name: "multimap", Rows: multimapRows, About: "Grouping by key and visiting all values of a key, against maps of slices by hand and sorted arrays."},
	{Name: "map phases", Rows: mapPhaseRows, About: "Maps that loops fill, merge into and read, whose phases are known, against maps that must expect anything."},
	{Name: "sort", Rows: sortRows, About: "Sorting a slice of numbers, against the sorts of Go and two halves sorted by goroutines."},
	{Name: "stream", Rows: streamRows, About: "Results of items in their order, from a source of unknown length, against a stream of another library and workers by hand."},
	{Name: "join", Rows: joinRows, About: "Recursions whose halves may run at the same time, against the plain recursion, goroutines by hand and the sort of Go."},
	{Name: "programs", Rows: programs.Rows, About: "Whole programs as users write them, against a careful hand in plain Go and other libraries."},
	{Name: "scheduler", Rows: scheduler.Rows, About: "What a loop costs around its body: empty ones, short ones, from idle, skewed, chained and nested, against goroutines and the pools of other libraries."},
	{Name: "race", Rows: raceRows, About: "Whole loops in builds with the race detector, against goroutines by hand in such builds."},
	{Name: "sizes", Rows: scheduler.SizeRows, About: "The same loop with more and more work, against the plain loop and goroutines by hand; there are no bars."},
	{Name: "scaling", Rows: scalingRows, About: "The same work by one worker, by two, and up to the number of cores, beside as many goroutines by hand; there are no bars."},
}
