// Package svg writes the pictures of the library: of package timeline, of the benchmarks and of
// the documents. It also finds texts of a picture that overlap.
//
//	New         a picture; Rect, Line, Path and Text draw, WriteTo writes it
//	Width       the room that a text needs
//	Ticks       round values along an axis; LogTicks, for a logarithmic one
//	Overlaps    texts of a picture that overlap, or leave it
//
// A picture has no font of its own. Width is that of the widest font that browsers fall back to, so
// a text has its room in any of them. The colours of data differ also under red-green blindness.
// Text, lines and background follow the light or dark scheme of the browser.
//
// Map: svg.go pictures; width.go widths; ticks.go axes; overlaps.go the check.
package svg
