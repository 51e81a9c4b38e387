package main

import (
	"bytes"
	"cmp"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/picture"
	"example.com/custody/examples/router/internal/route"
	"example.com/custody/examples/router/internal/usage"
	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// recording is what was recorded of one search of all goals by jobs.
type recording struct {
	graph *parallelfor.Graph
	usage.Usage
}

// recordings is how often the jobs are recorded: of so many times the one counts that is in the middle.
const recordings = 15

// record records the jobs, says how busy the workers were, and writes the picture that was asked for.
func record(o options, jobs *route.Jobs, w io.Writer) error {
	var all []recording
	for range recordings {
		jobs.Run(nil) // after it nobody sleeps
		r := recording{graph: parallelfor.Record()}
		jobs.Run(nil)
		r.graph.Stop()
		r.Usage = usage.Measure(r.graph.Jobs(), min(o.workers, o.Goals))
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b recording) int { return cmp.Compare(a.Share, b.Share) })
	r := all[len(all)/2]
	fmt.Fprintf(w, "timeline: %d jobs in %v, %.2f of the time of %s busy; at best %.2f\n",
		r.Jobs, rounded(r.Span), r.Share, workers(min(o.workers, o.Goals)), all[len(all)-1].Share)
	drawing := func(draw func(io.Writer, []parallelfor.RecordedJob) error) error {
		return written(o.timeline, func(w io.Writer) error { return draw(w, r.graph.Jobs()) })
	}
	switch filepath.Ext(o.timeline) {
	case ".svg":
		return drawing(timeline.SVG)
	case ".json":
		return drawing(timeline.Trace)
	case ".dot":
		return drawing(timeline.DOT)
	}
	return nil
}

// drawn writes the picture of the ways.
func drawn(name string, t grid.Task, routes []route.Route) error {
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return written(name, func(w io.Writer) error { return encoder.Encode(w, picture.Draw(t, routes)) })
}

// written writes a file.
func written(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
