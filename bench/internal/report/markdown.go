package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Page is what a page in Markdown is made of. The same page makes the same text.
type Page struct {
	Run  *Run
	Rows []Row
	// Plots are the charts, in their order, and Results the table of all rows, as links from where
	// the page is.
	Plots   []Plot
	Results string
}

// Plot is a chart.
type Plot struct{ Alt, Link string }

// plotWidth is that of a chart on the page, where two have room side by side.
const plotWidth = 410

// WriteTo writes the page: the charts, and a table of what readers decide by.
func (p *Page) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprint(&b, "# Benchmarks\n\n<!-- Made by bench/ratios; not to be edited. -->\n\n")
	if p.Run.Note != "" {
		fmt.Fprintf(&b, "**%s**\n\n", plain(p.Run.Note))
	}
	fmt.Fprintf(&b, "One run on one machine (%d cores). [All its %d rows](%s): %s. Ratios carry over to other machines better than times do.\n\n",
		p.Run.Cores, len(p.Rows), p.Results, p.score())
	for _, plot := range p.Plots {
		fmt.Fprintf(&b, "<img src=\"%s\" width=\"%d\" align=\"top\" alt=\"%s\">\n", plot.Link, plotWidth, plot.Alt)
	}
	p.table(&b)
	p.legend(&b)
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// score says how many bars the rows meet.
func (p *Page) score() string {
	count := map[string]int{}
	for i := range p.Rows {
		count[p.Rows[i].holds()]++
	}
	bars := count["yes"] + count["no"] + count["perhaps"]
	switch missed := bars - count["yes"]; {
	case bars == 0:
		return "none has a bar"
	case missed == 0:
		return fmt.Sprintf("all %d bars are met", bars)
	default:
		return fmt.Sprintf("%d of %d bars are missed, %d of these within the interval", missed, bars, count["perhaps"])
	}
}

var marks = map[string]string{"": "", "yes": "yes", "perhaps": "**no**,\u00a0perhaps", "no": "**no**"}

func (p *Page) table(b *strings.Builder) {
	for _, s := range Sections {
		entries := s.Entries(p.Rows)
		if len(entries) == 0 {
			continue
		}
		if !strings.Contains(b.String(), "\n|---") {
			fmt.Fprint(b, "\n| work | ours | plain Go | ratio | best peer | ratio | bars | holds |\n|---|---|---|---|---|---|---|---|\n")
		}
		for _, e := range entries {
			ours := e.Ours()
			fmt.Fprintf(b, "| %s | %s |", plain(e.Name), ours.readable(ours.Ours))
			for _, r := range []*Row{e.Plain, e.Peer} {
				switch {
				case r == nil:
					fmt.Fprint(b, " | |")
				case r.Peer == "":
					fmt.Fprintf(b, " %s, %s | %s |", r.readable(r.Limit), plain(r.LimitSide), number(r.Ratio.Median))
				default:
					fmt.Fprintf(b, " %s, %s | %s |", r.readable(r.PeerTime), plain(r.Peer), number(r.Ratio.Median))
				}
			}
			fmt.Fprintf(b, " %s | %s |\n", e.bars(), marks[e.Holds()])
		}
	}
}

// bars lists the bars of an entry. One that is for neither of the ratios shown has a name.
func (e *Entry) bars() string {
	var bars []string
	for _, r := range []*Row{e.Plain, e.Peer} {
		if r != nil && !r.Info {
			bars = append(bars, number(r.Bar))
		}
	}
	for _, r := range e.rows {
		if !r.Info && r != e.Peer && r.Peer != "" {
			bars = append(bars, number(r.Bar)+" of "+plain(r.Peer))
		}
	}
	return strings.Join(bars, ", ")
}

func (p *Page) legend(b *strings.Builder) {
	r := p.Run
	fmt.Fprint(b, "\n- **ours**: the library's time for one unit of work: an item, an index, an operation, or the whole loop where one is named.\n"+
		"- **plain Go**: the fastest program without a library; the sequential loop where it says \"the loop\".\n"+
		"- **best peer**: the fastest other library, or program by hand.\n"+
		"- **ratio**: our time divided by theirs, median of one run; charts have the 95 % interval.\n"+
		"- **bars**: the largest ratios that the project accepts; a name stands beside one for another peer.\n"+
		"- **holds**: whether the bars are met; \"perhaps\" where the missed bar lies within the interval.\n\n")
	fmt.Fprintf(b, "Made by `%s` on %s: %s %s/%s, %s, %d cores, GOMAXPROCS %d, %s build; %d samples of about %g ms of each program, in turn%s; "+
		"a cache line's round trip between two cores took %s. How it measures, and what each row is: [bench](bench/README.md).\n",
		r.Command, r.Date, r.Go, r.OS, r.Arch, or(r.CPU, "a processor without a name"), r.Cores, r.Procs, r.Build, r.Reps, r.Sample, work(r.Brief),
		or(nonzero(r.LineNS), "no time, for there are not two"))
}

func work(brief bool) string {
	if brief {
		return ", some works smaller than with `-full`"
	}
	return ""
}

func nonzero(ns float64) string {
	if ns == 0 {
		return ""
	}
	return number(ns) + " ns"
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// readable writes a quantity of the row, a time in the unit that fits.
func (r *Row) readable(v float64) string {
	if r.Unit != "" {
		return number(v) + " " + r.Unit
	}
	return Duration(v)
}

// Duration writes nanoseconds in the unit that fits, with three digits that count and a space that
// does not break.
func Duration(ns float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	for ns >= 999.5 && len(units) > 1 {
		ns, units = ns/1000, units[1:]
	}
	return strconv.FormatFloat(ns, 'g', 3, 64) + "\u00a0" + units[0]
}

// WriteTSV writes all rows as a table of values between tabs.
func WriteTSV(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("group\twork\tunit\tours\tlimit\tlimit is\tpeer\tits time\tratio\tlow\thigh\tbar\tholds\tall programs\n")
	for i := range rows {
		r := &rows[i]
		unit := or(r.Unit, "ns")
		var sides []string
		if i == 0 || !slices.Equal(rows[i].Sides, rows[i-1].Sides) {
			for _, s := range r.Sides {
				sides = append(sides, s.Name+" "+number(s.Time.Median)+" "+s.Time.Spread())
			}
		}
		limit, peer, bar := "", "", ""
		if r.LimitSide != "" {
			limit = number(r.Limit)
		}
		if r.Peer != "" {
			peer = number(r.PeerTime)
		}
		if !r.Info {
			bar = number(r.Bar)
		}
		ratio := []string{number(r.Value()), number(r.Ratio.Lo), number(r.Ratio.Hi)}
		if r.Ratio.Median == 0 && r.Against() == "" && r.Info {
			ratio = []string{"", "", ""} // a time, compared with nothing
		}
		fields := append([]string{r.Group, r.Work, unit, number(r.Ours), limit, r.LimitSide, r.Peer, peer}, ratio...)
		fields = append(fields, bar, r.holds(), strings.Join(sides, "; "))
		b.WriteString(strings.Join(fields, "\t") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plain keeps Markdown from reading marks into a text.
func plain(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;").Replace(s)
}
