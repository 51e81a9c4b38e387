package explore

import (
	"cmp"
	"slices"
	"time"
	"unsafe"

	"example.com/custody/internal/sched"
)

// Conflict is a cache line that two operations touch and one changes: on two processors they wait
// for each other. A and B are where they do so, function, file and line.
type Conflict struct{ A, B string }

// Conflicts returns the conflicts of two operations, which fresh makes with what they share. It
// runs them one after the other, in both orders, as tasks of their own. Operations that commute can
// be made so that there are none (Clements et al., The Scalable Commutativity Rule, SOSP 2013).
func Conflicts(fresh func() (a, b func())) (all []Conflict, err error) {
	for turn := range 2 {
		t := &touches{}
		ended, panicked := apart(func() {
			x := sched.New(false)
			x.Limit = mostSteps
			x.Use(t)
			x.Start()
			defer x.Close()
			defer x.Stop()
			a, b := fresh()
			if turn == 1 {
				a, b = b, a
			}
			x.Go("first", a)
			x.Go("second", b)
			if f := x.Run(false); f != nil {
				err = f
			}
		})
		if panicked != "" || !ended {
			panic(panicked)
		}
		for _, c := range t.shared() {
			if turn == 1 {
				c.A, c.B = c.B, c.A
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(x, y Conflict) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return slices.Compact(all), err
}

// touches runs two tasks, one after the other, and notes which lines they use.
type touches struct {
	ran     bool
	lines   map[uintptr]*[2]touch
	pending [sched.MaxTasks]struct {
		kind sched.Kind
		word unsafe.Pointer
	}
	places places
}

// touch is the use of a line by a task.
type touch struct {
	place         int // where it was used first, or first changed
	used, changed bool
}

// Start implements sched.Strategy.
func (t *touches) Start() bool {
	ran := t.ran
	t.ran, t.lines = true, map[uintptr]*[2]touch{}
	return !ran
}

// Spawned implements sched.Strategy.
func (t *touches) Spawned(int) {}

// Yielded implements sched.Strategy.
func (t *touches) Yielded(int, uint64) {}

// Pick implements sched.Strategy.
func (t *touches) Pick(enabled uint64, cur int) int { return nth(enabled, 0) }

// Arrived implements sched.Timed.
func (t *touches) Arrived(id int, k sched.Kind, p unsafe.Pointer) {
	t.pending[id].kind, t.pending[id].word = k, p
}

// Began implements sched.Timed.
func (t *touches) Began(id int) {
	k, p := t.pending[id].kind, t.pending[id].word
	t.pending[id].word = nil
	if p == nil || id > 1 {
		return
	}
	at := uintptr(p) >> lineBits
	if t.lines[at] == nil {
		t.lines[at] = new([2]touch)
	}
	u := &t.lines[at][id]
	if changes := k != sched.OpLoad; !u.used || changes && !u.changed {
		*u = touch{t.places.here(), true, u.changed || changes}
	}
}

// Woken implements sched.Timed.
func (t *touches) Woken(int, int, sched.Kind) {}

// Spend implements sched.Timed.
func (t *touches) Spend(int, time.Duration) {}

// Now implements sched.Timed.
func (t *touches) Now(int) time.Duration { return 0 }

// shared returns the lines that both tasks used and one changed.
func (t *touches) shared() (all []Conflict) {
	for _, u := range t.lines {
		if u[0].used && u[1].used && (u[0].changed || u[1].changed) {
			all = append(all, Conflict{t.places.names[u[0].place], t.places.names[u[1].place]})
		}
	}
	return all
}
