// Package timeline says how busy workers were, from the timeline that a recording of package parallelfor writes.
package timeline

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Usage is how busy some workers were with the jobs of a recording.
type Usage struct {
	Jobs  int           // recorded
	Lines int           // goroutines that have executed something
	Span  time.Duration // from the beginning of the first cell to the end of the last
	Busy  time.Duration // of all workers together
	Share float64       // of the span times the workers
}

// Measure reads a timeline in the Trace Event Format. A moment at which more cells are executed than there are workers counts as one
// at which all workers are busy: the goroutine that completes a job may take it on itself before a worker does.
func Measure(text []byte, workers int) (u Usage, err error) {
	var file struct {
		Events []event `json:"traceEvents"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return u, err
	}
	var changes []change
	lines := map[int]bool{}
	for _, e := range file.Events {
		switch {
		case e.Category == "job" && e.Phase == "b":
			u.Jobs++
		case e.Category == "cell":
			lines[e.Thread] = true
			changes = append(changes, change{e.Time, 1}, change{e.Time + e.Length, -1})
		}
	}
	if u.Lines = len(lines); u.Lines == 0 {
		return u, nil
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	busy, running := 0.0, 0
	for i, c := range changes {
		if i > 0 {
			busy += float64(min(running, workers)) * (c.at - changes[i-1].at)
		}
		running += c.by
	}
	span := changes[len(changes)-1].at - changes[0].at
	u.Span, u.Busy = micros(span), micros(busy)
	if span > 0 {
		u.Share = busy / span / float64(workers)
	}
	return u, nil
}

// event is what is needed of an event; times are in microseconds.
type event struct {
	Category string  `json:"cat"`
	Phase    string  `json:"ph"`
	Time     float64 `json:"ts"`
	Length   float64 `json:"dur"`
	Thread   int     `json:"tid"`
}

// change is a moment at which one cell more is executed, or one less.
type change struct {
	at float64
	by int
}

func micros(t float64) time.Duration { return time.Duration(t * float64(time.Microsecond)) }
