package parallelfor

// Inline makes Schedule execute the job before it returns, on the calling goroutine, in the order of the cells:
// for a debugger, whose stack then shows who scheduled the job, and for jobs so small that to hand them to a
// worker costs more. First it waits for what the job runs [After], working on that. Otherwise nothing changes:
// the containers come back by Complete alone, and that reports how the job failed. Workers mean nothing to it.
//
// A body that ends its goroutine (runtime.Goexit) ends the caller of Schedule, which then has no handle; the job
// is completed on the way. In builds with the race detector cells have goroutines of their own, as ever.
func Inline() Option { return Option{what: optInline} }

// executeNow executes the admitted job before it returns.
func (j *job) executeNow() {
	if !keeps {
		j.launch()
		j.wait()
		return
	}
	life := j.ticket.Life()
	life.Enter()
	for _, a := range j.after {
		if a.Enter() {
			jobOf(a).wait()
			a.Leave()
		}
	}
	if !j.prepare() {
		j.seal()
		tellAll(j.closeBooks(nil))
		life.Leave()
		return
	}
	j.work.seats(1)
	j.admitWorkers(j.workers, 1)
	f := j.work.enter(0, true)
	f.give(0, j.cells)
	through := false
	defer func() {
		if !through { // a body ended this goroutine, another one goes on in its place
			j.idle()
			j.giveBack()
		}
	}()
	j.resume(f)
	through = true
	life.Leave()
}
