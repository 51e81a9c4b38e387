// Package rows makes the rows of a group of comparisons out of what its programs measure.
package rows

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
)

// Group is some comparisons.
type Group struct {
	Name string
	// About says in a sentence what is measured.
	About string
	Rows  func(r *Run)
}

// Run is one run of a group.
type Run struct {
	Config measure.Config
	Group  string
	Rows   []report.Row
	// Note is called with what a reader of the rows should know, such as what was left out.
	Note func(text string)
	// AllPeers asks for a row for each peer where there would be one for the fastest of them.
	AllPeers bool
}

// Start runs a group.
func (g *Group) Start(c measure.Config, allPeers bool, note func(string)) []report.Row {
	r := &Run{Config: c, Group: g.Name, Note: note, AllPeers: allPeers}
	g.Rows(r)
	return r.Rows
}

// Sized returns how large work is that takes too long in a brief run: there it is smaller. The
// names of rows say which.
func (r *Run) Sized(full, brief int) int {
	if r.Config.Brief {
		return brief
	}
	return full
}

// Thousands writes a size as names of rows do.
func Thousands(n int) string {
	if n < 1_000_000 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%dM", n/1_000_000)
}

// Comparison is a measured series, from which rows are made. Its sides have the names Ours and
// those that the group gives.
type Comparison struct {
	*measure.Series
	Work  string
	Limit string // the name of the limit's side, if any
	Peers []string

	run   *Run
	sides []report.Side
}

// Ours is the name of the library's side.
const Ours = "ours"

// Compare measures the sides. limits names those that are programs for the limit.
func (r *Run) Compare(work string, units int, limits []string, sides ...measure.Side) *Comparison {
	return r.Limited(work, measure.Interleave(r.Config, units, sides...), limits...)
}

// Limited is a comparison of which the group itself has measured the series, with the programs for
// the limit.
func (r *Run) Limited(work string, s *measure.Series, limits ...string) *Comparison {
	c := &Comparison{Series: s, run: r, Work: work, sides: SidesOf(s)}
	if len(limits) > 0 {
		c.Limit = c.Best(limits...)
	}
	return c
}

// Measured is a comparison of which the group itself has measured the series.
func (r *Run) Measured(work string, s *measure.Series) *Comparison {
	return &Comparison{Series: s, run: r, Work: work}
}

// SidesOf returns the times of all sides.
func SidesOf(s *measure.Series) []report.Side {
	var sides []report.Side
	for _, side := range s.Sides {
		sides = append(sides, report.Side{Name: side.Name, Time: s.Time(side.Name)})
	}
	return sides
}

// Row returns a row of the series without what it is about.
func (c *Comparison) Row() report.Row {
	row := report.Row{Group: c.run.Group, Work: c.Work, Ours: c.Time(Ours).Median, Side: Ours, Sides: c.sides}
	if c.Limit != "" {
		row.Limit, row.LimitSide = c.Time(c.Limit).Median, c.Limit
	}
	return row
}

// AtMost adds the row that ours takes at most bar times as long as the limit.
func (c *Comparison) AtMost(bar float64) {
	row := c.Row()
	row.Ratio, row.Bar = c.Ratio(Ours, c.Limit), bar
	c.run.Rows = append(c.run.Rows, row)
}

// LongerBy adds the row that ours takes at most ns nanoseconds longer than the limit; the ratio is
// that of the difference to ns.
func (c *Comparison) LongerBy(ns float64) {
	row := c.Row()
	row.Work += fmt.Sprintf(", ns over the limit / %g", ns)
	row.Ratio, row.Bar = c.Over(Ours, c.Limit, ns), 1
	c.run.Rows = append(c.run.Rows, row)
}

// AtMostOf adds the row that ours takes at most bar times as long as a peer. Bar 0 is none.
func (c *Comparison) AtMostOf(bar float64, peer string) {
	row := c.Row()
	row.Peer, row.PeerTime = peer, c.Time(peer).Median
	row.Ratio, row.Bar, row.Info = c.Ratio(Ours, peer), bar, bar == 0
	c.run.Rows = append(c.run.Rows, row)
}

// AtMostOfOwn is AtMostOf where the other side is the library, too.
func (c *Comparison) AtMostOfOwn(bar float64, variant string) {
	c.AtMostOf(bar, variant)
	c.Own()
}

// Own says of the last row that it compares the library with itself.
func (c *Comparison) Own() { c.run.Rows[len(c.run.Rows)-1].Own = true }

// As adds the row that another side of ours takes at most bar times as long as a peer.
func (c *Comparison) As(side, what string, bar float64, peer string) {
	row := c.Row()
	row.Work += ", " + what
	row.Ours, row.Side = c.Time(side).Median, side
	row.Peer, row.PeerTime = peer, c.Time(peer).Median
	row.Ratio, row.Bar, row.Info = c.Ratio(side, peer), bar, bar == 0
	c.run.Rows = append(c.run.Rows, row)
}

// AtMostHalf adds the row that ours takes at most bar times half as long as the limit: what two
// cores could do.
func (c *Comparison) AtMostHalf(bar float64) {
	row := c.Row()
	row.Work += ", limit: half of the loop"
	row.Limit /= 2
	row.Ratio, row.Bar = c.Ratio(Ours, c.Limit).Times(2), bar
	c.run.Rows = append(c.run.Rows, row)
}

// Beside adds rows without bars: ours against the fastest peer, or against each.
func (c *Comparison) Beside() {
	names := c.Peers
	if !c.run.AllPeers {
		names = []string{c.Best(names...)}
	}
	for _, name := range names {
		c.AtMostOf(0, name)
	}
}

// Parts calls part for even parts of [0, n), one for each processor, each on a new goroutine, and
// waits.
func Parts(n int, part func(p, begin, end int)) {
	procs := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	wg.Add(procs)
	for p := range procs {
		go func() {
			part(p, n*p/procs, n*(p+1)/procs)
			wg.Done()
		}()
	}
	wg.Wait()
}

// PartsHere is Parts, with the last part on the goroutine that calls.
func PartsHere(n int, part func(p, begin, end int)) {
	procs := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	wg.Add(procs - 1)
	for p := range procs - 1 {
		go func() {
			part(p, n*p/procs, n*(p+1)/procs)
			wg.Done()
		}()
	}
	part(procs-1, n*(procs-1)/procs, n)
	wg.Wait()
}

// MustBe stops everything when a side's result is wrong: then its time means nothing.
func MustBe[T comparable](side string, got, want T) {
	if got != want {
		panic(fmt.Sprintf("%s returned %v, and %v is right", side, got, want))
	}
}

// Without returns names without some.
func Without(names []string, some ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(some, name) })
}

// Slot is a count on cache lines of its own.
type Slot struct {
	atomic.Int64
	_ [120]byte
}
