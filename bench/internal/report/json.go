package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.com/custody/bench/internal/measure"
)

// Run says what rows were measured on, and how.
type Run struct {
	Command string  `json:"command"`
	Date    string  `json:"date"`
	Go      string  `json:"go"`
	OS      string  `json:"os"`
	Arch    string  `json:"arch"`
	CPU     string  `json:"cpu"`
	Cores   int     `json:"cores"`
	Procs   int     `json:"gomaxprocs"`
	Reps    int     `json:"reps"`
	Sample  float64 `json:"sample_ms"`
	// Brief says that some work was smaller than in a full run.
	Brief bool `json:"brief,omitempty"`
	// LineNS is a cache line's round trip between two cores before the first row; 0 when there are
	// not two.
	LineNS float64 `json:"line_ns"`
	// Build is "default", or what the library was built as instead.
	Build string `json:"build"`
	// Note is what a reader should know of the machine during the run, if anything.
	Note string `json:"note,omitempty"`
}

type jsonSide struct {
	Name string  `json:"name"`
	Time float64 `json:"ns"`
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
}

type jsonRow struct {
	Group   string     `json:"group"`
	Work    string     `json:"work"`
	Unit    string     `json:"unit"`
	Ours    float64    `json:"ours_ns"`
	Side    string     `json:"ours_side"`
	Limit   float64    `json:"limit_ns"`
	LimitOf string     `json:"limit"`
	Peer    string     `json:"peer"`
	PeerT   float64    `json:"peer_ns"`
	Ratio   float64    `json:"ratio"`
	Lo      float64    `json:"ratio_lo"`
	Hi      float64    `json:"ratio_hi"`
	Bar     float64    `json:"bar"`
	Info    bool       `json:"info"`
	Lower   bool       `json:"lower"`
	Own     bool       `json:"own,omitempty"`
	OK      bool       `json:"ok"`
	Workers int        `json:"workers,omitempty"`
	Sides   []jsonSide `json:"sides,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (r *Row) MarshalJSON() ([]byte, error) {
	j := jsonRow{r.Group, r.Work, r.Unit, r.Ours, r.Side, r.Limit, r.LimitSide, r.Peer, r.PeerTime,
		r.Ratio.Median, r.Ratio.Lo, r.Ratio.Hi, r.Bar, r.Info, r.Lower, r.Own, r.OK(), r.Workers, nil}
	if j.Unit == "" {
		j.Unit = "ns"
	}
	for _, s := range r.Sides {
		j.Sides = append(j.Sides, jsonSide{s.Name, s.Time.Median, s.Time.Lo, s.Time.Hi})
	}
	return json.Marshal(j)
}

// UnmarshalJSON implements json.Unmarshaler. Whether the row holds is computed, not read.
func (r *Row) UnmarshalJSON(text []byte) error {
	var j jsonRow
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*r = Row{Group: j.Group, Work: j.Work, Unit: j.Unit, Ours: j.Ours, Side: j.Side, Limit: j.Limit, LimitSide: j.LimitOf,
		Peer: j.Peer, PeerTime: j.PeerT, Ratio: measure.Estimate{Median: j.Ratio, Lo: j.Lo, Hi: j.Hi},
		Bar: j.Bar, Info: j.Info, Lower: j.Lower, Own: j.Own, Workers: j.Workers}
	if r.Unit == "ns" {
		r.Unit = ""
	}
	for _, s := range j.Sides {
		r.Sides = append(r.Sides, Side{s.Name, measure.Estimate{Median: s.Time, Lo: s.Lo, Hi: s.Hi}})
	}
	return nil
}

// Start writes the line that comes before those of the rows.
func Start(w io.Writer, run *Run) error { return json.NewEncoder(w).Encode(run) }

// JSON writes one line for each row.
func JSON(w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return fmt.Errorf("%s, %s: %w", rows[i].Group, rows[i].Work, err)
		}
	}
	return nil
}

// Read reads what Start and JSON wrote.
func Read(from io.Reader) (*Run, []Row, error) {
	d := json.NewDecoder(from)
	run := new(Run)
	if err := d.Decode(run); err != nil {
		return nil, nil, fmt.Errorf("the line of the run: %w", err)
	}
	if run.Go == "" {
		return nil, nil, errors.New("the first line does not say what was run")
	}
	var rows []Row
	for {
		var row Row
		err := d.Decode(&row)
		if errors.Is(err, io.EOF) {
			return run, rows, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		if row.Group == "" || row.Work == "" {
			return nil, nil, fmt.Errorf("row %d has no group or no work", len(rows)+1)
		}
		rows = append(rows, row)
	}
}
