package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"example.com/custody/parallelfor"
)

const header = "seqID\tpatternName\tpattern\tstrand\tstart\tend\tmatched\n"

// record is a sequence of a FASTA file.
type record struct {
	id    string
	bases []byte
}

// records reads the records of a file, and then the error of reading it.
func records(file io.Reader) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		var r record // its bases are in a buffer, which the next record uses again
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, math.MaxInt) // a line may have all bases of a record
		for lines.Scan() {
			line := lines.Bytes()
			switch {
			case len(line) == 0:
			case line[0] == '>':
				if len(r.bases) > 0 && !yield(record{r.id, slices.Clone(r.bases)}, nil) {
					return
				}
				id, _, _ := bytes.Cut(bytes.ReplaceAll(line[1:], []byte("\t"), []byte(" ")), []byte(" "))
				r = record{string(id), r.bases[:0]}
			case r.id == "":
				yield(r, errors.New("bases without a name"))
				return
			default:
				r.bases = append(r.bases, line...)
			}
		}
		if err := lines.Err(); err != nil || len(r.bases) > 0 {
			yield(r, err)
		}
	}
}

// motif is what is looked for.
type motif struct {
	name  string
	bases []byte
}

// complement has the opposite of each letter for bases, for sets of them (IUPAC, 1970) and of each
// gap, and 0 for other bytes.
var complement = func() (c [256]byte) {
	for pair := range slices.Chunk([]byte("ATCGRYKMBVDHSSWWNNatcgrykmbvdhsswwnn--..  "), 2) {
		c[pair[0]], c[pair[1]] = pair[1], pair[0]
	}
	return c
}()

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
		row := func(strand byte, start int) {
			all = fmt.Appendf(all, "%s\t%s\t%s\t%c\t%d\t%d\t%[3]s\n", r.id, m.name, m.bases, strand, start+1, start+len(m.bases))
		}
		for i := range places(r.bases, m.bases) {
			row('+', i)
		}
		for i := range places(other, m.bases) {
			row('-', len(other)-len(m.bases)-i)
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

// locate writes the header and the rows of all records of a file, in their order. The error is that
// of the first bad record, and the rows of those before it have been written.
func locate(file io.Reader, motifs []motif, to io.Writer, opts ...parallelfor.Option) error {
	find := func(r record) ([]byte, error) { return rows(r, motifs) }
	return write(to, parallelfor.MapSeqErr(context.Background(), records(file), find, opts...))
}

// write writes the header and what is found, until the first error.
func write(to io.Writer, found iter.Seq2[[]byte, error]) error {
	_, err := io.WriteString(to, header)
	for rows, failed := range found {
		if err = cmp.Or(err, failed); err == nil {
			_, err = to.Write(rows)
		}
		if err != nil {
			break
		}
	}
	return err
}
