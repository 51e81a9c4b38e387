package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// pictures are the ways to write what was recorded, by the ends of files' names.
var pictures = map[string]func(io.Writer, []parallelfor.RecordedJob) error{
	".svg":  timeline.SVG,
	".json": timeline.Trace,
	".dot":  timeline.DOT,
}

// recording records the jobs of the run, for a file.
type recording struct {
	file  string
	graph *parallelfor.Graph
}

// record begins to record, if there is a file for it.
func record(file string) (r recording) {
	if file != "" {
		r = recording{file, parallelfor.Record()}
	}
	return r
}

// written ends the recording, writes the file, and says so.
func (r recording) written(stderr io.Writer) error {
	if r.graph == nil {
		return nil
	}
	r.graph.Stop()
	var b bytes.Buffer
	if err := pictures[filepath.Ext(r.file)](&b, r.graph.Jobs()); err != nil {
		return err
	}
	if err := os.WriteFile(r.file, b.Bytes(), 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintln(stderr, "timeline:", r.file)
	return err
}
