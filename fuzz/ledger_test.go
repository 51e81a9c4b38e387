package fuzz_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

const (
	cells   = 4  // elements of an array, and indices of a loop
	maxJobs = 16 // jobs of one program
)

// ledger runs a program of FuzzLedger.
type ledger struct {
	*program
	held   [3]*held
	every  []*held
	jobs   []*ledgerJob
	gate   chan struct{} // bodies wait for it until the first Complete; nil when they do not
	settle bool          // jobs finish before the next command
}

// schedule is a command: a job of up to one claim for each container, and perhaps one twice.
func (l *ledger) schedule() {
	modes, shape, twice := l.Next(), l.Next(), l.Next()
	j := &ledgerJob{number: len(l.jobs) + 1, seen: new([cells]int64)}
	j.name = fmt.Sprintf("j%d", j.number)
	for _, h := range l.held {
		all := h.modes()
		if k := modes % (len(all) + 1); k > 0 {
			j.claims = append(j.claims, claim{h, all[k-1]})
		}
		modes /= len(all) + 1
	}
	if twice%8 == 7 {
		h := l.held[twice/8%3]
		j.claims = append(j.claims, claim{h, h.modes()[twice/24%len(h.modes())]})
	}
	loop, run := shape&1 != 0, shape>>1&3 == 3
	j.fails = shape>>3&7 == 7
	options := []parallelfor.Option{parallelfor.Name(j.name), parallelfor.Batch(1 + shape>>6&1)}
	for range shape >> 6 & 3 {
		if k := l.Below(maxJobs); k < len(l.jobs) {
			j.after = append(j.after, l.jobs[k])
			options = append(options, parallelfor.After(l.jobs[k].handle))
		}
	}
	l.logf("%s: claims %s loop %v run %v fails %v", j.name, texts(j), loop, run, j.fails)

	broken, others := l.broken(j.claims, j.after, loop)
	if len(broken) > 0 && !safety.Enabled {
		return
	}
	views := ledgerViews{ID: int64(j.number), FailAt: -1, Seen: j.seen}
	if l.gate != nil {
		views.Gate = l.gate
	}
	for _, c := range j.claims {
		views.add(c)
	}
	last := 0
	if loop {
		last = cells - 1
	}
	if j.fails {
		views.FailAt = last
	}
	if run {
		l.release()
		views.Gate = nil
	}
	o := attempt(func() {
		switch {
		case run && loop:
			parallelfor.For(cells, ledgerLoop{views}, (*ledgerLoop).Execute, options...)
		case run:
			parallelfor.Do(ledgerSingle{views}, (*ledgerSingle).Execute, options...)
		case loop:
			j.handle = parallelfor.Schedule(cells, ledgerLoop{views}, (*ledgerLoop).Execute, options...)
		default:
			j.handle = parallelfor.ScheduleDo(ledgerSingle{views}, (*ledgerSingle).Execute, options...)
		}
	})
	if len(broken) > 0 || o.violation != nil {
		l.judge("schedule", o, broken)
		if v := o.violation; v.Job != j.name || v.Kind == safety.ErrConflict && !named(others, v.OtherJob) {
			l.fatalf("the report names the wrong jobs:\n%v", v)
		}
		return
	}
	l.accept(j, last)
	if run {
		l.ended(j, o)
		l.returned(j)
		return // no handle of it is left
	}
	l.jobs = append(l.jobs, j)
	if l.settle {
		for !j.handle.Finished() {
			runtime.Gosched()
		}
	}
}

func texts(j *ledgerJob) (s string) {
	for _, c := range j.claims {
		s += fmt.Sprint(c.mode, " ", c.on.name, ", ")
	}
	s += "after"
	for _, a := range j.after {
		s += " " + a.name
	}
	return s
}

// accept executes the job, as it comes in the sequential order.
func (l *ledger) accept(j *ledgerJob, last int) {
	for _, a := range j.after {
		if a.root != nil {
			j.root = a.root
			return
		}
	}
	for i := 0; i <= last; i++ {
		if j.fails && i == last {
			j.root = j
			return
		}
		j.execute(i, last == 0)
	}
}

// combine is a command: a job that holds nothing.
func (l *ledger) combine() {
	j := &ledgerJob{number: len(l.jobs) + 1, name: "Combine", seen: new([cells]int64)}
	var handles []parallelfor.Handle
	for range 1 + l.Below(3) {
		if k := l.Below(maxJobs); k < len(l.jobs) {
			j.after = append(j.after, l.jobs[k])
			handles = append(handles, l.jobs[k].handle)
		} else {
			handles = append(handles, parallelfor.Handle{})
		}
	}
	l.logf("j%d: Combine, %s", j.number, texts(j))
	j.handle = parallelfor.Combine(handles...)
	l.accept(j, -1)
	l.jobs = append(l.jobs, j)
}

// release opens the gate.
func (l *ledger) release() {
	if l.gate != nil {
		close(l.gate)
		l.gate = nil
	}
}

// complete is a command: some goroutines complete one job.
func (l *ledger) complete(j *ledgerJob, goroutines int) {
	l.logf("complete %s on %d goroutines", j.name, goroutines)
	l.release()
	outcomes := make([]outcome, goroutines)
	if goroutines == 1 {
		outcomes[0] = attempt(j.handle.Complete)
	} else {
		var wg sync.WaitGroup
		for k := range outcomes {
			wg.Go(func() { outcomes[k] = attempt(j.handle.Complete) })
		}
		wg.Wait()
	}
	for _, o := range outcomes {
		l.ended(j, o)
	}
	if !j.handle.Finished() {
		l.fatalf("%s was completed and has not finished", j.name)
	}
	l.returned(j)
}

// ended compares how a completed job ended with what the model says.
func (l *ledger) ended(j *ledgerJob, o outcome) {
	if o.violation != nil || o.err != nil || o.goexit || (o.panicked != nil) != (j.root != nil) {
		l.fatalf("%s ended with %v", j.name, o)
	}
	if j.root != nil && (o.panicked.Value != boom(j.root.number) || o.panicked.Job != j.root.name) {
		l.fatalf("%s failed with %v, expected the panic of %s", j.name, o, j.root.name)
	}
	if *j.seen != j.want {
		l.fatalf("%s saw %v, expected %v", j.name, *j.seen, j.want)
	}
}

// returned notes that the owner has what the job and all before it held.
func (l *ledger) returned(j *ledgerJob) {
	j.returned = true
	for a := range chain(j.after) {
		a.returned = true
	}
}

// finish completes what is left, from the last or from the first, and looks at all values.
func (l *ledger) finish(backwards bool) {
	jobs := slices.Clone(l.jobs)
	if backwards {
		slices.Reverse(jobs)
	}
	for _, j := range jobs {
		l.complete(j, 1)
	}
	for _, h := range l.every {
		if h.vessel != nil && h.vessel.broken.Load() != 0 {
			l.fatalf("phases of %s that exclude each other were open together", h.name)
		}
		if h.disposed {
			continue
		}
		for k, want := range h.current() {
			var got int64
			if h.array != nil {
				got = int64(h.array.At(k))
			} else {
				got = h.own(ownerRead)
			}
			if got != want {
				l.fatalf("%s[%d] is %d at the end, expected %d", h.name, k, got, want)
			}
		}
	}
}

func (l *ledger) replace(slot int) {
	l.held[slot] = newHeld(slot, len(l.every))
	l.every = append(l.every, l.held[slot])
}

func runLedger(t *testing.T, input []byte) {
	l := &ledger{program: newProgram(t, input)}
	for slot := range l.held {
		l.replace(slot)
	}
	how := l.Next()
	switch how % 4 {
	case 1:
		l.gate = make(chan struct{})
	case 2:
		l.settle = true
	}
	defer l.release()
	for l.More() {
		switch op := l.Below(12); {
		case op < 5 && len(l.jobs) < maxJobs:
			l.schedule()
		case op == 5 && len(l.jobs) < maxJobs:
			l.combine()
		case op <= 7 && len(l.jobs) > 0:
			l.complete(l.jobs[l.Below(len(l.jobs))], max(1, op-5))
		case op == 8:
			l.own(l.Below(3), ownerRead)
		case op == 9:
			l.own(l.Below(3), ownerWrite)
		case op == 10:
			l.own(l.Below(3), ownerAdd+l.Below(2))
		default:
			slot := l.Below(3)
			if l.held[slot].disposed && l.Bit() {
				l.replace(slot)
			} else {
				l.own(slot, ownerDispose)
			}
		}
	}
	l.finish(how&4 != 0)
}

func FuzzLedger(f *testing.F) {
	// Operands of a schedule: modes (array + 3 count + 9 vessel), shape (loop, run 6, fails 56, 64
	// for each After), twice; then the numbers of the jobs it runs after.
	const arrayR, arrayW, countR, countA, vesselR, vesselW, vesselA, vesselS = 1, 2, 3, 6, 9, 18, 27, 36
	for _, how := range []byte{0, 1, 2, 4} {
		// Two readers together, a writer that does not come after the second one, and one that
		// does.
		f.Add([]byte{how, 0, arrayR, 0, 0, 0, arrayR, 1, 0, 0, arrayW, 64, 0, 0, 0, arrayW, 128, 0, 0, 1, 8, 0, 6, 2, 8, 0})
		// Custody comes back by the Complete of the last job of a chain, not before.
		f.Add([]byte{how, 0, arrayW, 0, 0, 0, arrayR, 65, 0, 0, 0, arrayW, 64, 0, 1, 8, 0, 6, 1, 8, 0, 9, 0, 6, 2, 8, 0, 11, 0})
		// All modes of one container, each beside each.
		for _, m := range []byte{vesselR, vesselW, vesselA, vesselS} {
			f.Add([]byte{how, 0, m, 0, 0, 0, vesselR, 0, 0, 0, vesselW, 0, 0, 0, vesselA, 0, 0, 0, vesselS, 0, 0,
				8, 2, 9, 2, 10, 2, 0, 10, 2, 1, 11, 2, 7, 0, 8, 2, 11, 2})
		}
		// A failed job is passed on to those after it, and through Combine; others run.
		f.Add([]byte{how, 0, arrayW, 56, 0, 0, arrayW + countA, 65, 0, 0, 5, 1, 0, 1, 0, countA, 1, 0, 6, 2, 6, 1, 8, 0, 8, 1})
		// A diamond, completed at its end by two goroutines.
		f.Add([]byte{how, 0, arrayW + vesselW, 0, 0, 0, arrayR, 64, 0, 0, 0, vesselR, 64, 0, 0, 0, arrayW + vesselW, 128, 0, 1, 2, 7, 3, 8, 0, 8, 1})
		// One container twice: reading is right, also appending, everything else is not.
		f.Add([]byte{how, 0, arrayR, 0, 7, 0, arrayW, 0, 7, 0, countA, 1, 7 + 8 + 24, 0, vesselS, 0, 7 + 16 + 72, 0, vesselW, 0, 7 + 16 + 24, 6, 0})
		// Writers without a range in a loop; a disposed container; its successor.
		f.Add([]byte{how, 0, vesselW, 1, 0, 0, vesselW, 65, 0, 11, 0, 0, arrayR, 0, 0, 11, 0, 0, 11, 0, 1, 0, arrayW, 7, 0, 8, 0})
		// Ordinary adding beside appending, with what was completed by Run in between.
		f.Add([]byte{how, 0, countA, 1, 0, 10, 1, 0, 0, countR, 64 + 6, 0, 0, 8, 1, 0, countR + arrayW, 7, 0, 10, 1, 0, 8, 1})
	}
	f.Fuzz(runLedger)
}
