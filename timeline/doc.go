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
// docs/consistency.md#timeline has the guarantees and allocations of each function.
//
// Map: dot.go, trace.go and svg.go the formats; lines.go puts stays on lines.
package timeline
