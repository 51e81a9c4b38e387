package parallelfor

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// Memory that different goroutines write is at least a cache line apart, from the first byte of the
// one to the first of the other, wherever the allocator puts the block.
func TestWhatWorkersWriteSharesNoCacheLine(t *testing.T) {
	const line = uintptr(pad.Line)
	apart := func(before, size, after uintptr, what string) {
		t.Helper()
		require.GreaterOrEqual(t, after, before+size+line, what)
	}
	var p Pool
	apart(unsafe.Offsetof(p.workers), unsafe.Sizeof(p.workers), unsafe.Offsetof(p.mu), "what all read, and the lock")
	apart(unsafe.Offsetof(p.wakeUps), unsafe.Sizeof(p.wakeUps), unsafe.Offsetof(p.queued), "what spinning workers read, and what the lock protects")
	apart(unsafe.Offsetof(p.queued), unsafe.Sizeof(p.queued), unsafe.Offsetof(p.spinners), "what spinning workers read, and what they count")
	apart(unsafe.Offsetof(p.spinners), unsafe.Sizeof(p.spinners), unsafe.Offsetof(p.asleep), "what spinning workers count, and what others do")
	apart(unsafe.Offsetof(p.waiters), 8, unsafe.Sizeof(p), "what worker goroutines count, and what follows the pool")

	var r poolWorker
	apart(0, 0, unsafe.Offsetof(r.mailbox), "a mailbox, and what lies before the worker goroutine")
	apart(unsafe.Offsetof(r.mailbox), unsafe.Sizeof(r.mailbox), unsafe.Offsetof(r.pool), "a mailbox, and what the worker goroutine has")
	apart(unsafe.Offsetof(r.coming), 1, unsafe.Sizeof(r), "what a worker goroutine has, and what follows it")

	runs := make([]batchSpan, 2)
	apart(0, 0, unsafe.Offsetof(runs[0].word), "a run, and what lies before the first")
	apart(uintptr(unsafe.Pointer(&runs[0].word)), 8, uintptr(unsafe.Pointer(&runs[1].word)), "the runs of two workers")

	var j exec
	apart(0, 0, unsafe.Offsetof(j.state), "the state, and what lies before the job")
	apart(unsafe.Offsetof(j.limit), 8, unsafe.Offsetof(j.state), "what workers read, and the state")
	apart(unsafe.Offsetof(j.state), 8, unsafe.Sizeof(j), "the state, and what follows the job")
	if unsafe.Sizeof(uintptr(0)) == 8 && !atom.Explored && !atom.Race {
		require.LessOrEqual(t, int(unsafe.Sizeof(j)), 416, "a job with a handle, which a schedule allocates")
	}

	var wk work
	apart(unsafe.Offsetof(wk.forking), unsafe.Sizeof(wk.forking), unsafe.Offsetof(wk.sample), "what all workers have, and worker 0's")
	apart(unsafe.Offsetof(wk.timed), unsafe.Sizeof(wk.timed), unsafe.Sizeof(wk), "worker 0's, and what follows")

	var w worker
	apart(0, 0, unsafe.Offsetof(w.Batches), "a worker, and what lies before it")
	apart(unsafe.Offsetof(w.clean), 1, unsafe.Sizeof(w), "a worker, and what follows it")
	var e workerObserver
	apart(unsafe.Offsetof(e.pace), unsafe.Sizeof(e.pace), unsafe.Sizeof(e), "the observers of two workers")
}

// The workers' copies of a job's value are at least a cache line apart.
func TestCopiesOfAJobShareNoCacheLine(t *testing.T) {
	if atom.Race {
		t.Skip("memory lies otherwise under the detector")
	}
	wk := newPlan((*[3]byte)(nil), reflect.TypeFor[[3]byte](), operateOn[[3]byte]).newWork()
	var all []unsafe.Pointer
	for range 100 {
		p := wk.newCopy()
		for _, q := range all {
			d := uintptr(p) - uintptr(q)
			if uintptr(q) > uintptr(p) {
				d = uintptr(q) - uintptr(p)
			}
			require.GreaterOrEqual(t, d, uintptr(3+pad.Line))
		}
		all = append(all, p)
	}
}
