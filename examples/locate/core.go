package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"example.com/custody/parallelfor"
)

// record is a sequence of a FASTA file.
type record struct {
	id    string
	bases []byte
}

// records reads the records of a file, and then the error of reading it.
func records(file io.Reader) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		var r record
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			line := bytes.TrimSpace(lines.Bytes())
			switch {
			case len(line) == 0:
			case line[0] == '>':
				if len(r.bases) > 0 && !yield(r, nil) {
					return
				}
				id, _, _ := bytes.Cut(line[1:], []byte(" "))
				r = record{id: string(id)}
			case r.id == "":
				yield(r, errors.New("bases before the first name"))
				return
			default:
				r.bases = append(r.bases, line...)
			}
		}
		if err := lines.Err(); err != nil {
			yield(r, err)
		} else if len(r.bases) > 0 {
			yield(r, nil)
		}
	}
}

// motif is what is looked for.
type motif struct {
	name  string
	bases []byte
}

// complement has for each base the one that is opposite to it, and 0 for what is no base.
var complement = [256]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N'}

// opposite returns the other strand in its own direction.
func opposite(bases []byte) ([]byte, error) {
	other := make([]byte, len(bases))
	for i, b := range bases {
		c := complement[b]
		if c == 0 {
			return nil, fmt.Errorf("%q at %d is no base", b, i+1)
		}
		other[len(bases)-1-i] = c
	}
	return other, nil
}

// rows returns a row for each place of a motif in a record: motifs in their order, and of each the
// places on the strand that the file has before those on the other one.
func rows(r record, motifs []motif) (all []byte, err error) {
	other, err := opposite(r.bases)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", r.id, err)
	}
	for _, m := range motifs {
		for i := range places(r.bases, m.bases) {
			all = fmt.Appendf(all, "%s\t%s\t%s\t+\t%d\t%d\n", r.id, m.name, m.bases, i+1, i+len(m.bases))
		}
		for i := range places(other, m.bases) {
			all = fmt.Appendf(all, "%s\t%s\t%s\t-\t%d\t%d\n", r.id, m.name, m.bases, len(other)-i-len(m.bases)+1, len(other)-i)
		}
	}
	return all, nil
}

// places yields where a motif begins. Places may overlap.
func places(bases, motif []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; ; {
			i := bytes.Index(bases[from:], motif)
			if i < 0 || !yield(from+i) {
				return
			}
			from += i + 1
		}
	}
}

// locate writes the rows of all records of a file, in their order. The error is that of the first
// bad record, and the rows of those before it have been written.
func locate(file io.Reader, motifs []motif, to io.Writer, opts ...parallelfor.Option) error {
	find := func(r record) ([]byte, error) { return rows(r, motifs) }
	for found, err := range parallelfor.MapSeqErr(context.Background(), records(file), find, opts...) {
		if err == nil {
			_, err = to.Write(found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
