package parallelfor

import "math/rand/v2"

// Worker is a field of a job, or of a views struct, that the driver fills in: it tells which worker
// runs this copy of the job, and how long the result is needed ([Worker.Context]). It works only
// inside the job and must not be used after it: its memory is used again, so it may then tell of
// another job, and return another job's context. The zero Worker, outside jobs, is worker 0 of 1.
type Worker struct{ state *workerState }

// workerState is what a copy of a job knows about its worker. It stays with the copy's memory from job
// to job.
type workerState struct {
	index, workers int
	source         *rand.PCG
	random         *rand.Rand
	scratch        []any    // a *scratch[T] for each element type asked for
	batches        *Batches // of which it is a part
}

// Index returns the worker's index: below Workers, and different for all that run the job at the same
// time. Which batches a worker runs differs from run to run: results that depend on Index are not
// serially equivalent.
func (w Worker) Index() int {
	if w.state == nil {
		return 0
	}
	return w.state.index
}

// Workers returns how many workers may run the job.
func (w Worker) Workers() int {
	if w.state == nil {
		return 1
	}
	return w.state.workers
}

// Rand returns a random generator that is started from seed and i: with the loop's index for i every
// index draws the same numbers whoever runs it. It is good until the next call.
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
