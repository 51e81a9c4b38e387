package parallelfor

import "unsafe"

// Generic code is compiled anew in each package that uses it, and with it the methods of all
// generic types that the fields, and the methods' results, of the types it knows lead to. So it
// knows the types of the engine by their faces, which have no such fields or methods.
type (
	jobType  struct{ word uintptr } // of a plan; see typeWord
	admitted struct{ _ byte }       // of a work that is ready to be run
	hidden   struct{ _ byte }       // of an exec
	seat     struct{ _ byte }       // of a worker
)

func planFor(t *jobType) *plan { return (*plan)(unsafe.Pointer(t)) }

func workOf(a *admitted) *work { return (*work)(unsafe.Pointer(a)) }

func execOf(h Handle) *exec { return (*exec)(unsafe.Pointer(h.job)) }

// handle returns a handle of the job.
func (j *exec) handle() Handle { return Handle{(*hidden)(unsafe.Pointer(j)), j.number()} }

func workerOf(r *Batches) *worker { return (*worker)(unsafe.Pointer(r.of)) }

// seat returns the face of the worker.
func (f *worker) seat() *seat { return (*seat)(unsafe.Pointer(f)) }
