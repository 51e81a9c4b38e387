package usage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/custody/parallelfor"
)

func TestBusyTimeIsThatOfTheWorkers(t *testing.T) {
	// Two batches overlap, from 10 to 20 ns and from 15 to 30; three run from 40 to 50.
	batch := func(from, to time.Duration) parallelfor.RecordedStay {
		return parallelfor.RecordedStay{Batches: []parallelfor.RecordedBatch{{From: from, To: to}}}
	}
	jobs := []parallelfor.RecordedJob{
		{Name: "a", Stays: []parallelfor.RecordedStay{batch(10, 20)}},
		{Name: "b", Stays: []parallelfor.RecordedStay{batch(15, 30)}},
		{Name: "c", Stays: []parallelfor.RecordedStay{batch(40, 50), batch(40, 50), batch(40, 50)}},
	}
	assert.Equal(t, Usage{Jobs: 3, Span: 40, Busy: 45, Share: 45.0 / 80}, Measure(jobs, 2))
	assert.EqualValues(t, 55, Measure(jobs, 3).Busy)
	assert.Equal(t, Usage{}, Measure(nil, 2))
}

func TestARecordingIsMeasured(t *testing.T) {
	g := parallelfor.Record()
	for range 3 {
		parallelfor.Do(parallelfor.Worker{}, func(*parallelfor.Worker) { time.Sleep(time.Millisecond) })
	}
	g.Stop()
	u := Measure(g.Jobs(), 1)
	assert.Equal(t, 3, u.Jobs)
	assert.GreaterOrEqual(t, u.Busy, 3*time.Millisecond)
	assert.GreaterOrEqual(t, u.Span, u.Busy)
	assert.InDelta(t, float64(u.Busy)/float64(u.Span), u.Share, 1e-3)
}
