package parallelfor

// Inline makes Schedule execute the job before it returns, on the calling goroutine, in the order of the batches:
// for a debugger, whose stack then shows who scheduled the job, and for jobs so small that to hand them to a
// worker costs more. First it waits for what the job runs [After], working on that. Otherwise nothing changes:
// the containers come back by Complete alone, and that reports how the job failed. Workers mean nothing to it.
//
// A body that ends its goroutine (runtime.Goexit), be it the job's or that of one which it runs after, ends the caller of
// Schedule, which then has no handle; the job is completed on the way. In builds with the race detector batches have
// goroutines of their own, as ever.
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
		if through { // otherwise a body ended this goroutine, another one goes on in its place
			return
		}
		if !started { // the body of a job before this one: nobody else knows that it is to be started
			j.launch()
		}
		j.idle()
		j.giveBack()
	}()
	for _, a := range j.after {
		a.wait()
	}
	started = true
	if !j.open() {
		j.seal()
		tellAll(j.conclude(nil))
		through = true
		return
	}
	j.work.seats(1)
	j.admitWorkers(j.workers, 1)
	f := j.work.enter(0, true)
	f.give(0, j.batches)
	j.resume(f)
	through = true
}
