package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// query is what a line must have: all of its terms.
type query []term

// term is an identifier, or the beginning of one.
type term struct {
	name   string
	prefix bool
}

func (t term) matches(word string) bool {
	return word == t.name || t.prefix && strings.HasPrefix(word, t.name)
}

var identifier = regexp.MustCompile(`^[\pL_][\pL\p{Nd}_]*$`)

// parseQuery reads identifiers between white space. An asterisk behind one makes it a beginning.
func parseQuery(s string) (q query, err error) {
	for f := range strings.FieldsSeq(s) {
		name, prefix := strings.CutSuffix(f, "*")
		if !identifier.MatchString(name) {
			return nil, fmt.Errorf("%q is no identifier, and does not begin one", f)
		}
		q = append(q, term{name: name, prefix: prefix})
	}
	if len(q) == 0 || len(q) > 64 {
		err = fmt.Errorf("%q has %d identifiers; 1 to 64 are possible", s, len(q))
	}
	return q, err
}

// find returns the lines that have all terms, in order.
func (x *index) find(q query) (found []posting) {
	for k, t := range q {
		lines := x.postings(t)
		if k == 0 {
			found = lines
			continue
		}
		found = slices.DeleteFunc(found, func(p posting) bool {
			_, has := slices.BinarySearch(lines, p)
			return !has
		})
	}
	return found
}

// postings returns the lines that have a term, in order.
func (x *index) postings(t term) (lines []posting) {
	if !t.prefix {
		return x.lines.AppendValues(nil, t.name)
	}
	for name, in := range x.lines.Groups() {
		if t.matches(name) {
			lines = append(lines, in...)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// findPlainly is find without an index: it looks at each identifier of each line.
func findPlainly(ctx context.Context, t *tree, q query) (found []posting, err error) {
	return found, t.each(ctx, func(i int, text []byte, err error) {
		if err != nil || isBinary(text) {
			return
		}
		in, has := int32(0), uint64(0) // the line, and a bit for each term that it has
		identifiers(text, func(word []byte, line int32) {
			if line != in {
				in, has = line, 0
			}
			for k, t := range q {
				if t.matches(string(word)) {
					has |= 1 << k
				}
			}
			here := at(i, line)
			if has == 1<<len(q)-1 && (len(found) == 0 || found[len(found)-1] != here) {
				found = append(found, here)
			}
		})
	})
}

// print prints lines, whose files are read again. It returns the cause when ctx ends.
func (x *index) print(ctx context.Context, found []posting, out *printer) error {
	for len(found) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		k := found[0].file()
		n, _ := slices.BinarySearch(found, at(k+1, 0))
		path := x.tree.files[k].path
		withText(x.tree.fsys, path, func(text []byte, err error) {
			line := int32(1)
			for _, p := range found[:n] {
				for ; line < p.line(); line++ {
					_, text, _ = bytes.Cut(text, newline)
				}
				if err != nil {
					out.print(finding{path: path, err: err})
					return
				}
				first, _, _ := bytes.Cut(text, newline)
				out.print(finding{path: path, line: int(line), text: string(first)})
			}
		})
		found = found[n:]
	}
	return nil
}

var newline = []byte{'\n'}
