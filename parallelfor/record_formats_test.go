package parallelfor_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

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
	require.ErrorIs(t, pictured().DOT(full{}), errFull)
}
