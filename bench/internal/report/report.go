package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.com/custody/bench/internal/measure"
)

// Row is one comparison and what it must be.
type Row struct {
	Group string
	Work  string // what is done
	Unit  string // of Ours, Limit and PeerTime; "" is ns
	Ours  float64
	Side  string // the side that Ours is of; "" when there are no Sides

	// Limit is the time of the limit program: the fastest one without any library; 0 when there is
	// none.
	Limit     float64
	LimitSide string // the side that Limit is made of; "" when there is none
	// Peer and PeerTime are the library or program compared with; "" and 0 when it is the limit.
	Peer     string
	PeerTime float64

	Ratio measure.Estimate
	Bar   float64 // the largest Ratio that is good
	Info  bool    // there is no bar
	Own   bool    // Peer is the library itself, used in another way or for other work
	Lower bool    // what must not be above the bar is the interval's lower end: a difference that can be told from noise

	// Sides are all programs of the comparison, with their spreads; nil when there is no comparison
	// of sides.
	Sides []Side
	// Workers is how many workers did the work, in a row of a scaling curve; 0 in others.
	Workers int
}

// Side is one program of a comparison and its time for one unit of work.
type Side struct {
	Name string
	Time measure.Estimate
}

// Against returns the name of what the ratio compares with: the peer, or the limit; "" is nothing.
func (r *Row) Against() string {
	if r.Peer == "" && r.Limit > 0 {
		return "limit"
	}
	return r.Peer
}

// spread returns the spread of a side's samples as benchstat writes it, or "" for a side that is
// not there.
func (r *Row) spread(name string) string {
	for _, s := range r.Sides {
		if s.Name == name {
			return s.Time.Spread()
		}
	}
	return ""
}

// others writes the sides that the row itself does not name, with their times and spreads.
func (r *Row) others() string {
	var list []string
	for _, s := range r.Sides {
		if s.Name != r.Side && s.Name != r.LimitSide && s.Name != r.Peer {
			list = append(list, s.Name+" "+r.quantity(s.Time.Median)+" "+s.Time.Spread())
		}
	}
	return strings.Join(list, "; ")
}

// Value returns what the bar is for.
func (r *Row) Value() float64 {
	if r.Lower {
		return r.Ratio.Lo
	}
	return r.Ratio.Median
}

// OK reports whether the row holds. What is not a number does not hold.
func (r *Row) OK() bool { return r.Info || r.Value() <= r.Bar }

// Perhaps reports whether a row does not hold and its bar is within its interval.
func (r *Row) Perhaps() bool { return !r.OK() && r.Ratio.Lo <= r.Bar }

// Table writes the rows as a table for people. The programs of a comparison that a row does not
// name stand at its end, once for each comparison.
func Table(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "group\twork\tours\tlimit\tagainst\tits\tratio\t95 % interval\tbar\tok\tbeside them")
	for i := range rows {
		r := &rows[i]
		bar, ok := number(r.Bar), "yes"
		switch {
		case r.Info:
			bar, ok = "-", "info"
		case !r.OK():
			ok = "NO"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Group, r.Work, r.ours(), r.limit(), r.Against(), r.its(),
			number(r.Value()), r.interval(), bar, ok, firstOthers(rows, i))
	}
	return t.Flush()
}

func (r *Row) ours() string { return join(r.quantity(r.Ours), r.spread(r.Side)) }

func (r *Row) limit() string { return join(r.quantity(r.Limit), r.spread(r.LimitSide)) }

func (r *Row) its() string { return join(r.quantity(r.PeerTime), r.spread(r.Peer)) }

func (r *Row) interval() string { return "[" + number(r.Ratio.Lo) + ", " + number(r.Ratio.Hi) + "]" }

// join writes a quantity and its spread, if there are any.
func join(quantity, spread string) string {
	if quantity == "" {
		return ""
	}
	return strings.TrimSpace(quantity + " " + spread)
}

// firstOthers returns the others of a row, or "" when a row above is of the same comparison.
func firstOthers(rows []Row, i int) string {
	if i > 0 && slices.Equal(rows[i].Sides, rows[i-1].Sides) {
		return ""
	}
	return rows[i].others()
}

func (r *Row) quantity(v float64) string {
	switch {
	case v == 0 && r.Unit == "":
		return ""
	case r.Unit == "":
		return number(v) + " ns"
	case v == 0 && r.Ours != 0:
		return ""
	}
	return number(v) + " " + r.Unit
}

// number writes three digits that count, but no exponents.
func number(v float64) string {
	switch a := max(v, -v); {
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 1 || a == 0:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}
