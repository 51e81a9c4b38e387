package parallelfor

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
)

// Timeline writes what was recorded in the Trace Event Format, a JSON text that Perfetto (ui.perfetto.dev) and
// chrome://tracing open: a line for each goroutine, with its cells, and one for each job, from its schedule to its
// end. Residents have lines of their own; what ran on other goroutines, callers above all, is on as many
// lines as it takes for no two parts to overlap. The error is w's.
func (g *Graph) Timeline(w io.Writer) error {
	out := bufio.NewWriter(w)
	e := events{out: out, from: g.from}
	_, _ = out.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	jobs := g.jobs()
	for i, l := range lanes(jobs) {
		e.lane(i, l)
	}
	for i, r := range jobs {
		e.job(i, r)
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
	Length   *float64 `json:"dur,omitempty"` // too
	Process  int      `json:"pid"`
	Thread   int      `json:"tid"`
	Args     any      `json:"args,omitempty"`
}

type cellArgs struct {
	Job    uint64 `json:"job"`
	Worker int    `json:"worker"`
	Cell   int    `json:"cell"`
	Begin  int    `json:"begin"`
	End    int    `json:"end"`
}

type jobArgs struct {
	Job     uint64 `json:"job"`
	Site    string `json:"site,omitempty"`
	N       int    `json:"n"`
	Cells   int    `json:"cells"`
	Workers int    `json:"workers"`
	Failed  bool   `json:"failed,omitempty"`
}

// events writes a list of events. What cannot be written shows when the writer is flushed.
type events struct {
	out  *bufio.Writer
	from int64
	more bool
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

// micros returns a time of clock as microseconds since the recording began.
func (e *events) micros(t int64) float64 { return float64(t-e.from) / 1000 }

func (e *events) lane(i int, l *lane) {
	e.write(event{Name: "thread_name", Phase: "M", Thread: i + 1, Args: map[string]string{"name": l.name}})
	e.write(event{Name: "thread_sort_index", Phase: "M", Thread: i + 1, Args: map[string]int{"sort_index": i}})
	for _, s := range l.stays {
		for _, c := range s.part.spans {
			length := float64(c.to-c.from) / 1000
			e.write(event{Name: s.job.name, Category: "cell", Phase: "X", Time: e.micros(c.from), Length: &length, Thread: i + 1,
				Args: cellArgs{Job: s.job.id, Worker: s.part.worker, Cell: c.cell, Begin: c.begin, End: c.end}})
		}
	}
}

func (e *events) job(i int, r *record) {
	id := "job " + strconv.Itoa(i)
	e.write(event{Name: r.name, Category: "job", Phase: "b", ID: id, Time: e.micros(r.from),
		Args: jobArgs{Job: r.id, Site: r.site, N: r.grid.n, Cells: r.grid.cells, Workers: r.workers, Failed: r.failed}})
	e.write(event{Name: r.name, Category: "job", Phase: "e", ID: id, Time: e.micros(r.to)})
}

// lane is one line of a picture: parts that do not overlap in time.
type lane struct {
	name  string
	stays []stay // in order of time
	until int64  // when the last of them ends
}

// stay is a part of a job, on a lane.
type stay struct {
	job  *record
	part *part
}

// lanes puts all parts that have cells on lanes: first those of goroutines that are no residents, each on the
// first lane that is free, then a lane for each resident.
func lanes(jobs []*record) []*lane {
	var stays []stay
	for _, r := range jobs {
		for i := range r.parts {
			if p := &r.parts[i]; len(p.spans) > 0 {
				stays = append(stays, stay{r, p})
			}
		}
	}
	slices.SortStableFunc(stays, func(a, b stay) int {
		return cmp.Or(cmp.Compare(a.part.from, b.part.from), cmp.Compare(b.part.to, a.part.to))
	})
	var others, residents []*lane
	own := map[*tally]*lane{}
	for _, s := range stays {
		l := own[s.part.resident]
		if s.part.resident == nil {
			if i := slices.IndexFunc(others, func(l *lane) bool { return l.until <= s.part.from }); i >= 0 {
				l = others[i]
			}
		}
		switch {
		case l != nil:
		case s.part.resident == nil:
			l = &lane{name: "goroutine " + strconv.Itoa(len(others)+1)}
			others = append(others, l)
		default:
			l = &lane{name: "resident " + strconv.Itoa(len(residents)+1)}
			residents = append(residents, l)
			own[s.part.resident] = l
		}
		l.stays = append(l.stays, s)
		l.until = s.part.to
	}
	return append(others, residents...)
}
