package timeline

import (
	"bytes"
	"testing"
	"time"

	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBusyTimeIsThatOfTheWorkers(t *testing.T) {
	// Two cells beside each other from 10 to 20 us and from 15 to 30; then nothing until 40, and three until 50.
	const text = `{"traceEvents":[
		{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"goroutine 1"}},
		{"name":"a","cat":"cell","ph":"X","ts":10,"dur":10,"pid":1,"tid":1},
		{"name":"b","cat":"cell","ph":"X","ts":15,"dur":15,"pid":1,"tid":2},
		{"name":"c","cat":"cell","ph":"X","ts":40,"dur":10,"pid":1,"tid":1},
		{"name":"c","cat":"cell","ph":"X","ts":40,"dur":10,"pid":1,"tid":2},
		{"name":"c","cat":"cell","ph":"X","ts":40,"dur":10,"pid":1,"tid":3},
		{"name":"a","cat":"job","ph":"b","ts":1,"pid":1},{"name":"a","cat":"job","ph":"e","ts":21,"pid":1},
		{"name":"b","cat":"job","ph":"b","ts":2,"pid":1},{"name":"c","cat":"job","ph":"b","ts":3,"pid":1}]}`
	u, err := Measure([]byte(text), 2)
	require.NoError(t, err)
	assert.Equal(t, Usage{Jobs: 3, Lines: 3, Span: 40 * time.Microsecond, Busy: 45 * time.Microsecond, Share: 45.0 / 80}, u)
	u, err = Measure([]byte(text), 3)
	require.NoError(t, err)
	assert.Equal(t, 55*time.Microsecond, u.Busy)
}

func TestATimelineWithoutCells(t *testing.T) {
	u, err := Measure([]byte(`{"traceEvents":[]}`), 2)
	require.NoError(t, err)
	assert.Zero(t, u)
	_, err = Measure([]byte(`no timeline`), 2)
	assert.Error(t, err)
}

func TestWhatTheDriverWritesIsRead(t *testing.T) {
	g := parallelfor.Record()
	for range 3 {
		parallelfor.Do(parallelfor.Worker{}, func(*parallelfor.Worker) { time.Sleep(time.Millisecond) })
	}
	g.Stop()
	var text bytes.Buffer
	require.NoError(t, g.Timeline(&text))
	u, err := Measure(text.Bytes(), 1)
	require.NoError(t, err)
	assert.Equal(t, 3, u.Jobs)
	assert.GreaterOrEqual(t, u.Busy, 3*time.Millisecond)
	assert.GreaterOrEqual(t, u.Span, u.Busy)
	assert.InDelta(t, float64(u.Busy)/float64(u.Span), u.Share, 1e-3)
}
