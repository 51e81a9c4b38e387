package grep

import (
	"example.com/custody/array"
	"example.com/custody/examples/codeindex/internal/files"
	"example.com/custody/queue"
)

// job searches the files of a batch. Its fields say all that it does: it reads the list of files, and puts
// what it finds into a queue, which then has it in file and line order.
type job struct {
	Entries  array.Reader[files.Entry]
	Findings queue.ParallelWriter[Finding]

	Query Query `custody:"unguarded"` // file systems and patterns may be used by any number of goroutines
}

// Execute searches one file. A file that cannot be read is a finding like any other, not a failure of the
// loop, so the error is always nil: what ends the loop early is its context.
func (j *job) Execute(i int) error {
	searchEntry(j.Query, j.Entries.At(i), j.Findings.Enqueue)
	return nil
}
