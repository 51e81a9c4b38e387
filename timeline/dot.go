package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/custody/parallelfor"
)

// DOT writes the jobs as a graph in the language of Graphviz. Each job is a node with its name,
// where it was scheduled, and its numbers of indices and batches. Edges lead from each job to those
// that ran after it, and dashed edges to the jobs that its bodies scheduled. Jobs that failed or
// were cancelled are red. The text has no times and no workers, so a program that schedules the
// same jobs in the same order gets the same text. The error is w's.
func DOT(w io.Writer, jobs []parallelfor.RecordedJob) error {
	out := bufio.NewWriter(w)
	_, _ = out.WriteString("digraph jobs {\n\trankdir=LR;\n\tnode [shape=box];\n")
	for i, j := range jobs {
		colour := ""
		if j.Failed {
			colour = ", color=red"
		}
		fmt.Fprintf(out, "\tj%d [label=%s%s];\n", i, quote(label(j)), colour)
	}
	for i, j := range jobs {
		for _, k := range j.After {
			fmt.Fprintf(out, "\tj%d -> j%d;\n", k, i)
		}
		if j.Within >= 0 {
			fmt.Fprintf(out, "\tj%d -> j%d [style=dashed];\n", j.Within, i)
		}
	}
	_, _ = out.WriteString("}\n")
	return out.Flush()
}

// label describes a job in up to three lines.
func label(j parallelfor.RecordedJob) string {
	s := j.Name
	if j.Site != "" {
		s += "\n" + j.Site
	}
	return s + "\n" + counted(j.N, "index", "indices") + ", " + counted(j.Batches, "batch", "batches")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// quote makes a string of the language of Graphviz.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
