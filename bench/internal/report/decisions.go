package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Section is a chart of the page, and lines of its table.
type Section struct {
	Name  string // of the chart's file
	Title string
	Lines []Line
}

// Line is what a reader decides by: all rows of one work. In Work a * stands for a size.
type Line struct{ Name, Group, Work string }

// Sections are the lines of the page.
var Sections = []Section{
	{"loops", "Loops", []Line{
		{"loop over 1M floats", "array", "out[i] = 2*in[i], 1M float64, batches"},
		{"saxpy, 1k floats", "scheduler", "saxpy, 1k float32"},
		{"saxpy, 100k floats", "scheduler", "saxpy, 100k float32"},
		{"17 µs of arithmetic, loop after loop", "scheduler", "17 us in 256 indices, back to back"},
		{"uneven indices", "scheduler", "10k indices, 1 % cost x1000, 1.4 ms"},
		{"frame of three jobs", "scheduler", "3 jobs in a chain, 10k elements"},
		{"sort", "sort", "* random int sorted"},
		{"sort structs by key", "sort", "* structs sorted by uniform keys"},
		{"append half of 4M in order", "list", "half of 4M appended in order, memory of before, all workers"},
		{"0 to 7 items, known before", "list", "0 to 7 items, whose number is known, for each of 1M indices, all workers"},
		{"0 to 8 items for each index", "list", "items of 8 candidates for each of 1M indices, memory of before, all workers"},
	}},
	{"maps", "Maps and groups", []Line{
		{"build a map of ints in a loop", "map phases", "* int keys set by a loop, the map grows"},
		{"build a map of strings in a loop", "map phases", "* string keys set by a loop, the map grows"},
		{"look up strings in a loop", "map phases", "* string keys, only looked up in a loop"},
		{"count 100k different keys in a loop", "map phases", "1M keys counted, 100k of them different"},
		{"range over a map", "map phases", "* entries looked at, int keys"},
		{"shared map of ints, 1 % writes", "map", "map, int keys, 100k uniform, 99/1"},
		{"shared map of strings, 10 % writes", "map", "map, string keys, 100k uniform, 90/10"},
		{"group by 4k dense keys", "multimap", "200k values put into rows by 4096 random keys, int32"},
		{"group by 1k keys", "multimap", "* pairs put in by all workers, 1k keys"},
		{"group by 100k keys", "multimap", "* pairs put in by all workers, 100k keys"},
	}},
	{"programs", "Whole programs", []Line{
		{"replace a tenth of the rows", "table", "10 % of 100k rows of four columns removed and as many added"},
		{"count words", "programs", "words of 4k texts counted"},
		{"count words, in order", "programs", "words of 4k texts counted, in order of appearance"},
		{"sessions by name", "programs", "* sessions, strings to pointers, 90/10, 4 goroutines"},
		{"particles by cell", "programs", "* particles put into 4k cells, cells visited"},
		{"events by user", "programs", "* events grouped by user, sums and longest gaps"},
		{"blur of an image", "programs", "* RGBA pixels blurred by rows, bytes counted"},
		{"count k-mers", "programs", "* k-mers counted, and their counts"},
	}},
	{"sharing", "Counters and queues", []Line{
		{"bytes into a histogram", "counter", "8M random bytes into a histogram"},
		{"count in a loop, IncIf", "counter", "count zeros, 10M int32, half 0, random, IncIf for each"},
		{"count in a loop, a sum a batch", "counter", "count zeros, 10M int32, half 0, random, Add per batch"},
		{"count from 8 goroutines", "counter", "Counter.Add, 8 goroutines"},
		{"count from 8 goroutines, a Local each", "counter", "Local.Add, 8 goroutines"},
		{"queue, 4 to 4 goroutines", "queue", "4 to 4 goroutines, int64, room for 1024"},
		{"queue, 1 to 1 goroutine", "queue", "1 to 1 goroutines, int64, room for 1024, SPSC"},
		{"queue without a bound, 4 to 4", "queue", "4 to 4 goroutines, int64, no bound"},
		{"request and answer", "queue", "a request and its answer"},
		{"a loop fills, one goroutine takes", "queue", "both, 262k int64"},
	}},
}

// Entry is a line with its rows. A ratio to half of a loop is in Plain a ratio to the loop.
type Entry struct {
	Line
	Plain *Row // against the plain program, or nil
	Peer  *Row // against the best peer, or nil

	rows []*Row // all
}

// halved ends the work of rows whose limit is half of a loop.
const halved = ", limit: half of the loop"

// Entries returns the lines that have rows.
func (s *Section) Entries(rows []Row) (all []Entry) {
	for _, l := range s.Lines {
		e := Entry{Line: l}
		is := l.pattern()
		for i := range rows {
			if r := &rows[i]; r.Group == l.Group && is.MatchString(strings.TrimSuffix(r.Work, halved)) {
				e.add(r)
			}
		}
		if len(e.rows) > 0 {
			all = append(all, e)
		}
	}
	return all
}

func (l *Line) pattern() *regexp.Regexp {
	size := `[0-9]+[kM]?`
	if !strings.HasPrefix(l.Work, "*") {
		size = `\*` // of a formula
	}
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(l.Work), `\*`, size) + "$")
}

// add adds a row. Of the works of several sizes the largest counts, which comes last.
func (e *Entry) add(r *Row) {
	if len(e.rows) > 0 && strings.TrimSuffix(e.rows[0].Work, halved) != strings.TrimSuffix(r.Work, halved) {
		*e = Entry{Line: e.Line}
	}
	e.rows = append(e.rows, r)
	switch {
	case r.Own:
	case r.Peer != "":
		if e.Peer == nil || r.PeerTime < e.Peer.PeerTime {
			e.Peer = r
		}
	case strings.HasSuffix(r.Work, halved):
		whole := *r
		whole.Limit, whole.Ratio, whole.Bar = 2*r.Limit, r.Ratio.Times(0.5), r.Bar/2
		e.Plain = &whole
	default:
		e.Plain = r
	}
}

// Ours returns the row that has the library's time.
func (e *Entry) Ours() *Row { return e.rows[0] }

// Holds reports whether all bars of the line are met, or "" when it has none.
func (e *Entry) Holds() string {
	holds := ""
	for _, r := range e.rows {
		holds = cmp.Or(worse(holds, r.holds()), holds)
	}
	return holds
}

// verdicts are from the best to the worst.
var verdicts = []string{"", "yes", "perhaps", "no"}

func worse(a, b string) string {
	return verdicts[max(slices.Index(verdicts, a), slices.Index(verdicts, b))]
}

// holds is "" for a row without a bar, and "perhaps" for a miss whose interval has the bar in it.
func (r *Row) holds() string {
	switch {
	case r.Info:
		return ""
	case r.OK():
		return "yes"
	case r.Perhaps():
		return "perhaps"
	}
	return "no"
}
