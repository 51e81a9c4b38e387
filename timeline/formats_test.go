package timeline_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
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
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"goroutine 1"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":1,"args":{"sort_index":0}},
{"name":"blur","cat":"batch","ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"args":{"job":1,"worker":0,"batch":0,"begin":0,"end":10}},
{"name":"blur","cat":"batch","ph":"X","ts":3.5,"dur":0.5,"pid":1,"tid":1,"args":{"job":1,"worker":0,"batch":2,"begin":20,"end":30}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":2,"args":{"name":"goroutine 2"}},
{"name":"thread_sort_index","ph":"M","ts":0,"pid":1,"tid":2,"args":{"sort_index":1}},
{"name":"a\u003cb","cat":"batch","ph":"X","ts":3.7,"dur":0.2,"pid":1,"tid":2,"args":{"job":2,"worker":0,"batch":0,"begin":0,"end":5}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":3,"args":{"name":"pool 1"}},
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

func TestThePictureIsWrittenAsTheFormatSays(t *testing.T) {
	var b strings.Builder
	require.NoError(t, timeline.SVG(&b, pictured()))
	const want = `<svg xmlns="http://www.w3.org/2000/svg" width="1110" height="88" font-family="sans-serif" font-size="12">
<text x="2" y="15">goroutine 1</text>
<rect x="110.00" y="2" width="400.00" height="18" fill="hsl(0,60%,60%)"><title>blur, indices 0 &lt;= i &lt; 10, worker 0, 2µs</title></rect>
<rect x="610.00" y="2" width="100.00" height="18" fill="hsl(0,60%,60%)"><title>blur, indices 20 &lt;= i &lt; 30, worker 0, 500ns</title></rect>
<text x="2" y="37">goroutine 2</text>
<rect x="650.00" y="24" width="40.00" height="18" fill="hsl(47,60%,60%)"><title>a&lt;b, indices 0 &lt;= i &lt; 5, worker 0, 200ns</title></rect>
<text x="2" y="59">pool 1</text>
<rect x="310.00" y="46" width="600.00" height="18" fill="hsl(0,60%,60%)"><title>blur, indices 10 &lt;= i &lt; 20, worker 1, 3µs</title></rect>
<rect x="910.00" y="46" width="200.00" height="18" fill="hsl(47,60%,60%)"><title>a&lt;b, indices 5 &lt;= i &lt; 10, worker 1, 1µs</title></rect>
<text x="110" y="81">5µs</text>
</svg>
`
	require.Equal(t, want, b.String())
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

// A picture of a real run is well-formed, and has a box for each batch; of nothing too.
func TestThePictureOfARunIsWellFormed(t *testing.T) {
	a := array.New[int](1000)
	g := parallelfor.Record()
	empty := parallelfor.Record()
	empty.Stop()
	parallelfor.For(1000, a.Writer(), func(*array.Writer[int], int) {}, parallelfor.Batch(10), parallelfor.Name("<&>"))
	g.Stop()
	boxes := func(g *parallelfor.Graph) (n int) {
		var b bytes.Buffer
		require.NoError(t, timeline.SVG(&b, g.Jobs()))
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
