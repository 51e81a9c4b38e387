package words

import (
	"fmt"
	"iter"
	"slices"

	"example.com/custody/examples/codeindex/internal/index"
)

// Same returns nil if two indexes of one tree are the same: the same identifiers in the same order, the same lines of
// each in the same order, and the same files that could not be read, for the same reasons. Otherwise the error says what
// differs first.
func Same(want, got *Index) error {
	for i, f := range want.Tree.Files {
		if w, g := index.Text(want.Errs[i]), index.Text(got.Errs[i]); w != g {
			return fmt.Errorf("%s: error %q and %q", f.Path, w, g)
		}
	}
	if want.Binary != got.Binary || want.Bytes != got.Bytes {
		return fmt.Errorf("%d binary files and %d bytes, and %d and %d", want.Binary, want.Bytes, got.Binary, got.Bytes)
	}
	next, stop := iter.Pull2(got.lines.Groups())
	defer stop()
	k := 0
	for name, lines := range want.lines.Groups() {
		gotName, gotLines, ok := next()
		switch {
		case !ok:
			return fmt.Errorf("there are only %d identifiers, the next is %s", k, name)
		case name != gotName:
			return fmt.Errorf("identifier %d: %s and %s", k, name, gotName)
		case !slices.Equal(lines, gotLines):
			return fmt.Errorf("%s: %s", name, differ(want, lines, gotLines))
		}
		k++
	}
	if name, _, more := next(); more {
		return fmt.Errorf("there are more than %d identifiers, the next is %s", k, name)
	}
	if want.Identifiers() != got.Identifiers() || want.Postings() != got.Postings() {
		return fmt.Errorf("%d identifiers and %d postings, and %d and %d", want.Identifiers(), want.Postings(), got.Identifiers(), got.Postings())
	}
	return nil
}

// differ says where two lists of postings differ first.
func differ(x *Index, want, got []Posting) string {
	k := 0
	for k < len(want) && k < len(got) && want[k] == got[k] {
		k++
	}
	return fmt.Sprintf("%d lines and %d; number %d is %s and %s", len(want), len(got), k, where(x, want, k), where(x, got, k))
}

func where(x *Index, lines []Posting, k int) string {
	if k >= len(lines) {
		return "missing"
	}
	return fmt.Sprintf("%s:%d", x.Tree.Files[lines[k].File].Path, lines[k].Line)
}
