package words

import (
	"fmt"
	"io"
	"text/tabwriter"

	"example.com/custody/examples/codeindex/internal/index"
)

// Summary says in a line what is in the index.
func (x *Index) Summary() string {
	return fmt.Sprintf("%s identifiers with %s postings; left away: %d binary files, %d that could not be read",
		index.Grouped(int64(x.Identifiers())), index.Grouped(int64(x.Postings())), x.Binary, x.Unread())
}

// WriteFrequent writes identifiers, and in how many lines each stands.
func WriteFrequent(w io.Writer, list []Frequent) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "lines\t  identifier\n")
	for _, f := range list {
		fmt.Fprintf(tw, "%s\t  %s\n", index.Grouped(int64(f.Lines)), f.Name)
	}
	return tw.Flush()
}
