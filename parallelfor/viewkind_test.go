package parallelfor_test

import (
	"sync/atomic"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// shelf is a container of a program's own. It is the kind of some of its views.
type shelf struct {
	guard safety.Guard
	items []int
	log   *[]string
}

func newShelf(n int) *shelf {
	s := &shelf{items: make([]int, n)}
	s.guard.Init(s, 0)
	return s
}

func (s *shelf) OpenPhase(*safety.Phase) { s.note("open") }
func (s *shelf) SealPhase(*safety.Phase) { s.note("seal") }
func (s *shelf) ReturnPhase(bool)        { s.note("return") }

func (s *shelf) note(what string) {
	if s.log != nil {
		*s.log = append(*s.log, what+" "+s.guard.Name())
	}
}

func (s *shelf) Of(view any, _ *safety.Hold) safety.Binder { return view.(*shelfView) }

type shelfView struct {
	safety.Hold
	of         *shelf
	ranged     bool
	begin, end int
	first      int
}

// byView is a kind whose binder depends on the view, and copying one whose binder is made anew.
type (
	byView     struct{}
	copying    struct{}
	shelfRange shelfView
	shelfAll   shelfView
	shelfCopy  struct {
		of   *shelf
		view *shelfView
	}
)

func (byView) Of(view any, _ *safety.Hold) safety.Binder {
	if v := view.(*shelfView); !v.ranged {
		return (*shelfAll)(v)
	}
	return (*shelfRange)(view.(*shelfView))
}

func (v *shelfAll) Claim(c *safety.Claim) { c.Unrestricted = true }

func (v *shelfRange) Claim(c *safety.Claim)          { c.Ranged, c.Own, c.Extent = true, true, len(v.of.items) }
func (v *shelfRange) SetRange(begin, end int)        { v.begin, v.end = begin, end }
func (v *shelfRange) Window() (begin, end, long int) { return v.begin, v.end, len(v.of.items) }

func (copying) Of(view any, _ *safety.Hold) safety.Binder {
	v := view.(*shelfView)
	return &shelfCopy{v.of, v}
}

func (c *shelfCopy) Bind(b safety.Binding) {
	c.view.Hold.Bind(b)
	c.view.first = c.of.items[0]
}

// The binder of a view may depend on the view, and on more than its kind: it is that of the view
// that a job carries, and not that of the job before it.
func TestTheBinderOfAViewIsThatOfItsJob(t *testing.T) {
	s := newShelf(8)
	for _, ranged := range []bool{false, true, true, false, true} {
		var widest atomic.Int32
		job := shelfView{Hold: s.guard.Hold(safety.Write, byView{}), of: s, ranged: ranged}
		parallelfor.ForBatch(8, job, func(v *shelfView, begin, end int) {
			if v.end-v.begin == end-begin {
				widest.Store(int32(end - begin))
			}
		}, parallelfor.Batch(2))
		want := int32(0)
		if ranged {
			want = 2
		}
		require.Equal(t, want, widest.Load())
		if ranged && safety.Enabled {
			violation(t, safety.ErrLength, func() { parallelfor.For(9, job, func(*shelfView, int) {}) })
		}
	}
	one, two := newShelf(1), newShelf(1)
	one.items[0], two.items[0] = 1, 2
	for _, of := range []*shelf{one, two, two, one} {
		parallelfor.Do(shelfView{Hold: of.guard.Hold(safety.Read, copying{}), of: of}, func(v *shelfView) {
			if v.first != of.items[0] {
				panic(v.first)
			}
		})
	}
}

// The memory of jobs that have ended does not keep the kinds of their views alive.
func TestAKindIsNotKeptByJobsThatHaveEnded(t *testing.T) {
	lawtest.Collected(t, func() weak.Pointer[shelf] {
		s := newShelf(1)
		parallelfor.For(64, shelfView{Hold: s.guard.Hold(safety.Read, s)}, func(*shelfView, int) {})
		return weak.Make(s)
	}())
}

// Containers hear of a job in the order in which they were made, whatever else holds them.
func TestPhasesComeInTheOrderOfTheContainers(t *testing.T) {
	type job struct{ X, Y, Z shelfView }
	var log []string
	made := func(name string) *shelf {
		s := &shelf{log: &log}
		s.guard.Init(s, 0, safety.Named(name))
		return s
	}
	a, b, third := made("a"), made("b"), newShelf(1)
	view := func(s *shelf, m safety.Mode) shelfView { return shelfView{Hold: s.guard.Hold(m, s)} }
	run := func() []string {
		log = nil
		parallelfor.Do(job{view(b, safety.Write), view(a, safety.Write), view(third, safety.Read)}, func(*job) {})
		return log
	}
	want := []string{"open a", "open b", "seal a", "seal b", "return a", "return b"}
	require.Equal(t, want, run())
	h := parallelfor.ScheduleDo(view(third, safety.Read), func(*shelfView) {})
	require.Equal(t, want, run())
	h.Complete()
}
