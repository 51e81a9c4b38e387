package timeline_test

import (
	"encoding/xml"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/svg"
	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// pictured returns two jobs. The first has two workers, one of them a goroutine of the pool, which
// then runs the second job.
func pictured() []parallelfor.RecordedJob {
	type batches = []parallelfor.RecordedBatch
	batch := func(b, begin, end int, from, to time.Duration) parallelfor.RecordedBatch {
		return parallelfor.RecordedBatch{Batch: b, Begin: begin, End: end, From: from, To: to}
	}
	return []parallelfor.RecordedJob{
		{Name: "blur", Site: "main.go:7", N: 30, Batches: 3, Workers: 2, Within: -1, To: 5000, Stays: []parallelfor.RecordedStay{
			{Worker: 0, From: 1000, To: 4000, Batches: batches{batch(0, 0, 10, 1000, 3000), batch(2, 20, 30, 3500, 4000)}},
			{Worker: 1, Goroutine: 8, From: 2000, To: 5000, Batches: batches{batch(1, 10, 20, 2000, 5000)}},
		}},
		{Name: "a<b", N: 10, Batches: 2, Workers: 2, Within: -1, To: 6000, After: []int{0}, Failed: true, Stays: []parallelfor.RecordedStay{
			{Worker: 0, From: 3700, To: 3900, Batches: batches{batch(0, 0, 5, 3700, 3900)}},
			{Worker: 1, Goroutine: 8, From: 5000, To: 6000, Batches: batches{batch(1, 5, 10, 5000, 6000)}},
			{Worker: 1, Goroutine: 9},
		}},
	}
}

func TestTheTraceIsWrittenAsTheFormatSays(t *testing.T) {
	var b strings.Builder
	require.NoError(t, timeline.Trace(&b, pictured()))
	const want = `{"displayTimeUnit":"ns","traceEvents":[
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"caller 1"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":1,"args":{"sort_index":0}},
{"name":"blur","cat":"batch","ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"args":{"job":1,"worker":0,"batch":0,"begin":0,"end":10}},
{"name":"blur","cat":"batch","ph":"X","ts":3.5,"dur":0.5,"pid":1,"tid":1,"args":{"job":1,"worker":0,"batch":2,"begin":20,"end":30}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":2,"args":{"name":"caller 2"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":2,"args":{"sort_index":1}},
{"name":"a\u003cb","cat":"batch","ph":"X","ts":3.7,"dur":0.2,"pid":1,"tid":2,"args":{"job":2,"worker":0,"batch":0,"begin":0,"end":5}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":3,"args":{"name":"worker 1"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":3,"args":{"sort_index":2}},
{"name":"blur","cat":"batch","ph":"X","ts":2,"dur":3,"pid":1,"tid":3,"args":{"job":1,"worker":1,"batch":1,"begin":10,"end":20}},
{"name":"a\u003cb","cat":"batch","ph":"X","ts":5,"dur":1,"pid":1,"tid":3,"args":{"job":2,"worker":1,"batch":1,"begin":5,"end":10}},
{"name":"blur","cat":"job","ph":"b","id":"job 0","ts":0,"pid":1,"tid":0,"args":{"job":1,"site":"main.go:7","n":30,"batches":3,"workers":2}},
{"name":"blur","cat":"job","ph":"e","id":"job 0","ts":5,"pid":1,"tid":0},
{"name":"a\u003cb","cat":"job","ph":"b","id":"job 1","ts":0,"pid":1,"tid":0,"args":{"job":2,"n":10,"batches":2,"workers":2,"failed":true}},
{"name":"a\u003cb","cat":"job","ph":"e","id":"job 1","ts":6,"pid":1,"tid":0}
]}
`
	require.Equal(t, want, b.String())
}

// element is a box or a text of a picture.
type element struct {
	XMLName xml.Name
	Class   string  `xml:"class,attr"`
	X       float64 `xml:"x,attr"`
	Width   float64 `xml:"width,attr"`
	Anchor  string  `xml:"text-anchor,attr"`
	Title   string  `xml:"title"`
	Text    string  `xml:",chardata"`
}

// drawn returns the boxes and texts of a picture of jobs, whose texts do not overlap.
func drawn(t *testing.T, jobs []parallelfor.RecordedJob) (boxes, texts []element) {
	t.Helper()
	var b strings.Builder
	require.NoError(t, timeline.SVG(&b, jobs))
	found, err := svg.Overlaps(strings.NewReader(b.String()))
	require.NoError(t, err)
	require.Empty(t, found)
	var all struct {
		Rects []element `xml:"rect"`
		Texts []element `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &all))
	return all.Rects, all.Texts
}

func written(texts []element) (all []string) {
	for _, e := range texts {
		all = append(all, e.Text)
	}
	return all
}

// Each batch has a box where its time is.
func TestThePictureIsWrittenAsTheFormatSays(t *testing.T) {
	boxes, texts := drawn(t, pictured())
	var titles []string
	for _, e := range boxes {
		titles = append(titles, e.Class+": "+e.Title)
	}
	require.Equal(t, []string{
		"c0: blur, indices 0 <= i < 10, worker 0, 2µs",
		"c0: blur, indices 20 <= i < 30, worker 0, 500ns",
		"c1: a<b, indices 0 <= i < 5, worker 0, 200ns",
		"c0: blur, indices 10 <= i < 20, worker 1, 3µs",
		"c1: a<b, indices 5 <= i < 10, worker 1, 1µs",
	}, titles)
	require.Equal(t, []string{"0", "1", "2", "3", "4", "5", "time in µs", "caller 1", "blur", "caller 2", "a<b", "worker 1", "blur", "a<b"}, written(texts))

	// A box lies above the part of the axis that is its time: from 2 to 5 µs after the recording
	// began, which was 1 µs before the first batch.
	require.InDelta(t, texts[1].X, boxes[3].X, 0.02)
	require.InDelta(t, texts[4].X, boxes[3].X+boxes[3].Width, 0.02)
}

// The name of a job stands in its box, beside it, or below the axis.
func TestThePictureHasTheNamesOfJobsWhereThereIsRoom(t *testing.T) {
	stay := func(from, to time.Duration) []parallelfor.RecordedStay {
		return []parallelfor.RecordedStay{{From: from, To: to, Batches: []parallelfor.RecordedBatch{{End: 1, From: from, To: to}}}}
	}
	long := strings.Repeat("long", 40)
	boxes, texts := drawn(t, []parallelfor.RecordedJob{
		{Name: "in", Stays: stay(0, 500*time.Millisecond)},
		{Name: "beside", Stays: stay(500*time.Millisecond, 510*time.Millisecond)},
		{Name: "below", Stays: stay(900*time.Millisecond, 902*time.Millisecond)},
		{Name: long, Stays: stay(902*time.Millisecond, 904*time.Millisecond)},
		{Name: "below", Stays: stay(904*time.Millisecond, 906*time.Millisecond)},
		{Name: "last", Stays: stay(906*time.Millisecond, 1900*time.Millisecond)},
	})
	require.Equal(t, []string{"0", "200", "400", "600", "800", "1000", "1200", "1400", "1600", "1800", "time in ms",
		"caller", "in", "beside", "last", "below", texts[len(texts)-1].Text}, written(texts))
	require.Regexp(t, "^long.*…$", texts[len(texts)-1].Text)
	require.Equal(t, "middle", texts[12].Anchor)
	require.Greater(t, texts[13].X, boxes[1].X+boxes[1].Width)
	require.Less(t, texts[13].X, boxes[2].X)
}

// A worker goroutine has the number of the worker that it was in all jobs. Where that is no name,
// worker goroutines are counted.
func TestLinesHaveTheNamesOfWorkers(t *testing.T) {
	batches := []parallelfor.RecordedBatch{{End: 1, To: 10}}
	names := func(stays ...parallelfor.RecordedStay) (names []string) {
		for i := range stays {
			stays[i].To, stays[i].Batches = 10, batches
		}
		_, texts := drawn(t, []parallelfor.RecordedJob{{Name: "a", Stays: stays}, {Name: "b"}})
		for _, e := range texts {
			if e.Anchor == "" && e.Text != "time in ns" && e.Text != "a" {
				names = append(names, e.Text)
			}
		}
		return names
	}
	type stay = parallelfor.RecordedStay
	require.Equal(t, []string{"caller", "worker 2", "worker 1"}, names(stay{}, stay{Worker: 2, Goroutine: 5}, stay{Worker: 1, Goroutine: 3}))
	require.Equal(t, []string{"caller 1", "caller 2"}, names(stay{}, stay{Worker: 1}))
	require.Equal(t, []string{"worker goroutine 1"}, names(stay{Goroutine: 5}))
	require.Equal(t, []string{"worker goroutine 1", "worker goroutine 2"}, names(stay{Worker: 1, Goroutine: 5}, stay{Worker: 1, Goroutine: 6}))
}

func TestTheGraphIsWrittenAsTheFormatSays(t *testing.T) {
	jobs := pictured()
	jobs[1].Within = 0
	var b strings.Builder
	require.NoError(t, timeline.DOT(&b, jobs))
	const want = `digraph jobs {
	rankdir=LR;
	node [shape=box];
	j0 [label="blur\nmain.go:7\n30 indices, 3 batches"];
	j1 [label="a<b\n10 indices, 2 batches", color=red];
	j0 -> j1;
	j0 -> j1 [style=dashed];
}
`
	require.Equal(t, want, b.String())
}

// A picture of a real run has a box for each batch, and its texts do not overlap; of nothing too.
func TestThePictureOfARunIsWellFormed(t *testing.T) {
	a := array.New[int](1000)
	g := parallelfor.Record()
	empty := parallelfor.Record()
	empty.Stop()
	parallelfor.For(1000, a.Writer(), func(*array.Writer[int], int) {}, parallelfor.Batch(10), parallelfor.Name("<&>"))
	g.Stop()
	boxes, texts := drawn(t, g.Jobs())
	require.Len(t, boxes, 100)
	require.True(t, slices.ContainsFunc(written(texts), func(text string) bool {
		// Either may have all batches.
		return strings.HasPrefix(text, "caller") || strings.HasPrefix(text, "worker")
	}))
	boxes, texts = drawn(t, empty.Jobs())
	require.Empty(t, boxes)
	require.Empty(t, texts)
	require.Empty(t, empty.Jobs())
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWritersThatFailAreReported(t *testing.T) {
	require.ErrorIs(t, timeline.Trace(full{}, pictured()), errFull)
	require.ErrorIs(t, timeline.SVG(full{}, pictured()), errFull)
	require.ErrorIs(t, timeline.DOT(full{}, pictured()), errFull)
}
