// Package plots draws the rows of a comparison as SVG: the ratios that readers decide by, the
// curves of scaling, and the time of a loop by the size of its work.
package plots
