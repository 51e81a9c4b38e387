// Package plots draws the rows of a comparison as SVG: a chart of the ratios of each group, with their intervals and bars,
// and the scaling curves. The same rows make the same files.
package plots
