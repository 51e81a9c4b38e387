package parallelfor_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
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
		Job, Worker, Cell, Begin, End int
		N, Cells, Workers             int
		Name, Site                    string
		Failed                        bool
	}
}

// readTimeline reads what the graph writes: the cells by their jobs' names, the jobs, and the names of the lanes. It
// requires what holds for every timeline.
func readTimeline(t *testing.T, g *parallelfor.Graph) (cells map[string][]event, jobs []event, lanes []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, g.Timeline(&b))
	var text struct {
		DisplayTimeUnit string
		TraceEvents     []event
	}
	d := json.NewDecoder(&b)
	require.NoError(t, d.Decode(&text))
	require.Equal(t, "ns", text.DisplayTimeUnit)
	cells = map[string][]event{}
	until := map[int]float64{}
	open := map[string]event{}
	for _, e := range text.TraceEvents {
		require.Equal(t, 1, e.Pid)
		require.GreaterOrEqual(t, e.Ts, 0.0)
		switch e.Ph {
		case "X":
			require.Equal(t, "cell", e.Cat)
			require.NotNil(t, e.Dur)
			require.GreaterOrEqual(t, *e.Dur, 0.0)
			require.GreaterOrEqual(t, math.Round(e.Ts*1000), until[e.Tid], "two cells of one lane overlap")
			until[e.Tid] = math.Round((e.Ts + *e.Dur) * 1000)
			require.LessOrEqual(t, e.Tid, len(lanes))
			cells[e.Name] = append(cells[e.Name], e)
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
	return cells, jobs, lanes
}

// eachCellOnce requires that the events are the cells of a loop, each once and with its indices.
func eachCellOnce(t *testing.T, events []event, n, batch int) {
	t.Helper()
	_, cells := parallelfor.Grid(n, batch)
	seen := map[int]bool{}
	for _, e := range events {
		begin, end := parallelfor.Bounds(n, batch, e.Args.Cell)
		require.Equal(t, [2]int{begin, end}, [2]int{e.Args.Begin, e.Args.End})
		require.False(t, seen[e.Args.Cell], "cell %d twice", e.Args.Cell)
		seen[e.Args.Cell] = true
	}
	require.Len(t, seen, cells)
}

func TestARecordingHasEveryCellOfEveryJobOnce(t *testing.T) {
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
		cells, jobs, lanes := readTimeline(t, g)
		eachCellOnce(t, cells["run"], n, batch)
		eachCellOnce(t, cells["first"], n, batch)
		eachCellOnce(t, cells["second"], 2*n, 0)
		eachCellOnce(t, cells["outer"], 3, 1)
		require.Len(t, cells["inner"], 12)
		require.Empty(t, cells["late"])
		require.Len(t, jobs, 7)
		require.NotEmpty(t, lanes)
		last := 0.0
		for _, e := range cells["first"] {
			last = max(last, e.Ts+*e.Dur)
		}
		for _, e := range cells["second"] {
			require.GreaterOrEqual(t, e.Ts, last-0.001, "the second runs after the first")
		}
		for _, j := range jobs {
			require.Regexp(t, `^(record|helpers)_test.go:\d+$`, j.Args.Site, j.Name)
		}
		g.Stop()
	}
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
		return regexp.MustCompile(`(record|helpers)_test.go:\d+`).ReplaceAllString(g.DOT(), "here")
	}
	inner := "\tj4 -> j5 [style=dashed];\n"
	if !safety.Enabled { // nobody knows who is in a body
		inner = ""
	}
	const dot = `digraph jobs {
	rankdir=LR;
	node [shape=box];
	j0 [label="a\nhere\n100 indices, 15 cells"];
	j1 [label="b\nhere\n100 indices, 15 cells"];
	j2 [label="c \"\\\nhere\n1 index, 1 cell", color=red];
	j3 [label="Combine\nhere\n0 indices, 0 cells", color=red];
	j4 [label="outer\nhere\n1 index, 1 cell"];
	j5 [label="inner\nhere\n5 indices, 5 cells"];
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

// Graphs that record at the same time have each what was scheduled in its time; nobody waits for a job to be in one.
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
	require.NotContains(t, second.DOT(), "1\\n")
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
		_ = g.DOT()
		require.NoError(t, g.Timeline(io.Discard))
		require.NoError(t, g.SVG(io.Discard))
	}
	all.Wait()
	cells, _, _ := readTimeline(t, g)
	for c := range 3 {
		require.Len(t, cells[fmt.Sprint("job ", c)], 5*rounds(100))
	}
}

// A cell that fails, or ends its goroutine, has its time in the picture too.
func TestFailingCellsAreRecorded(t *testing.T) {
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
		cells, jobs, _ := readTimeline(t, g)
		require.Len(t, cells[name], 3)
		require.True(t, jobs[0].Args.Failed)
	}
}

// pictured are two jobs: the first on two workers, one of them a resident, who then runs the second.
func pictured() *parallelfor.Graph {
	return parallelfor.GraphOf([]parallelfor.Recorded{
		{Name: "blur", Site: "main.go:7", N: 30, Batch: 10, Workers: 2, Within: -1, Parts: []parallelfor.Part{
			{Worker: 0, Spans: []parallelfor.Span{{0, 0, 10, 1000, 3000}, {2, 20, 30, 3500, 4000}}},
			{Worker: 1, Resident: 8, Spans: []parallelfor.Span{{1, 10, 20, 2000, 5000}}},
		}},
		{Name: "a<b", N: 10, Batch: 5, Workers: 2, Within: -1, After: []int{0}, Failed: true, Parts: []parallelfor.Part{
			{Worker: 0, Spans: []parallelfor.Span{{0, 0, 5, 3700, 3900}}},
			{Worker: 1, Resident: 8, Spans: []parallelfor.Span{{1, 5, 10, 5000, 6000}}},
			{Worker: 1, Resident: 9},
		}},
	})
}

func TestTheTimelineIsWrittenAsTheFormatSays(t *testing.T) {
	var b strings.Builder
	require.NoError(t, pictured().Timeline(&b))
	const want = `{"displayTimeUnit":"ns","traceEvents":[
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"goroutine 1"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":1,"args":{"sort_index":0}},
{"name":"blur","cat":"cell","ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"args":{"job":1,"worker":0,"cell":0,"begin":0,"end":10}},
{"name":"blur","cat":"cell","ph":"X","ts":3.5,"dur":0.5,"pid":1,"tid":1,"args":{"job":1,"worker":0,"cell":2,"begin":20,"end":30}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":2,"args":{"name":"goroutine 2"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":2,"args":{"sort_index":1}},
{"name":"a\u003cb","cat":"cell","ph":"X","ts":3.7,"dur":0.2,"pid":1,"tid":2,"args":{"job":2,"worker":0,"cell":0,"begin":0,"end":5}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":3,"args":{"name":"resident 1"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":3,"args":{"sort_index":2}},
{"name":"blur","cat":"cell","ph":"X","ts":2,"dur":3,"pid":1,"tid":3,"args":{"job":1,"worker":1,"cell":1,"begin":10,"end":20}},
{"name":"a\u003cb","cat":"cell","ph":"X","ts":5,"dur":1,"pid":1,"tid":3,"args":{"job":2,"worker":1,"cell":1,"begin":5,"end":10}},
{"name":"blur","cat":"job","ph":"b","id":"job 0","ts":0,"pid":1,"tid":0,"args":{"job":1,"site":"main.go:7","n":30,"cells":3,"workers":2}},
{"name":"blur","cat":"job","ph":"e","id":"job 0","ts":5,"pid":1,"tid":0},
{"name":"a\u003cb","cat":"job","ph":"b","id":"job 1","ts":0,"pid":1,"tid":0,"args":{"job":2,"n":10,"cells":2,"workers":2,"failed":true}},
{"name":"a\u003cb","cat":"job","ph":"e","id":"job 1","ts":6,"pid":1,"tid":0}
]}
`
	require.Equal(t, want, b.String())
	readTimeline(t, pictured())
}

func TestThePictureIsWrittenAsTheFormatSays(t *testing.T) {
	var b strings.Builder
	require.NoError(t, pictured().SVG(&b))
	const want = `<svg xmlns="http://www.w3.org/2000/svg" width="1110" height="88" font-family="sans-serif" font-size="12">
<text x="2" y="15">goroutine 1</text>
<rect x="110.00" y="2" width="400.00" height="18" fill="hsl(0,60%,60%)"><title>blur, indices 0 &lt;= i &lt; 10, worker 0, 2µs</title></rect>
<rect x="610.00" y="2" width="100.00" height="18" fill="hsl(0,60%,60%)"><title>blur, indices 20 &lt;= i &lt; 30, worker 0, 500ns</title></rect>
<text x="2" y="37">goroutine 2</text>
<rect x="650.00" y="24" width="40.00" height="18" fill="hsl(47,60%,60%)"><title>a&lt;b, indices 0 &lt;= i &lt; 5, worker 0, 200ns</title></rect>
<text x="2" y="59">resident 1</text>
<rect x="310.00" y="46" width="600.00" height="18" fill="hsl(0,60%,60%)"><title>blur, indices 10 &lt;= i &lt; 20, worker 1, 3µs</title></rect>
<rect x="910.00" y="46" width="200.00" height="18" fill="hsl(47,60%,60%)"><title>a&lt;b, indices 5 &lt;= i &lt; 10, worker 1, 1µs</title></rect>
<text x="110" y="81">5µs</text>
</svg>
`
	require.Equal(t, want, b.String())
}

// A picture of a real run is well-formed, and has a box for each cell; of nothing too.
func TestThePictureOfARunIsWellFormed(t *testing.T) {
	watchdog(t)
	a := array.New[int](1000)
	g := parallelfor.Record()
	empty := parallelfor.Record()
	empty.Stop()
	parallelfor.For(1000, a.Writer(), nothing, parallelfor.Batch(10), parallelfor.Name("<&>"))
	g.Stop()
	boxes := func(g *parallelfor.Graph) (n int) {
		var b bytes.Buffer
		require.NoError(t, g.SVG(&b))
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if err == io.EOF {
				return n
			}
			require.NoError(t, err)
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
				n++
			}
		}
	}
	require.Equal(t, 100, boxes(g))
	require.Zero(t, boxes(empty))
	cells, jobs, lanes := readTimeline(t, empty)
	require.Empty(t, len(cells)+len(jobs)+len(lanes))
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWritersThatFailAreReported(t *testing.T) {
	require.ErrorIs(t, pictured().Timeline(full{}), errFull)
	require.ErrorIs(t, pictured().SVG(full{}), errFull)
}

// After everything was on and is off again, a run allocates nothing, and counting does not either.
func TestNothingIsAllocatedWhenNobodyLooks(t *testing.T) {
	if safety.Strict {
		t.Skip("strict builds use no copy of a job again")
	}
	watchdog(t)
	a := array.New[int](10_000)
	run := func() {
		parallelfor.For(10_000, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) }, parallelfor.Workers(2))
		_ = parallelfor.PoolStats()
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
	cells, _, _ := readTimeline(t, g)
	require.Len(t, cells, 1)
}
