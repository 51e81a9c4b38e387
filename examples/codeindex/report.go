package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// writeTable writes the counts of the top extensions, most bytes first, or with top 0 of all, and
// the sums of all. It returns the sum of bytes.
func (c *counts) writeTable(w io.Writer, t *tree, top int) (bytes int64, err error) {
	var total [columns]int64
	var order []int
	for e := range t.exts {
		order = append(order, e)
		for k := range total {
			total[k] += c.byExt[k][e]
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "extension\t%s\tshare\t\n", strings.Join(columnNames[:], "\t"))
	line := func(name string, n func(k int) int64) {
		fmt.Fprintf(tw, "%s\t", name)
		for k := range total {
			fmt.Fprintf(tw, "%s\t", grouped(n(k)))
		}
		fmt.Fprintf(tw, "%.1f%%\t\n", 100*float64(n(int(bytesRead)))/float64(max(total[bytesRead], 1)))
	}
	for _, e := range first(order, top, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.byExt[bytesRead][b], c.byExt[bytesRead][a]), cmp.Compare(t.exts[a], t.exts[b]))
	}) {
		line(t.exts[e], func(k int) int64 { return c.byExt[k][e] })
	}
	line("total", func(k int) int64 { return total[k] })
	return total[bytesRead], tw.Flush()
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for k := len(s) - 3; k > 0; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return s
}
