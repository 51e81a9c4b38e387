package stats

import (
	"fmt"
	"io"
	"text/tabwriter"

	"example.com/custody/examples/codeindex/internal/index"
)

// Write writes what is said of a tree. It has nothing of time in it, so it is the same on every run.
func (r *Result) Write(w io.Writer) error {
	t := r.Total
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(what string, n int64, format string, args ...any) {
		fmt.Fprintf(tw, "%s\t%s\t  %s\n", what, index.Grouped(n), fmt.Sprintf(format, args...))
	}
	line("files", t.Files, "%s empty, %s binary, %s unreadable",
		index.Grouped(t.Empty), index.Grouped(t.Binaries), index.Grouped(t.Unreadable))
	line("bytes", t.Bytes, "in those that could be read")
	longest := ""
	if t.At > 0 {
		longest = fmt.Sprintf("; the longest has %s bytes, %s:%d", index.Grouped(t.Longest), r.Tree.Files[t.Where].Path, t.At)
	}
	line("lines", t.Lines, "of texts, %s blank%s", index.Grouped(t.Blank), longest)
	line("identifiers", t.Names, "%s different", index.Grouped(int64(len(r.Names))))
	if len(r.Largest) > 0 {
		fmt.Fprint(tw, "\nbytes\tlines\t  largest files\n")
	}
	for _, i := range r.Largest {
		f := r.Files[i]
		lines := index.Grouped(f.Lines)
		if f.Binary {
			lines = "-"
		}
		fmt.Fprintf(tw, "%s\t%s\t  %s\n", index.Grouped(f.Bytes), lines, r.Tree.Files[i].Path)
	}
	if len(r.Frequent) > 0 {
		fmt.Fprint(tw, "\ntimes\tfiles\t  most frequent identifiers\n")
	}
	for _, n := range r.Frequent {
		fmt.Fprintf(tw, "%s\t%s\t  %s\n", index.Grouped(n.Times), index.Grouped(n.Files), n.Text)
	}
	return tw.Flush()
}
