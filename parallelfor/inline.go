package parallelfor

// Inline makes Schedule execute the job before it returns, on the calling goroutine, in the order
// of the batches. It is for debuggers, whose stack then shows where the job was scheduled, and for
// jobs so small that handing them to a worker costs more. First it waits for the jobs that the job
// runs [After], and works on them. Otherwise nothing changes: Complete alone returns the containers
// and reports how the job failed. Workers has no effect.
//
// A body that ends its goroutine (runtime.Goexit), whether of the job or of one that it runs after,
// ends the caller of Schedule, which then has no handle; the job is completed first. In builds with
// the race detector batches have goroutines of their own, as in every loop.
func Inline() Option { return Option{what: optInline} }

// executeNow executes the admitted job before it returns.
func (j *exec) executeNow() {
	if !keeps {
		j.launch()
		j.wait()
		return
	}
	started, through := false, false
	defer func() {
		if through { // otherwise a body ended this goroutine, and another one goes on in its place
			return
		}
		if !started { // the body of a job before this one: no other goroutine starts this one
			j.launch()
		}
		j.completeIdly()
	}()
	for _, a := range j.after {
		a.wait()
	}
	started = true
	if j.open() {
		j.work.seats(1)
		j.admitWorkers(1, 1)
		j.executeAll()
	} else {
		j.finish()
	}
	through = true
}
