// Package measure compares programs that do the same work, on a machine that does other things too.
//
//	Side    one program: ours, the limit, a peer
//	Series  the times of all sides, one of each for every repetition
//
// A machine's speed changes from second to second: clocks, neighbours, where the memory lies. So
// the sides run in turn, again and again, and what is compared is what ran next to each other: a
// ratio is the median of the ratios of the repetitions, not the ratio of two medians. Intervals are
// those of a median and assume nothing about the distribution (golang.org/x/perf/benchmath).
package measure
