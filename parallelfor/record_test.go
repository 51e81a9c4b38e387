package parallelfor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/timeline"
)

// event is an element of a timeline.
type event struct {
	Name string
	Cat  string
	Ph   string
	ID   string
	Ts   float64
	Dur  *float64
	Pid  int
	Tid  int
	Args struct {
		Job, Worker, Batch, Begin, End int
		N, Batches, Workers            int
		Name, Site                     string
		Failed                         bool
	}
}

// readTimeline reads what the graph writes: the batches by their jobs' names, the jobs, and the
// names of the lanes. It requires what holds for every timeline.
func readTimeline(t *testing.T, g *parallelfor.Graph) (batches map[string][]event, jobs []event, lanes []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, timeline.Trace(&b, g.Jobs()))
	var text struct {
		DisplayTimeUnit string
		TraceEvents     []event
	}
	d := json.NewDecoder(&b)
	require.NoError(t, d.Decode(&text))
	require.Equal(t, "ns", text.DisplayTimeUnit)
	batches = map[string][]event{}
	until := map[int]float64{}
	open := map[string]event{}
	for _, e := range text.TraceEvents {
		require.Equal(t, 1, e.Pid)
		require.GreaterOrEqual(t, e.Ts, 0.0)
		switch e.Ph {
		case "X":
			require.Equal(t, "batch", e.Cat)
			require.NotNil(t, e.Dur)
			require.GreaterOrEqual(t, *e.Dur, 0.0)
			require.GreaterOrEqual(t, math.Round(e.Ts*1000), until[e.Tid], "two batches of one lane overlap")
			until[e.Tid] = math.Round((e.Ts + *e.Dur) * 1000)
			require.LessOrEqual(t, e.Tid, len(lanes))
			batches[e.Name] = append(batches[e.Name], e)
		case "M":
			if e.Name == "thread_name" {
				lanes = append(lanes, e.Args.Name)
				require.Equal(t, len(lanes), e.Tid)
			}
		case "b":
			open[e.ID] = e
			jobs = append(jobs, e)
		case "e":
			require.Equal(t, open[e.ID].Name, e.Name)
			require.LessOrEqual(t, open[e.ID].Ts, e.Ts)
			delete(open, e.ID)
		default:
			t.Errorf("an event %q", e.Ph)
		}
	}
	require.Empty(t, open)
	return batches, jobs, lanes
}

// eachBatchOnce requires that the events are the batches of a loop, each once and with its indices.
func eachBatchOnce(t *testing.T, events []event, n, batch int) {
	t.Helper()
	_, batches := parallelfor.Grid(n, batch)
	seen := map[int]bool{}
	for _, e := range events {
		begin, end := parallelfor.Bounds(n, batch, e.Args.Batch)
		require.Equal(t, [2]int{begin, end}, [2]int{e.Args.Begin, e.Args.End})
		require.False(t, seen[e.Args.Batch], "batch %d twice", e.Args.Batch)
		seen[e.Args.Batch] = true
	}
	require.Len(t, seen, batches)
}

func TestARecordingHasEveryBatchOfEveryJobOnce(t *testing.T) {
	watchdog(t)
	for round := range rounds(60) {
		if round%2 == 1 {
			defer handout.Force(uint64(round))()
		}
		g := parallelfor.Record()
		n, batch := 1+round*7%90, round%6
		parallelfor.For(n, none{}, nothing, parallelfor.Batch(batch), parallelfor.Workers(1+round%4), parallelfor.Name("run"))
		a := scheduleFor(n, none{}, nothing, parallelfor.Batch(batch), parallelfor.Workers(3), parallelfor.Name("first"))
		b := scheduleFor(2*n, none{}, nothing, parallelfor.After(a), parallelfor.Workers(3), parallelfor.Name("second"))
		b.Complete()
		parallelfor.For(3, none{}, func(*none, int) {
			parallelfor.For(4, none{}, nothing, parallelfor.Batch(1), parallelfor.Name("inner"))
		}, parallelfor.Batch(1), parallelfor.Name("outer"))
		g.Stop()
		parallelfor.For(n, none{}, nothing, parallelfor.Name("late"))
		batches, jobs, lanes := readTimeline(t, g)
		eachBatchOnce(t, batches["run"], n, batch)
		eachBatchOnce(t, batches["first"], n, batch)
		eachBatchOnce(t, batches["second"], 2*n, 0)
		eachBatchOnce(t, batches["outer"], 3, 1)
		require.Len(t, batches["inner"], 12)
		require.Empty(t, batches["late"])
		require.Len(t, jobs, 7)
		require.NotEmpty(t, lanes)
		last := 0.0
		for _, e := range batches["first"] {
			last = max(last, e.Ts+*e.Dur)
		}
		for _, e := range batches["second"] {
			require.GreaterOrEqual(t, e.Ts, last-0.001, "the second runs after the first")
		}
		for _, j := range jobs {
			require.Regexp(t, `^(record|helpers)_test.go:\d+$`, j.Args.Site, j.Name)
		}
		g.Stop()
	}
}

// dotOf returns what the graph writes for Graphviz.
func dotOf(t *testing.T, g *parallelfor.Graph) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, timeline.DOT(&b, g.Jobs()))
	return b.String()
}

func TestTheDrawnJobsAreThoseThatRan(t *testing.T) {
	watchdog(t)
	program := func() string {
		before := scheduleFor(2, none{}, nothing, parallelfor.Name("before"))
		g := parallelfor.Record()
		a := scheduleFor(100, none{}, nothing, parallelfor.Name("a"), parallelfor.After(before))
		b := scheduleFor(100, none{}, nothing, parallelfor.Name("b"), parallelfor.After(a))
		c := scheduleFor(1, none{}, func(*none, int) { panic("c") }, parallelfor.Name("c \"\\"), parallelfor.After(a, b))
		panicked(t, c.Complete)
		panicked(t, parallelfor.Combine(b, c).Complete)
		parallelfor.Do(none{}, func(*none) { parallelfor.For(5, none{}, nothing, parallelfor.Name("inner")) }, parallelfor.Name("outer"))
		g.Stop()
		return regexp.MustCompile(`(record|helpers)_test.go:\d+`).ReplaceAllString(dotOf(t, g), "here")
	}
	inner := "\tj4 -> j5 [style=dashed];\n"
	if !safety.Enabled { // goroutines in bodies are not known
		inner = ""
	}
	const dot = `digraph jobs {
	rankdir=LR;
	node [shape=box];
	j0 [label="a\nhere\n100 indices, 50 batches"];
	j1 [label="b\nhere\n100 indices, 50 batches"];
	j2 [label="c \"\\\nhere\n1 index, 1 batch", color=red];
	j3 [label="Combine\nhere\n0 indices, 0 batches", color=red];
	j4 [label="outer\nhere\n1 index, 1 batch"];
	j5 [label="inner\nhere\n5 indices, 5 batches"];
	j0 -> j1;
	j0 -> j2;
	j1 -> j2;
	j1 -> j3;
	j2 -> j3;
`
	for range 3 {
		require.Equal(t, dot+inner+"}\n", program())
	}
}

// Graphs that record at the same time have each what was scheduled in its time; no call waits for a
// job to be in one.
func TestSeveralGraphsRecord(t *testing.T) {
	watchdog(t)
	names := func(g *parallelfor.Graph) (names []string) {
		_, jobs, _ := readTimeline(t, g)
		for _, j := range jobs {
			names = append(names, j.Name)
		}
		return names
	}
	run := func(name string) { parallelfor.For(3, none{}, nothing, parallelfor.Name(name)) }
	first := parallelfor.Record()
	run("1")
	second := parallelfor.Record()
	run("2")
	release := make(chan struct{})
	h := scheduleFor(1, none{}, func(*none, int) { <-release }, parallelfor.Name("3"))
	first.Stop()
	run("4")
	require.Equal(t, []string{"1", "2"}, names(first), "3 has not finished")
	close(release)
	h.Complete()
	second.Stop()
	run("5")
	require.Equal(t, []string{"1", "2", "3"}, names(first))
	require.Equal(t, []string{"2", "3", "4"}, names(second))
	require.NotContains(t, dotOf(t, second), `label="1\n`)
}

func TestAGraphIsReadWhileItRecords(t *testing.T) {
	watchdog(t)
	g := parallelfor.Record()
	defer g.Stop()
	var all sync.WaitGroup
	for c := range 3 {
		all.Go(func() {
			for range rounds(100) {
				parallelfor.For(5, none{}, nothing, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.Name(fmt.Sprint("job ", c)))
			}
		})
	}
	for range rounds(40) {
		require.NoError(t, timeline.DOT(io.Discard, g.Jobs()))
		require.NoError(t, timeline.Trace(io.Discard, g.Jobs()))
		require.NoError(t, timeline.SVG(io.Discard, g.Jobs()))
	}
	all.Wait()
	batches, _, _ := readTimeline(t, g)
	for c := range 3 {
		require.Len(t, batches[fmt.Sprint("job ", c)], 5*rounds(100))
	}
}

// A batch that fails, or ends its goroutine, has its time in the picture too.
func TestFailingBatchesAreRecorded(t *testing.T) {
	watchdog(t)
	for name, fail := range map[string]func(){"panic": func() { panic(1) }, "goexit": runtime.Goexit} {
		g := parallelfor.Record()
		endingOf(func() {
			parallelfor.For(4, none{}, func(_ *none, i int) {
				if i == 2 {
					fail()
				}
			}, parallelfor.Sequential(), parallelfor.Batch(1), parallelfor.Name(name))
		})
		g.Stop()
		batches, jobs, _ := readTimeline(t, g)
		require.Len(t, batches[name], 3)
		require.True(t, jobs[0].Args.Failed)
	}
}

// After everything was on and is off again, a run allocates nothing.
func TestNothingIsAllocatedWhenNobodyLooks(t *testing.T) {
	if safety.Strict {
		t.Skip("strict builds use no copy of a job again")
	}
	watchdog(t)
	a := array.New[int](10_000)
	run := func() {
		parallelfor.For(10_000, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) }, parallelfor.Workers(2))
	}
	g := parallelfor.Record()
	parallelfor.Labels(true)
	for range 20 {
		run()
	}
	g.Stop()
	parallelfor.Labels(false)
	for range 20 {
		run()
	}
	require.Zero(t, allocations(200, run))
	batches, _, _ := readTimeline(t, g)
	require.Len(t, batches, 1)
}
