package fuzz

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// toyDriver is a driver that is right, save for the fault that it is given: a goroutine for each
// worker, which takes one batch after the other.
type toyDriver struct{ fault string }

// failure is what became of a batch.
type failed struct {
	cell     int
	panicked any
	goexit   bool
	err      error
}

func (d *toyDriver) run(n, batch, workers int, body func(worker, begin, end int) error) error {
	if n <= 0 {
		return nil
	}
	if batch == 0 {
		batch = (n + 3) / 4
	}
	cells := (n-1)/batch + 1
	if d.fault == "overflows" {
		cells = (n + batch - 1) / batch
	}
	var next atomic.Int64
	var mu sync.Mutex
	var fails []failed
	var done sync.WaitGroup
	for w := range min(workers, cells) {
		if d.fault == "reuses a worker" && w == 1 {
			w = 0
		}
		if d.fault == "numbers workers from 1" {
			w++
		}
		done.Go(func() {
			for {
				c := int(next.Add(1)) - 1
				if c >= cells {
					return
				}
				f := d.cell(n, batch, cells, c, w, body)
				if f.panicked != nil || f.goexit || f.err != nil {
					mu.Lock()
					fails = append(fails, f)
					mu.Unlock()
					next.Store(int64(cells)) // batches below c run, because they were taken before
					return
				}
			}
		})
	}
	if d.fault == "hangs after a failure" {
		done.Wait()
		if len(fails) > 0 {
			select {}
		}
	}
	if d.fault != "returns early" {
		done.Wait()
	}
	mu.Lock()
	defer mu.Unlock()
	return d.end(fails)
}

// end fails as the lowest batch did that failed.
func (d *toyDriver) end(fails []failed) error {
	if len(fails) == 0 {
		return nil
	}
	lowest := slices.MinFunc(fails, func(a, b failed) int { return a.cell - b.cell })
	if d.fault == "reports the highest" {
		lowest = slices.MaxFunc(fails, func(a, b failed) int { return a.cell - b.cell })
	}
	switch {
	case lowest.goexit && d.fault != "swallows Goexit":
		runtime.Goexit()
	case lowest.panicked != nil && d.fault == "hides the value":
		panic("a body panicked")
	case lowest.panicked != nil && d.fault == "wraps":
		panic(fmt.Errorf("in batch %d: %w", lowest.cell, lowest.panicked.(error)))
	case lowest.panicked != nil && d.fault != "swallows panics":
		panic(lowest.panicked)
	}
	if d.fault == "swallows errors" {
		return nil
	}
	return lowest.err
}

// batch runs one batch.
func (d *toyDriver) cell(n, batch, cells, c, w int, body func(worker, begin, end int) error) (f failed) {
	begin := c * batch
	end := n
	if c < cells-1 {
		end = begin + batch
	}
	if d.fault == "one too few" && c == cells-1 && end-begin > 1 {
		end--
	}
	if d.fault == "off the grid" && begin > 0 {
		begin--
	}
	f = failed{cell: c, goexit: true} // which stands when nothing below is reached
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				f = failed{cell: c, panicked: v}
			}
		}()
		if d.fault == "skips" && c == 5 {
			f = failed{cell: c}
			return
		}
		err := body(w, begin, end)
		if d.fault == "runs the last twice" && c == cells-1 && err == nil {
			err = body(w, begin, end)
		}
		f = failed{cell: c, err: err}
	}()
	<-done
	return f
}

func (d *toyDriver) of() LoopOf {
	run := func(n, batch, workers int, body func(worker, begin, end int)) {
		err := d.run(n, batch, workers, func(worker, begin, end int) error { body(worker, begin, end); return nil })
		if err != nil {
			panic(err)
		}
	}
	return LoopOf{For: run, ForErr: d.run, Schedule: func(n, batch, workers int, body func(worker, begin, end int)) func() {
		done := make(chan ending, 1)
		go func() { done <- endingOf(1<<40, func() error { run(n, batch, workers, body); return nil }) }()
		return func() {
			e := <-done
			done <- e
			switch {
			case e.goexit:
				runtime.Goexit()
			case e.panicked != nil:
				panic(e.panicked)
			}
		}
	}}
}

func loopSuiteOf(fault string, opts ...Option) func(h host) {
	return func(h host) { runLoop(h, (&toyDriver{fault}).of(), impatient(opts...)) }
}

func TestParallelForAcceptsWhatIsRight(t *testing.T) {
	passes(t, loopSuiteOf("", LowestFails))
	passes(t, loopSuiteOf("wraps", LowestFails))
	passes(t, loopSuiteOf("reports the highest"))
	passes(t, func(h host) { runLoop(h, LoopOf{For: (&toyDriver{}).of().For}, impatient()) })
}

func TestParallelForCatchesFaults(t *testing.T) {
	elsewhere(t)
	catchesAll(t, func(fault string) func(h host) { return loopSuiteOf(fault, LowestFails) }, []noticed{
		{"runs the last twice", []string{"model", "conservation", "failure"}},
		{"skips", []string{"model", "conservation", "failure"}},
		{"one too few", []string{"model", "conservation", "failure"}},
		{"off the grid", []string{"model", "conservation", "failure"}},
		{"reuses a worker", []string{"model", "conservation", "failure"}},
		{"numbers workers from 1", []string{"model", "conservation", "failure"}},
		{"overflows", []string{"conservation"}},
		{"returns early", []string{"model", "conservation", "failure", "~misuse"}},
		{"swallows panics", []string{"model", "failure"}},
		{"swallows Goexit", []string{"model", "failure"}},
		{"swallows errors", []string{"model", "failure"}},
		{"hides the value", []string{"model", "failure"}},
		{"reports the highest", []string{"model", "failure"}},
	})
}

// TestParallelForGivesUpOnALoopThatHangs: by failing, with its goroutines left behind.
func TestParallelForGivesUpOnALoopThatHangs(t *testing.T) {
	s := impatient()
	s.patience = 50 * 1e6
	l := newLoopSuite(t, (&toyDriver{"hangs after a failure"}).of(), s)
	r := &recorder{TB: t}
	r.run(func() { l.failures(r) })
	if !r.failed {
		t.Fatal("a loop that hangs is not seen")
	}
}

func TestEndings(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		f    func() error
		want string
	}{
		{func() error { return nil }, "returned"},
		{func() error { return boom }, "failed: boom"},
		{func() error { panic([]int{1}) }, "panicked: [1]"},
		{func() error { runtime.Goexit(); return nil }, "ended its goroutine"},
		{func() error { select {} }, "did not end"},
	} {
		if e := endingOf(5e7, c.f); e.String() != c.want || e.well() != (c.want == "returned") {
			t.Errorf("%v, expected %s", e, c.want)
		}
	}
}

// A driver may run the short last batch first, and no other one when that fails.
func TestTheGridOfALoopWhoseLastBatchFailsFirst(t *testing.T) {
	l := newLoop(23, 0, 1)
	l.faults = map[int]int{22: failPanic}
	if e := endingOf(5e9, func() error { return l.body(0, 20, 23) }); e.well() {
		t.Fatal(e)
	}
	if wrong := l.grid(); wrong != "" {
		t.Error(wrong)
	}
	l.cells = append(l.cells, cell{0, 10})
	if wrong := l.grid(); wrong != "" {
		t.Error(wrong)
	}
	l.cells = append(l.cells, cell{11, 20})
	if l.grid() == "" {
		t.Error("a batch that is not on the grid")
	}
}
