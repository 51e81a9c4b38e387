package parallelfor

import (
	"unsafe"

	"example.com/custody/safety"
)

// Generic code is compiled anew in each package that uses it, and with it the methods of all
// generic types that the fields, and the methods' results, of the types it knows lead to. So it
// knows the types of the engine by their faces, which have no such fields or methods.
type (
	jobType  struct{ word uintptr } // of a plan; see typeWord
	admitted struct{ _ byte }       // of a work that is ready to be run
	hidden   = unsafe.Pointer       // to an exec; reflect.DeepEqual compares only the pointers
	seat     struct{ _ byte }       // of a worker
)

func planFor(t *jobType) *plan { return (*plan)(unsafe.Pointer(t)) }

func workOf(a *admitted) *work { return (*work)(unsafe.Pointer(a)) }

func execOf(h Handle) *exec { return (*exec)(h.job) }

// handle returns a handle of the job.
func (j *exec) handle() Handle { return Handle{hidden(j), j.number()} }

// workerOf returns the worker that embeds r. A copy of a Batches is a violation, and so is one that
// no Loop was given.
func workerOf(r *Batches) *worker {
	f := (*worker)(unsafe.Pointer(r.of))
	if f == nil || r != &f.Batches {
		panic(strayBatches())
	}
	return f
}

//go:noinline
func strayBatches() *safety.Violation {
	return safety.NewViolation(safety.ErrCopied, "a Batches was used that is a copy, or that no Loop was given", "Use the pointer that Loop was given.")
}

// seat returns the face of the worker.
func (f *worker) seat() *seat { return (*seat)(unsafe.Pointer(f)) }
