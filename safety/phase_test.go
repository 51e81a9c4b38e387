package safety_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// diary is where containers of these tests note what they were told.
type diary struct {
	mu      sync.Mutex
	entries []string
}

func (d *diary) note(format string, a ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entries = append(d.entries, fmt.Sprintf(format, a...))
}

// phased is a container that wants to know its phases and its return.
type phased struct {
	guard     safety.Guard
	diary     *diary
	onOpen    func(p *safety.Phase)
	onSeal    func(p *safety.Phase)
	onReturn  func()
	plainWord int // written by ReturnPhase
}

func newPhased(d *diary, name string) *phased {
	p := &phased{diary: d}
	p.guard.Init(p, 0, safety.Named(name))
	return p
}

func (c *phased) name() string { return c.guard.Container()[len("safety_test.phased "):] }

func (c *phased) OpenPhase(p *safety.Phase) {
	c.diary.note("open %s %v", c.name(), p.Mode)
	p.State = "state of " + c.name()
	if c.onOpen != nil {
		c.onOpen(p)
	}
}

func (c *phased) SealPhase(p *safety.Phase) {
	c.diary.note("seal %s kept %d", c.name(), p.Kept)
	if c.onSeal != nil {
		c.onSeal(p)
	}
}

func (c *phased) ReturnPhase(ok bool) {
	c.diary.note("return %s %v", c.name(), ok)
	c.plainWord++
	if c.onReturn != nil {
		c.onReturn()
	}
}

func (c *phased) claim(m safety.Mode) safety.Claim { return safety.Claim{Guard: &c.guard, Mode: m} }

func (c *phased) view(m safety.Mode) phasedView { return phasedView{Hold: c.guard.Hold(m, nil), of: c} }

type phasedView struct {
	safety.Hold
	of    *phased
	state any
}

func (v *phasedView) Bind(b safety.Binding) {
	v.Hold.Bind(b)
	v.state = b.State()
}

func TestPhaseIsOpenedAndSealedOncePerContainer(t *testing.T) {
	d := new(diary)
	a, b := newPhased(d, "a"), newPhased(d, "b")
	into := new(int)
	var got safety.Phase
	b.onOpen = func(p *safety.Phase) { got = *p }
	c := b.claim(safety.Append)
	c.Into = into
	k := opened(t, "J", nil, c, a.claim(safety.Read), newStack(1).claim(safety.Write, "S"), a.claim(safety.Read), c)
	k.Start(safety.Phase{Workers: 2, N: 30, Batches: 3, BatchSize: 10})
	assert.Equal(t, []string{`open "a" Read`, `open "b" Append`}, d.entries)
	assert.Equal(t, []any{safety.Append, 2, 30, 3, 10, false, into, 0},
		[]any{got.Mode, got.Workers, got.N, got.Batches, got.BatchSize, got.Lent, got.Into, got.Kept})
	calls := 0
	b.onSeal = func(p *safety.Phase) {
		assert.Equal(t, `state of "b"`, p.State)
		p.Parallel(5, func(i int) { calls += i })
	}
	k.Seal(2, false, inline)
	assert.Equal(t, 10, calls)
	k.Seal(2, false, inline)
	k.Return()
	k.Return()
	assert.Equal(t, []string{`open "a" Read`, `open "b" Append`, `seal "a" kept 2`, `seal "b" kept 2`, `return "b" true`}, d.entries)
}

func TestPhasesLieAroundTheBatchesAndBeforeDependents(t *testing.T) {
	d := new(diary)
	c := newPhased(d, "c")
	batches := func(name string, m safety.Mode, opts ...parallelfor.Option) parallelfor.Handle {
		return parallelfor.ScheduleDo(noteJob{View: c.view(m), Diary: d, Name: name}, (*noteJob).Execute, opts...)
	}
	first := batches("first", safety.Append)
	second := batches("second", safety.Read, parallelfor.After(first))
	third := batches("third", safety.Append, parallelfor.After(second))
	third.Complete()
	assert.Equal(t, []string{
		`open "c" Append`, `batch first state of "c"`, `seal "c" kept 1`,
		`open "c" Read`, `batch second state of "c"`, `seal "c" kept 1`,
		`open "c" Append`, `batch third state of "c"`, `seal "c" kept 1`,
		`return "c" true`,
	}, d.entries)
}

type noteJob struct {
	View  phasedView
	Diary *diary `custody:"unguarded"`
	Name  string
}

func (j *noteJob) Execute() { j.Diary.note("batch %s %s", j.Name, j.View.state) }

func TestKeptSaysHowManyBatchesCount(t *testing.T) {
	for _, c := range []struct {
		failing int
		want    []string
	}{
		{-1, []string{`open "c" Append`, `seal "c" kept 4`, `return "c" true`}},
		{2, []string{`open "c" Append`, `seal "c" kept 3`, `return "c" false`}},
		{0, []string{`open "c" Append`, `seal "c" kept 1`, `return "c" false`}},
	} {
		d := new(diary)
		v := newPhased(d, "c").view(safety.Append)
		_ = lawtest.Failure(func() error {
			parallelfor.For(4, v, func(_ *phasedView, i int) {
				if i == c.failing {
					panic("stop")
				}
			}, parallelfor.Batch(1))
			return nil
		})
		assert.Equal(t, c.want, d.entries)
	}
}

func TestContainerThatPanicsWhenAPhaseBeginsFailsTheJob(t *testing.T) {
	d := new(diary)
	a, b, c := newPhased(d, "a"), newPhased(d, "b"), newPhased(d, "c")
	b.onOpen = func(*safety.Phase) { panic(errors.New("no room")) }
	err := lawtest.Failure(func() error {
		parallelfor.Do([3]phasedView{a.view(safety.Append), b.view(safety.Append), c.view(safety.Append)}, func(*[3]phasedView) {
			d.note("batch")
		})
		return nil
	})
	require.ErrorContains(t, err, "no room")
	assert.Equal(t, `[open "a" Append open "b" Append seal "a" kept `, fmt.Sprint(d.entries)[:len(`[open "a" Append open "b" Append seal "a" kept `)])
	assert.Equal(t, []string{`return "a" false`, `return "b" false`, `return "c" false`}, d.entries[len(d.entries)-3:])
	assert.NotContains(t, d.entries, "batch")
	for _, p := range []*phased{a, b, c} {
		require.NotPanics(t, p.guard.CheckWrite)
	}
}

func TestContainerThatPanicsWhenAPhaseEndsFailsTheJobAndTheOthersAreSealed(t *testing.T) {
	d := new(diary)
	a, b, c := newPhased(d, "a"), newPhased(d, "b"), newPhased(d, "c")
	b.onSeal = func(*safety.Phase) { panic(errors.New("no room")) }
	err := lawtest.Failure(func() error {
		parallelfor.Do([3]phasedView{a.view(safety.Append), b.view(safety.Append), c.view(safety.Append)}, func(*[3]phasedView) {})
		return nil
	})
	require.ErrorContains(t, err, "no room")
	assert.Equal(t, []string{`seal "a" kept 1`, `seal "b" kept 1`, `seal "c" kept 0`, `return "a" false`, `return "b" false`, `return "c" false`}, d.entries[3:])
}

// The container comes back once, when no job that writes it is left, and hears how the last one
// ended.
func TestContainerHearsOfItsReturnOnce(t *testing.T) {
	d := new(diary)
	c := newPhased(d, "c")
	ended := func(k *safety.Ticket, failed bool) {
		k.Start(safety.Phase{})
		k.Seal(0, failed, inline)
	}
	d.entries = nil
	first := opened(t, "first", nil, c.claim(safety.Write))
	second := opened(t, "second", after(first), c.claim(safety.Append))
	reader := opened(t, "reader", after(second), c.claim(safety.Read))
	ended(first, false)
	ended(second, true)
	ended(reader, false)
	d.entries = nil
	first.Return()
	assert.Empty(t, d.entries, "the second job still writes it")
	second.Return()
	assert.Equal(t, []string{`return "c" false`}, d.entries)
	reader.Return()
	assert.Equal(t, []string{`return "c" false`}, d.entries, "reading changes nothing")
}

// Completing the last of a chain returns the whole chain: what every build makes of it is the same.
func TestReturnOfAChainIsHeardOnce(t *testing.T) {
	d := new(diary)
	c := newPhased(d, "c")
	first := finished(opened(t, "first", nil, c.claim(safety.Write)))
	second := finished(opened(t, "second", after(first), c.claim(safety.Write)))
	d.entries = nil
	first.Return()
	second.Return()
	assert.Equal(t, []string{`return "c" true`}, d.entries)
}

func TestReturnOfALateJobIsHeardByContainersOfEarlierOnes(t *testing.T) {
	d := new(diary)
	c := newPhased(d, "c")
	first := finished(opened(t, "first", nil, c.claim(safety.Write)))
	second := finished(opened(t, "second", after(first)))
	d.entries = nil
	second.Return()
	assert.Equal(t, []string{`return "c" true`}, d.entries)
	assert.True(t, first.Returned())
}

// A container that panics when it comes back has come back, and so have the other containers of the
// job.
func TestContainerThatPanicsWhenItReturnsHoldsUpNothing(t *testing.T) {
	lawtest.CheckedOnly(t)
	d := new(diary)
	a, b := newPhased(d, "a"), newPhased(d, "b")
	a.onReturn = func() { panic("no") }
	k := finished(opened(t, "J", nil, a.claim(safety.Write), b.claim(safety.Write)))
	d.entries = nil
	require.Panics(t, k.Return)
	require.True(t, k.Returned())
	require.NotPanics(t, a.guard.CheckWrite)
	require.NotPanics(t, b.guard.CheckWrite)
	k.Return()
	assert.Equal(t, []string{`return "a" true`, `return "b" true`}, d.entries)
}

// What a container did when it came back happens before whatever follows each Return that gives it
// back, also when another goroutine was the one that called the container. With -race the detector
// knows it.
func TestReturnPhaseHappensBeforeWhatFollowsAnyReturn(t *testing.T) {
	lawtest.CheckedOnly(t)
	d := new(diary)
	c := newPhased(d, "c")
	first := finished(opened(t, "first", nil, c.claim(safety.Write)))
	second := finished(opened(t, "second", after(first)))
	go first.Return()
	lawtest.Until(t, "the first to be returned", first.Returned)
	second.Return()
	require.Equal(t, 1, c.plainWord)
}

// A view that was never assigned does not matter in the unchecked build: the job starts.
func TestUncheckedBuildStartsAJobWithUnassignedViews(t *testing.T) {
	lawtest.UncheckedOnly(t)
	d := new(diary)
	c := newPhased(d, "c")
	k := opened(t, "J", nil, safety.Claim{}, c.claim(safety.Read), safety.Claim{})
	require.NotPanics(t, func() { completed(k) })
	assert.Equal(t, []string{`open "c" Read`, `seal "c" kept 1`}, d.entries)
}

// lined is a container that writes down when it came back.
type lined struct {
	guard safety.Guard
	name  int
	log   *[]int
}

func (l *lined) ReturnPhase(bool) { *l.log = append(*l.log, l.name) }

// What a job ran after comes back before what it held itself, through chains of any length.
func TestContainersComeBackInTheOrderOfTheirJobs(t *testing.T) {
	lawtest.CheckedOnly(t)
	for n := range 9 {
		var log, want []int
		var last []*safety.Ticket
		for i := range n + 1 {
			l := &lined{name: i, log: &log}
			l.guard.Init(l, 0)
			last = after(finished(opened(t, "J", last, safety.Claim{Guard: &l.guard, Mode: safety.Write})))
			want = append(want, i)
		}
		last[0].Return()
		require.Equal(t, want, log)
	}
}

// crate is a container that is made of others, and uses them when it is told of a phase.
type crate struct {
	guard  safety.Guard
	phases *array.Value[int]
}

func (c *crate) OpenPhase(*safety.Phase) { c.phases.Store(c.phases.Load() + 1) }
func (c *crate) SealPhase(*safety.Phase) { c.phases.Store(c.phases.Load() + 1) }

func (c *crate) view() plainView { return plainView{c.guard.Hold(safety.Read, nil)} }

// What a container does of its own is not what the body does that waits for the job.
func TestContainersMayBeMadeOfOthers(t *testing.T) {
	c := &crate{phases: array.NewValue(0)}
	c.guard.Init(c, 0)
	parallelfor.For(1, c.view(), func(v *plainView, _ int) {
		parallelfor.For(4, *v, func(*plainView, int) {})
	})
	require.Equal(t, 4, c.phases.Load())
}

// byValue is a container's owner that is no pointer.
type byValue struct{ d *diary }

func (b byValue) OpenPhase(*safety.Phase) { b.d.note("opens") }
func (b byValue) SealPhase(*safety.Phase) { b.d.note("seals") }

func TestAnOwnerThatIsNoPointerIsTold(t *testing.T) {
	d := new(diary)
	var g safety.Guard
	g.Init(byValue{d}, 1)
	k := opened(t, "J", nil, safety.Claim{Guard: &g, Mode: safety.Append})
	k.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	k.Seal(1, true, inline)
	k.Return()
	require.Equal(t, []string{"opens", "seals"}, d.entries)
}
