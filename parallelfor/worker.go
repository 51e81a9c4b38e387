package parallelfor

import "math/rand/v2"

// Worker is a field of a job, or of a views struct, that the driver fills in. It tells which worker
// runs this copy of the job, and how long the result is needed ([Worker.Context]). It must not be
// used after the job: its memory is used again, so it may then have the index or context of another
// job. The zero Worker, outside jobs, is worker 0 of 1.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Index, Workers  own worker  wait-free  O(1)         never
//	Context         own worker  lock       O(contexts)  some, once a batch
//	Rand            own worker  wait-free  O(1)         one a worker
type Worker struct{ state *workerState }

// workerState is the state of a worker that its copy of a job can reach. It stays with the copy's
// memory from job to job.
type workerState struct {
	index, workers int
	source         *rand.PCG
	random         *rand.Rand
	scratch        []any    // a *scratch[T] for each element type asked for
	batches        *Batches // the Batches that contains this state
}

// Index returns the worker's index: below Workers, and different for all workers that run the job
// at the same time. A worker runs other batches at each execution, so results that depend on Index
// are not serially equivalent.
func (w Worker) Index() int {
	if w.state == nil {
		return 0
	}
	return w.state.index
}

// Workers returns the number of workers that may run the job.
func (w Worker) Workers() int {
	if w.state == nil {
		return 1
	}
	return w.state.workers
}

// Rand returns a random generator that starts from seed and i. With the loop's index for i, every
// index draws the same numbers whichever worker runs it. The generator is valid until the next
// call.
func (w Worker) Rand(seed uint64, i int) *rand.Rand {
	s := w.state
	if s == nil {
		return rand.New(rand.NewPCG(seed, uint64(i)))
	}
	if s.random == nil {
		s.source = new(rand.PCG)
		s.random = rand.New(s.source)
	}
	s.source.Seed(seed, uint64(i))
	return s.random
}
