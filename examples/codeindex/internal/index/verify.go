package index

import (
	"errors"
	"fmt"
	"slices"
)

// Same returns nil if two results of one tree are the same in every count: of each file, each
// extension and column, each byte, and in what went wrong with which file. Otherwise the error says
// what differs, the first few of it.
func Same(t *Tree, want, got *Result) error {
	var d differences
	if d.lengths(len(t.Files), len(want.Tallies), len(got.Tallies), len(want.Errs), len(got.Errs)) {
		for i, f := range t.Files {
			d.note(want.Tallies[i] == got.Tallies[i], "%s: %+v and %+v", f.Path, want.Tallies[i], got.Tallies[i])
			w, g := Text(want.Errs[i]), Text(got.Errs[i])
			d.note(w == g, "%s: error %q and %q", f.Path, w, g)
		}
	}
	for c := range want.ByExt {
		w, g := want.ByExt[c], got.ByExt[c]
		if d.lengths(len(t.Exts), len(w), len(g)) {
			for e, ext := range t.Exts {
				d.note(w[e] == g[e], "%s of %s: %d and %d", Column(c), ext, w[e], g[e])
			}
		}
	}
	for b := range want.Chars {
		d.note(want.Chars[b] == got.Chars[b], "byte %#02x: %d and %d", b, want.Chars[b], got.Chars[b])
	}
	d.note(want.Unreadable == got.Unreadable, "unreadable files: %d and %d", want.Unreadable, got.Unreadable)
	return d.err()
}

// Consistent returns nil if the sums of a result are those of its files: no count was lost or added
// on the way.
func Consistent(t *Tree, r *Result) error {
	var d differences
	var files Tally
	sums := [columns][]int64{}
	for c := range sums {
		sums[c] = make([]int64, len(t.Exts))
	}
	for i, f := range t.Files {
		if r.Errs[i] != nil {
			sums[Unreadable][f.Ext]++
			continue
		}
		files = files.Plus(r.Tallies[i])
		for c, n := range r.Tallies[i].cells() {
			sums[c][f.Ext] += n
		}
	}
	for c := range sums {
		d.note(slices.Equal(sums[c], r.ByExt[c]), "%s: the files have %v, the extensions %v", Column(c), sums[c], r.ByExt[c])
	}
	var chars int64
	for _, n := range r.Chars {
		chars += n
	}
	d.note(chars == files.Bytes, "the files have %d bytes, the byte counts %d", files.Bytes, chars)
	d.note(r.Chars[0] == files.Zeros, "the files have %d zero bytes, the byte counts %d", files.Zeros, r.Chars[0])
	d.note(r.Sum(Unreadable) == r.Unreadable, "the extensions have %d unreadable files, the counter %d", r.Sum(Unreadable), r.Unreadable)
	return d.err()
}

// shown is how many differences are told.
const shown = 10

type differences struct {
	list  []error
	total int
}

func (d *differences) note(same bool, format string, args ...any) {
	if same {
		return
	}
	if d.total++; d.total <= shown {
		d.list = append(d.list, fmt.Errorf(format, args...))
	}
}

// lengths notes whether all lengths are the first one.
func (d *differences) lengths(want int, got ...int) bool {
	same := true
	for _, g := range got {
		same = same && g == want
	}
	d.note(same, "there are lengths %v where %d is right", got, want)
	return same
}

func (d *differences) err() error {
	if more := d.total - len(d.list); more > 0 {
		return errors.Join(append(d.list, fmt.Errorf("and %d more", more))...)
	}
	return errors.Join(d.list...)
}

// Text returns the text of an error, by which errors of two results are compared, and nothing where there is none.
func Text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
