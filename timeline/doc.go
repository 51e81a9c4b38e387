// Package timeline draws what package parallelfor has recorded: which jobs ran after which, and
// which goroutine ran which batch when.
//
//	DOT     the jobs and their order, for Graphviz
//	Trace   the batches in time, for Perfetto and chrome://tracing
//	SVG     the batches in time, as a picture for documents and browsers
//
// Each function writes the jobs that parallelfor.Graph.Jobs returns:
//
//	g := parallelfor.Record()
//	frame()
//	g.Stop()
//	err := timeline.SVG(file, g.Jobs())
//
// Guarantees are in the words of docs/consistency.md. Those of functions:
// DOT, Trace, SVG: owner reads; as w; O(batches), sorted; allocates the text.
//
// Map: dot.go, trace.go and svg.go the formats; lines.go puts stays (parallelfor.RecordedStay)
// on lines and names these.
package timeline
