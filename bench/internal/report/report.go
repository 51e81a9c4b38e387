// Package report holds the rows of a comparison, and prints them.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"example.com/custody/bench/internal/measure"
)

// Row is one comparison and what it must be.
type Row struct {
	Group string
	Work  string // what is done
	Unit  string // of Ours, Limit and PeerTime; "" is ns
	Ours  float64

	// Limit is the time of the limit program: the fastest one without any library; 0 when there is none.
	Limit float64
	// Peer and PeerTime are the library or program compared with; "" and 0 when it is the limit.
	Peer     string
	PeerTime float64

	Ratio measure.Estimate
	Bar   float64 // the largest Ratio that is good
	Info  bool    // there is no bar
	Lower bool    // what must not be above the bar is the interval's lower end: a difference that can be told from noise
}

// Value returns what the bar is for.
func (r *Row) Value() float64 {
	if r.Lower {
		return r.Ratio.Lo
	}
	return r.Ratio.Median
}

// OK says whether the row holds. What is not a number does not hold.
func (r *Row) OK() bool { return r.Info || r.Value() <= r.Bar }

// MarshalJSON implements json.Marshaler.
func (r *Row) MarshalJSON() ([]byte, error) {
	unit := r.Unit
	if unit == "" {
		unit = "ns"
	}
	return json.Marshal(struct {
		Group string  `json:"group"`
		Work  string  `json:"work"`
		Unit  string  `json:"unit"`
		Ours  float64 `json:"ours_ns"`
		Limit float64 `json:"limit_ns"`
		Peer  string  `json:"peer"`
		PeerT float64 `json:"peer_ns"`
		Ratio float64 `json:"ratio"`
		Lo    float64 `json:"ratio_lo"`
		Hi    float64 `json:"ratio_hi"`
		Bar   float64 `json:"bar"`
		Info  bool    `json:"info"`
		OK    bool    `json:"ok"`
	}{r.Group, r.Work, unit, r.Ours, r.Limit, r.Peer, r.PeerTime, r.Value(), r.Ratio.Lo, r.Ratio.Hi, r.Bar, r.Info, r.OK()})
}

// JSON writes one line for each row.
func JSON(w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// Table writes the rows as a table for people.
func Table(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "group\twork\tours\tlimit\tagainst\tits\tratio\t95 % interval\tbar\tok")
	for i := range rows {
		r := &rows[i]
		peer, bar, ok := r.Peer, number(r.Bar), "yes"
		if peer == "" && r.Limit > 0 {
			peer = "limit"
		}
		switch {
		case r.Info:
			bar, ok = "-", "info"
		case !r.OK():
			ok = "NO"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Group, r.Work, r.quantity(r.Ours), r.quantity(r.Limit),
			peer, r.quantity(r.PeerTime), number(r.Value()), "["+number(r.Ratio.Lo)+", "+number(r.Ratio.Hi)+"]", bar, ok)
	}
	return t.Flush()
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
