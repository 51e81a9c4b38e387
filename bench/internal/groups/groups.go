// Package groups holds the comparisons, a file for each group of them.
//
// To add a group write a file with a function that adds rows to a [Run], and name it in [All]. What
// holds for every group:
//
//   - Ours goes through the public API of the library, in the build that users have by default, with a
//     struct job.
//   - The limit is the fastest program in plain Go for the same work, its machine code read, not one
//     that is easy to beat. When it is not clear which of several programs that is, all are measured,
//     and the limit is the fastest.
//   - Every side checks its result, so none can leave work out.
//   - A row has a bar that it can miss, or says that it has none.
package groups

import (
	"fmt"
	"runtime"
	"sync"

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

// All is the groups in the order in which they run.
var All = []Group{
	{"counter", "What it costs to count: by loops, each worker in its own lane; from any goroutine; and to read the value.", counterRows},
	{"array", "Loops over arrays through views, by window and by index, against loops over slices; and the default build against the unchecked one.", arrayRows},
	{"list", "Loops that append, in the order of the sequential loop, against two passes and against append.", listRows},
	{"table", "Loops over the columns of a table, changes of its rows between frames, and loops over what changed.", tableRows},
	{"queue", "Items handed from goroutine to goroutine, bounded and not, one by one and in batches; and what loops leave, against channels and queues of other libraries.", queueRows},
	{"map", "Loads and stores from all goroutines at the same time, overwriting, memory, and keys that are hard to hash, against concurrent maps of other libraries.", mapRows},
	{"multimap", "Grouping by key and visiting all values of a key, against maps of slices by hand and sorted arrays.", multimapRows},
	{"map phases", "Maps that loops fill, merge into and read, whose phases are known, against maps that must expect anything.", mapPhaseRows},
	{"scheduler", "What a loop costs around its body: empty ones, short ones, from idle, skewed, chained and nested, against goroutines and the pools of other libraries.", schedulerRows},
	{"scaling", "The same work by one worker, by two, and up to the number of cores, beside as many goroutines by hand; there are no bars.", scalingRows},
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

	drivers *drivers
}

// Start runs a group.
func (g *Group) Start(c measure.Config, allPeers bool, note func(string)) []report.Row {
	r := &Run{Config: c, Group: g.Name, Note: note, AllPeers: allPeers}
	g.Rows(r)
	return r.Rows
}

// comparison is a measured series, from which rows are made. Its sides have the names ours and those
// that the group gives.
type comparison struct {
	*measure.Series
	run   *Run
	work  string
	limit string // the name of the limit's side, if any
	peers []string
	sides []report.Side
}

const ours = "ours"

// compare measures the sides. limits names those that are programs for the limit.
func (r *Run) compare(work string, units int, limits []string, sides ...measure.Side) *comparison {
	c := &comparison{Series: measure.Interleave(r.Config, units, sides...), run: r, work: work}
	if len(limits) > 0 {
		c.limit = c.Best(limits...)
	}
	c.sides = sidesOf(c.Series)
	return c
}

// sidesOf returns the times of all sides.
func sidesOf(s *measure.Series) []report.Side {
	var sides []report.Side
	for _, side := range s.Sides {
		sides = append(sides, report.Side{Name: side.Name, Time: s.Time(side.Name)})
	}
	return sides
}

// row returns a row of the series without what it is about.
func (c *comparison) row() report.Row {
	row := report.Row{Group: c.run.Group, Work: c.work, Ours: c.Time(ours).Median, Side: ours, Sides: c.sides}
	if c.limit != "" {
		row.Limit, row.LimitSide = c.Time(c.limit).Median, c.limit
	}
	return row
}

// atMost adds the row that ours takes at most bar times as long as the limit.
func (c *comparison) atMost(bar float64) {
	row := c.row()
	row.Ratio, row.Bar = c.Ratio(ours, c.limit), bar
	c.run.Rows = append(c.run.Rows, row)
}

// over adds the row that ours takes at most ns nanoseconds longer than the limit; the ratio is that of
// the difference to ns.
func (c *comparison) over(ns float64) {
	row := c.row()
	row.Work += fmt.Sprintf(", ns over the limit / %g", ns)
	row.Ratio, row.Bar = c.Over(ours, c.limit, ns), 1
	c.run.Rows = append(c.run.Rows, row)
}

// atMostOf adds the row that ours takes at most bar times as long as a peer. Bar 0 is none.
func (c *comparison) atMostOf(bar float64, peer string) {
	row := c.row()
	row.Peer, row.PeerTime = peer, c.Time(peer).Median
	row.Ratio, row.Bar, row.Info = c.Ratio(ours, peer), bar, bar == 0
	c.run.Rows = append(c.run.Rows, row)
}

// atMostOfOwn is atMostOf where the other side is the library, too.
func (c *comparison) atMostOfOwn(bar float64, variant string) {
	c.atMostOf(bar, variant)
	c.own()
}

// own says of the last row that it compares the library with itself.
func (c *comparison) own() { c.run.Rows[len(c.run.Rows)-1].Own = true }

// as adds the row that another side of ours takes at most bar times as long as a peer.
func (c *comparison) as(side, what string, bar float64, peer string) {
	row := c.row()
	row.Work += ", " + what
	row.Ours, row.Side = c.Time(side).Median, side
	row.Peer, row.PeerTime = peer, c.Time(peer).Median
	row.Ratio, row.Bar, row.Info = c.Ratio(side, peer), bar, bar == 0
	c.run.Rows = append(c.run.Rows, row)
}

// atMostHalf adds the row that ours takes at most bar times half as long as the limit: what two cores
// could do.
func (c *comparison) atMostHalf(bar float64) {
	row := c.row()
	row.Work += ", limit: half of the loop"
	row.Limit /= 2
	row.Ratio, row.Bar = c.Ratio(ours, c.limit).Times(2), bar
	c.run.Rows = append(c.run.Rows, row)
}

// beside adds rows without bars: ours against the fastest peer, or against each.
func (c *comparison) beside() {
	names := c.peers
	if !c.run.AllPeers {
		names = []string{c.Best(names...)}
	}
	for _, name := range names {
		c.atMostOf(0, name)
	}
}

// parts calls part for even parts of [0, n), one for each processor, each on a new goroutine, and waits.
func parts(n int, part func(p, begin, end int)) {
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

// partsHere is parts, with the last part on the goroutine that calls.
func partsHere(n int, part func(p, begin, end int)) {
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

// mustBe stops everything when a side's result is wrong: then its time means nothing.
func mustBe[T comparable](side string, got, want T) {
	if got != want {
		panic(fmt.Sprintf("groups: %s returned %v, and %v is right", side, got, want))
	}
}
