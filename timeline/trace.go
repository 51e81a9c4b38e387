package timeline

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"example.com/custody/parallelfor"
)

// Trace writes the jobs in the Trace Event Format, a JSON text that Perfetto (ui.perfetto.dev) and
// chrome://tracing open. Each goroutine has a line with its batches, and each job has one from its
// schedule to its end. The pool's worker goroutines have lines of their own. Stays on other
// goroutines, most of them callers, and stays in nested jobs share lines: as few as keep the stays
// of a line from overlapping. The error is w's.
func Trace(w io.Writer, jobs []parallelfor.RecordedJob) error {
	out := bufio.NewWriter(w)
	e := events{out: out}
	_, _ = out.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i, l := range linesOf(jobs) {
		e.line(i, l)
	}
	for i, j := range jobs {
		e.job(i, j)
	}
	_, _ = out.WriteString("\n]}\n")
	return out.Flush()
}

// event is one element of the list traceEvents.
type event struct {
	Name     string   `json:"name"`
	Category string   `json:"cat,omitempty"`
	Phase    string   `json:"ph"`
	ID       string   `json:"id,omitempty"`
	Time     float64  `json:"ts"`            // in microseconds
	Length   *float64 `json:"dur,omitempty"` // in microseconds; nil except for batches
	Process  int      `json:"pid"`
	Thread   int      `json:"tid"`
	Args     any      `json:"args,omitempty"`
}

type batchArgs struct {
	Job    int `json:"job"`
	Worker int `json:"worker"`
	Batch  int `json:"batch"`
	Begin  int `json:"begin"`
	End    int `json:"end"`
}

type jobArgs struct {
	Job     int    `json:"job"`
	Site    string `json:"site,omitempty"`
	N       int    `json:"n"`
	Batches int    `json:"batches"`
	Workers int    `json:"workers"`
	Failed  bool   `json:"failed,omitempty"`
}

// events writes the list traceEvents. out keeps an error of the writer until it is flushed.
type events struct {
	out  *bufio.Writer
	more bool // an event has been written
}

func (e *events) write(v event) {
	v.Process = 1
	text, _ := json.Marshal(v) // numbers and strings: they never fail
	if e.more {
		_ = e.out.WriteByte(',')
	}
	e.more = true
	_ = e.out.WriteByte('\n')
	_, _ = e.out.Write(text)
}

func micros(t time.Duration) float64 { return float64(t) / 1000 }

func (e *events) line(i int, l *line) {
	e.write(event{Name: "thread_name", Phase: "M", Thread: i + 1, Args: map[string]string{"name": l.name}})
	e.write(event{Name: "thread_sort_index", Phase: "M", Thread: i + 1, Args: map[string]int{"sort_index": i}})
	for _, s := range l.stays {
		for _, b := range s.Batches {
			length := micros(b.To - b.From)
			e.write(event{Name: s.name, Category: "batch", Phase: "X", Time: micros(b.From), Length: &length, Thread: i + 1,
				Args: batchArgs{Job: s.job + 1, Worker: s.Worker, Batch: b.Batch, Begin: b.Begin, End: b.End}})
		}
	}
}

func (e *events) job(i int, j parallelfor.RecordedJob) {
	id := "job " + strconv.Itoa(i)
	e.write(event{Name: j.Name, Category: "job", Phase: "b", ID: id, Time: micros(j.From),
		Args: jobArgs{Job: i + 1, Site: j.Site, N: j.N, Batches: j.Batches, Workers: j.Workers, Failed: j.Failed}})
	e.write(event{Name: j.Name, Category: "job", Phase: "e", ID: id, Time: micros(j.To)})
}
