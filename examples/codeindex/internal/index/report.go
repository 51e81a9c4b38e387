package index

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// row is a line of the table.
type row struct {
	name string
	n    [columns]int64
}

// rows returns the extensions by falling bytes, and by name where these are equal.
func rows(t *Tree, r *Result) []row {
	list := make([]row, len(t.Exts))
	for e, ext := range t.Exts {
		list[e].name = ext
		for c := range columns {
			list[e].n[c] = r.ByExt[c][e]
		}
	}
	slices.SortFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.n[Bytes], a.n[Bytes]), cmp.Compare(a.name, b.name))
	})
	return list
}

// total returns the sum of rows under a name.
func total(name string, list []row) row {
	sum := row{name: name}
	for _, x := range list {
		for c, n := range x.n {
			sum.n[c] += n
		}
	}
	return sum
}

// WriteTable writes the counts by extension, most bytes first; when there are more than top extensions
// the last line is the sum of the others. top 0 writes all.
func WriteTable(w io.Writer, t *Tree, r *Result, top int) error {
	all := rows(t, r)
	sum := total("total", all)
	list := all
	if top > 0 && len(all) > top {
		rest := total(fmt.Sprintf("%d others", len(all)-top), all[top:])
		list = append(slices.Clone(all[:top]), rest)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(cells ...string) {
		for _, c := range cells {
			fmt.Fprint(tw, c, "\t")
		}
		fmt.Fprintln(tw)
	}
	head := []string{"extension"}
	for c := range columns {
		head = append(head, c.String())
	}
	line(append(head, "share")...)
	for _, x := range append(list, sum) {
		cells := []string{x.name}
		for _, n := range x.n {
			cells = append(cells, Grouped(n))
		}
		line(append(cells, percent(x.n[Bytes], sum.n[Bytes]))...)
	}
	return tw.Flush()
}

// WriteChars writes how many different bytes occur, and which are the most frequent.
func WriteChars(w io.Writer, r *Result, top int) error {
	type char struct {
		b int
		n int64
	}
	var list []char
	var sum int64
	for b, n := range r.Chars {
		if n > 0 {
			list = append(list, char{b, n})
		}
		sum += n
	}
	slices.SortFunc(list, func(a, b char) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.b, b.b)) })
	if _, err := fmt.Fprintf(w, "%d of 256 byte values occur; most often", len(list)); err != nil {
		return err
	}
	sep := " "
	for _, c := range list[:min(top, len(list))] {
		if _, err := fmt.Fprintf(w, "%s%s %s", sep, charName(c.b), percent(c.n, sum)); err != nil {
			return err
		}
		sep = ", "
	}
	if len(list) == 0 {
		sep = " none"
	} else {
		sep = ""
	}
	_, err := fmt.Fprintln(w, sep)
	return err
}

func charName(b int) string {
	if b < 128 {
		return strconv.QuoteRune(rune(b))
	}
	return fmt.Sprintf("0x%02x", b)
}

// WriteProblems writes what could not be read, at most top of it; 0 writes all.
func WriteProblems(w io.Writer, t *Tree, r *Result, top int) error {
	problems := slices.Clone(t.Unlisted)
	for _, err := range r.Errs {
		if err != nil {
			problems = append(problems, err)
		}
	}
	for k, err := range problems {
		if top > 0 && k == top {
			_, err := fmt.Fprintf(w, "not read: %d more\n", len(problems)-top)
			return err
		}
		if _, err := fmt.Fprintln(w, "not read:", err); err != nil {
			return err
		}
	}
	return nil
}

// Grouped writes a number with its thousands apart.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for k := len(s) - 3; k > first; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return s
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + "%"
}
