package safety_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// tracking has leaks tracked for a test.
func tracking(t *testing.T, m safety.LeakMode) {
	lawtest.CheckedOnly(t)
	before := safety.SetLeakMode(m)
	t.Cleanup(func() { safety.SetLeakMode(before) })
}

// undisposed returns the leaks of containers with names that hold the text.
func undisposed(name string) (all []safety.Leak) {
	for _, l := range safety.Leaks() {
		if strings.Contains(l.Container, name) {
			all = append(all, l)
		}
	}
	return all
}

func TestContainersAreLeaksOnlyWhereThatIsAskedFor(t *testing.T) {
	lawtest.CheckedOnly(t)
	a := array.New[int](1, safety.Named("untracked"))
	tracking(t, safety.LeaksOn)
	require.Empty(t, undisposed("untracked"))
	b := array.New[int](1, safety.Named("tracked"))
	l := undisposed("tracked")
	require.Len(t, l, 1)
	require.Equal(t, `array.Array[int] "tracked"`, l[0].Container)
	require.Regexp(t, `^track_test\.go:\d+$`, l[0].Made)
	require.Empty(t, l[0].Stack)
	require.Contains(t, l[0].String(), `leaked container: array.Array[int] "tracked", made at track_test.go:`)
	b.Dispose()
	require.Empty(t, undisposed("tracked"))
	a.Dispose()
	require.Equal(t, safety.LeaksOn, safety.SetLeakMode(safety.LeaksOff))
	c := array.New[int](1, safety.Named("tracked"))
	require.Empty(t, undisposed("tracked"))
	c.Dispose()
	for _, m := range []safety.LeakMode{-1, 3} {
		v := lawtest.Violation(t, func() error { safety.SetLeakMode(m); return nil })
		require.ErrorIs(t, v, safety.ErrArgument)
		require.Equal(t, int(m), v.N)
	}
}

// However a container ends, it is no leak any more; each half of a Double is one, and parts are
// none.
func TestWhatEndsIsNoLeak(t *testing.T) {
	tracking(t, safety.LeaksOn)
	d := array.NewDouble[int](1, safety.Named("ending"))
	require.Len(t, undisposed("ending"), 2)
	d.Dispose()
	require.Empty(t, undisposed("ending"))

	a := array.New[int](4, safety.Named("ending"))
	p := a.Split(2)
	require.Len(t, undisposed("ending"), 1)
	p.Join()
	h := parallelfor.Go(a.Reader(), func(*array.Reader[int]) {})
	a.DisposeAfter(h)
	require.Empty(t, undisposed("ending"))
	d = array.NewDouble[int](1, safety.Named("ending"))
	d.Front().DisposeAfter(h)
	d.Back().DisposeAfter(h)
	h.Complete()
	c := counter.New(safety.Named("ending"))
	require.Len(t, undisposed("ending"), 1)
	c.DisposeAfter(h)
	require.Empty(t, undisposed("ending"))
}

func TestStacksSayWhereALeakCameFrom(t *testing.T) {
	tracking(t, safety.LeaksWithStacks)
	a := array.New[int](1, safety.Named("stacked"))
	h := parallelfor.Go(a.Reader(), func(*array.Reader[int]) {}, parallelfor.Name("stacked"))
	for _, l := range append(undisposed("stacked"), leaked("stacked")...) {
		first, _, _ := strings.Cut(l.Stack, "\n")
		require.Equal(t, "example.com/custody/safety_test.TestStacksSayWhereALeakCameFrom", first)
		require.Contains(t, l.Stack, "testing.tRunner")
		require.Contains(t, l.String(), l.Stack)
	}
	h.Complete()
	a.Dispose()
}

// lose makes containers and handles that no variable keeps, and waits until that is noticed.
func lose(t *testing.T, name string, n int, noticed func() bool) {
	for range n {
		array.New[int](1, safety.Named(name))
	}
	func() { parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.Name(name)) }()
	lawtest.Happens(t, "it is noticed", noticed)
}

func TestWhatIsLostIsToldTheHook(t *testing.T) {
	tracking(t, safety.LeaksOn)
	leaks := make(chan safety.Leak, 1000)
	safety.OnLeak(func(l safety.Leak) { leaks <- l })
	defer func() { safety.OnLeak(nil) }()
	seen := map[string]int{}
	lose(t, "lost", 3, func() bool {
		for len(leaks) > 0 {
			l := <-leaks
			seen[l.Container+l.Job]++
		}
		return seen[`array.Array[int] "lost"`] == 3 && seen["lost"] == 1
	})
	require.Empty(t, undisposed("lost"))
}

func TestWhatIsLostIsLoggedOnceForEachPlaceAndDoubling(t *testing.T) {
	tracking(t, safety.LeaksOn)
	var text syncBuffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, nil)))
	defer slog.SetDefault(before)
	name := "lost at " + time.Now().String() // what this test has lost before was counted
	lose(t, name, 7, func() bool {
		return strings.Contains(text.String(), "job "+name) && strings.Contains(text.String(), "count=4")
	})
	lines := 0
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "leaked container") && strings.Contains(line, name) {
			lines++
		}
	}
	require.Equal(t, 3, lines, "1, 2 and 4 of 7:\n%s", text.String())
}

// Each half of a Double is a container of its own.
func TestDumpShowsWhoHoldsADouble(t *testing.T) {
	tracking(t, safety.LeaksOn)
	d := array.NewDouble[int](4, safety.Named("two"))
	for range 2 { // whichever half is the back
		var b bytes.Buffer
		writes := parallelfor.Go(d.Back().Writer(), func(*array.Writer[int]) {}, parallelfor.Name("writes"), parallelfor.Inline())
		reads := parallelfor.Go(d.Front().Reader(), func(*array.Reader[int]) {}, parallelfor.Name("reads"), parallelfor.Inline())
		require.NoError(t, safety.Dump(&b))
		reads.Complete()
		writes.Complete()
		d.Swap()
		require.Equal(t, 2, strings.Count(b.String(), `array.Array[int] "two", made at track_test.go:`))
		require.Contains(t, b.String(), ", writes it and has finished\n")
		require.Contains(t, b.String(), ", reads it and has finished\n")
		require.NotContains(t, b.String(), "its owner's")
	}
	d.Dispose()
}

// A program that is looked at while jobs of every state hold its containers.
func TestDumpShowsWhoHoldsWhatAndWhoWaitsForWhom(t *testing.T) {
	tracking(t, safety.LeaksOn)
	var b bytes.Buffer
	a := array.New[int](4, safety.Named("dumped"))
	free := array.New[int](4, safety.Named("dumped too"))
	split := array.New[int](4, safety.Named("dumped in parts"))
	parts := split.Split(2)
	started, end := make(chan int), make(chan int)
	first := parallelfor.Go(a.Writer(), func(*array.Writer[int]) { started <- 1; <-end }, parallelfor.Name("first"))
	<-started
	second := parallelfor.Go(a.Reader(), func(*array.Reader[int]) {}, parallelfor.Name("second"), parallelfor.After(first))
	third := parallelfor.Go(parts.Part(1).Writer(), func(*array.Writer[int]) {}, parallelfor.Name("third"))
	for !third.Finished() {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, safety.Dump(&b))
	close(end)
	second.Complete()
	third.Complete()
	parts.Join()
	line := `track_test\.go:\d+`
	for _, want := range []string{
		`(?m)^  array\.Array\[int\] "dumped", made at ` + line + `\n` +
			`    job first, scheduled at ` + line + `, writes it and has not finished\n` +
			`    job second, scheduled at ` + line + `, reads it and has not finished\n`,
		`(?m)^  array\.Array\[int\] "dumped too", made at ` + line + "\n    its owner's\n",
		`(?m)^  array\.Array\[int\] "dumped in parts", made at ` + line + "\n    split into 2 parts at " + line + "\n" +
			`      array\.Array\[int\] "dumped in parts\[0:2\]"` + "\n        its owner's\n" +
			`      array\.Array\[int\] "dumped in parts\[2:4\]"` + "\n        job third, scheduled at " + line + ", writes it and has finished\n",
		`(?m)^  job first, scheduled at ` + line + ": runs\n",
		`(?m)^  job second, scheduled at ` + line + ": waits to be run\n    runs after job first, scheduled at " + line + "\n",
		`(?m)^  job third, scheduled at ` + line + ": has finished\n",
	} {
		require.Regexp(t, want, b.String())
	}
	a.Dispose()
	free.Dispose()
	split.Dispose()
	safety.SetLeakMode(safety.LeaksOff)
	b.Reset()
	require.NoError(t, safety.Dump(&b))
	require.Regexp(t, `(?m)^custody: \d+ jobs? not completed$`, b.String())
	require.ErrorIs(t, safety.Dump(failing{}), errFull)
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// syncBuffer is a buffer that a logger on another goroutine writes.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// A split that is refused leaves nothing behind.
func TestPartsThatNeverWereAreNoLeaks(t *testing.T) {
	tracking(t, safety.LeaksOn)
	a := array.New[int](4, safety.Named("refused"))
	h := parallelfor.Go(a.Reader(), func(*array.Reader[int]) {})
	require.ErrorIs(t, lawtest.Violation(t, func() error { a.Split(2); return nil }), safety.ErrInFlight)
	require.Len(t, undisposed("refused"), 1)
	h.Complete()
	a.Dispose()
	require.Empty(t, undisposed("refused"))
}

// What is lost when nothing is tracked any more is not told.
func TestWhatIsLostLaterIsToldNobody(t *testing.T) {
	tracking(t, safety.LeaksOn)
	array.New[int](1, safety.Named("lost later"))
	safety.SetLeakMode(safety.LeaksOff)
	lawtest.Happens(t, "it is noticed", func() bool { return len(undisposed("lost later")) == 0 })
}
