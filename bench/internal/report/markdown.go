package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Page is what a page in Markdown is made of. The same page makes the same text.
type Page struct {
	Run  *Run
	Rows []Row
	// About says of each group in a sentence what is measured.
	About map[string]string
	// Plots are the charts of the groups, as links from where the page is.
	Plots map[string]string
}

// WriteTo writes the page: the machine, what falls short, and every row in a section for its group.
func (p *Page) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	r := p.Run
	fmt.Fprint(&b, "# Benchmarks\n\n<!-- Made by bench/ratios from one run of it; not to be edited. -->\n\n")
	fmt.Fprintf(&b, "One run on one machine, with every row that it measured. What the columns say and how it is measured stands in\n"+
		"[bench](bench/README.md). Run the command for your own machine: ratios carry over better than times, and neither does for sure.\n\n")
	if r.Note != "" {
		fmt.Fprintf(&b, "**%s**\n\n", plain(r.Note))
	}
	fmt.Fprint(&b, "| | |\n|---|---|\n")
	for _, line := range [][2]string{
		{"command", "`" + r.Command + "`"},
		{"date", r.Date},
		{"Go", r.Go + " " + r.OS + "/" + r.Arch},
		{"machine", fmt.Sprintf("%s, %d cores, GOMAXPROCS %d", or(r.CPU, "a processor that does not tell its name"), r.Cores, r.Procs)},
		{"cache line's round trip between two cores", or(nonzero(r.LineNS), "there are not two")},
		{"samples", fmt.Sprintf("%d of each program, in turn, about %g ms each", r.Reps, r.Sample)},
		{"work", work(r.Brief)},
		{"build of the library", r.Build},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", line[0], line[1])
	}
	p.summary(&b)
	p.losses(&b)
	p.slower(&b)
	for _, g := range groupsOf(p.Rows) {
		p.section(&b, g)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func work(brief bool) string {
	if brief {
		return "the quick set: where it says a smaller size than `-full` would, that is how much was done"
	}
	return "the full set"
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

// groupsOf returns the groups of rows in their order.
func groupsOf(rows []Row) (names []string) {
	for i := range rows {
		if !slices.Contains(names, rows[i].Group) {
			names = append(names, rows[i].Group)
		}
	}
	return names
}

// score counts rows by how they came out. Of those that are missed, so many are perhaps met. Faster, tied and slower are those that compare with a peer, and not with the limit or with the library
// itself: tied are those whose interval has 1 in it.
type score struct{ met, missed, perhaps, none, faster, tied, slower int }

func scoreOf(rows []Row, group string) (s score) {
	for i := range rows {
		r := &rows[i]
		if r.Group != group && group != "" {
			continue
		}
		switch {
		case r.Info:
			s.none++
		case r.OK():
			s.met++
		default:
			s.missed++
			if r.Perhaps() {
				s.perhaps++
			}
		}
		if !r.againstPeer() {
			continue
		}
		switch {
		case r.Ratio.Hi < 1:
			s.faster++
		case r.Ratio.Lo > 1:
			s.slower++
		default:
			s.tied++
		}
	}
	return s
}

func (p *Page) summary(b *strings.Builder) {
	fmt.Fprint(b, "\n## In short\n\nBars are what the project asks of itself. A row misses its bar when its ratio is above; it is perhaps met when the bar is within the\n"+
		"interval, so that another run may say otherwise. \"Faster\" and \"slower\" are for rows against a peer, and are said "+
		"only where the whole\ninterval is on one side of 1; the others are \"not told apart\".\n\n")
	fmt.Fprint(b, "| group | bars met | bars missed | of them perhaps met | no bar | faster than the peer | not told apart | slower than the peer |\n|---|---|---|---|---|---|---|---|\n")
	for _, g := range append(groupsOf(p.Rows), "") {
		s, name := scoreOf(p.Rows, g), g
		if g == "" {
			name = "**all**"
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, s.met, s.missed, s.perhaps, s.none, s.faster, s.tied, s.slower)
	}
}

// losses lists the rows that miss their bars, those that do by most first, and apart from these those that perhaps do not.
func (p *Page) losses(b *strings.Builder) {
	fmt.Fprint(b, "\n## What falls short\n\n")
	var missed []*Row
	for i := range p.Rows {
		if !p.Rows[i].OK() {
			missed = append(missed, &p.Rows[i])
		}
	}
	if len(missed) == 0 {
		fmt.Fprint(b, "No row of this run misses its bar.\n")
		return
	}
	// By how many times too long, above a bar of nothing first.
	slices.SortStableFunc(missed, func(x, y *Row) int {
		switch a, c := x.Value()/x.Bar, y.Value()/y.Bar; {
		case a > c:
			return -1
		case a < c:
			return 1
		}
		return 0
	})
	var sure, perhaps []*Row
	for _, r := range missed {
		if r.Perhaps() {
			perhaps = append(perhaps, r)
		} else {
			sure = append(sure, r)
		}
	}
	for i, rows := range [][]*Row{sure, perhaps} {
		if len(rows) == 0 {
			continue
		}
		if i == 1 {
			fmt.Fprintf(b, "\nPerhaps met, %d:\n\n", len(rows))
		}
		fmt.Fprint(b, "| group | work | against | ratio | 95 % interval | bar |\n|---|---|---|---|---|---|\n")
		for _, r := range rows {
			fmt.Fprintf(b, "| %s | %s | %s | **%s** | %s | %s |\n", r.Group, plain(r.Work), plain(r.againstWhat()), number(r.Value()), r.interval(), number(r.Bar))
		}
	}
}

// slower lists the rows in which a peer is faster though no bar says that it must not be, those in which it is so by most first.
func (p *Page) slower(b *strings.Builder) {
	var rows []*Row
	for i := range p.Rows {
		if r := &p.Rows[i]; r.againstPeer() && r.OK() && r.Ratio.Lo > 1 {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(x, y *Row) int { return cmp.Compare(y.Ratio.Median, x.Ratio.Median) })
	fmt.Fprint(b, "\n## Where a peer is faster\n\nBesides the rows above: no bar says that these must not be.\n\n")
	fmt.Fprint(b, "| group | work | ours | the peer | its | ratio | 95 % interval |\n|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", r.Group, plain(r.Work), r.ours(), plain(r.Peer), r.its(), number(r.Ratio.Median), r.interval())
	}
}

// againstPeer says whether the row compares with another library, or a program written by hand, that is not the limit.
func (r *Row) againstPeer() bool { return r.Peer != "" && !r.Own }

func (p *Page) section(b *strings.Builder, group string) {
	fmt.Fprintf(b, "\n## Group %s\n\n", group)
	if about := p.About[group]; about != "" {
		fmt.Fprintf(b, "%s\n\n", about)
	}
	if plot := p.Plots[group]; plot != "" {
		fmt.Fprintf(b, "![ratios of group %s](%s)\n\n", group, plot)
	}
	fmt.Fprint(b, "| work | ours | limit | against | its | ratio | 95 % interval | bar | met | beside them |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Group != group {
			continue
		}
		bar, met, ratio := number(r.Bar), "yes", number(r.Value())
		switch {
		case r.Info:
			bar, met = "", ""
		case !r.OK():
			met, ratio = "**no**", "**"+ratio+"**"
		}
		interval := r.interval()
		if r.Ratio.Median == 0 && r.Against() == "" && r.Info {
			ratio, interval = "", "" // a time, compared with nothing
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", plain(r.Work), r.ours(), r.limit(), plain(r.againstWhat()), r.its(),
			ratio, interval, bar, met, plain(firstOthers(p.Rows, i)))
	}
}

// againstWhat returns what the ratio compares with, and of a limit the program that it is the time of.
func (r *Row) againstWhat() string {
	if r.Peer == "" && r.LimitSide != "" {
		return "limit: " + r.LimitSide
	}
	return r.Against()
}

// plain keeps Markdown from reading marks into a text.
func plain(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;").Replace(s)
}
