package parallelfor

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// DOT writes the recorded jobs as a graph in the language of Graphviz: a node for each, with its name, where it
// was scheduled, how many indices it has and how they are cut; an edge from each job to those that run after it,
// and a dashed one to the jobs that its bodies scheduled. Jobs that failed or were cancelled are red. The text has
// nothing of times and workers in it, so a program that schedules the same jobs gets the same text. The error is w's.
func (g *Graph) DOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	jobs := g.jobs()
	_, _ = out.WriteString("digraph jobs {\n\trankdir=LR;\n\tnode [shape=box];\n")
	number := map[*record]int{}
	for i, r := range jobs {
		number[r] = i
		colour := ""
		if r.failed {
			colour = ", color=red"
		}
		fmt.Fprintf(out, "\tj%d [label=%s%s];\n", i, quote(r.label()), colour)
	}
	for i, r := range jobs {
		for _, a := range r.after {
			if k, ok := number[a]; ok { // not one that another graph has alone
				fmt.Fprintf(out, "\tj%d -> j%d;\n", k, i)
			}
		}
		if k, ok := number[r.within]; ok {
			fmt.Fprintf(out, "\tj%d -> j%d [style=dashed];\n", k, i)
		}
	}
	_, _ = out.WriteString("}\n")
	return out.Flush()
}

// label describes the job in up to three lines.
func (r *record) label() string {
	s := r.name
	if r.site != "" {
		s += "\n" + r.site
	}
	return s + "\n" + counted(r.grid.n, "index", "indices") + ", " + counted(r.grid.cells, "cell", "cells")
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
