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
	"example.com/custody/examples/router/internal/timeline"
	"example.com/custody/parallelfor"
)

// recording is what was recorded of one search of all goals by jobs.
type recording struct {
	graph *parallelfor.Graph
	timeline.Usage
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
		var text bytes.Buffer
		err := r.graph.Timeline(&text)
		if err == nil {
			r.Usage, err = timeline.Measure(text.Bytes(), min(o.workers, o.Goals))
		}
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b recording) int { return cmp.Compare(a.Share, b.Share) })
	r := all[len(all)/2]
	fmt.Fprintf(w, "timeline: %d jobs in %v, %.2f of the time of %s busy; at best %.2f\n",
		r.Jobs, rounded(r.Span), r.Share, workers(min(o.workers, o.Goals)), all[len(all)-1].Share)
	switch filepath.Ext(o.timeline) {
	case ".svg":
		return written(o.timeline, r.graph.SVG)
	case ".json":
		return written(o.timeline, r.graph.Timeline)
	case ".dot":
		return written(o.timeline, r.graph.DOT)
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
