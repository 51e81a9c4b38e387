package stats

import (
	"fmt"
	"slices"

	"example.com/custody/examples/codeindex/internal/index"
)

// Same returns nil if two results of one tree are the same: in what is said of each file, in each identifier, their order and uses, in the
// total and in both lists. Otherwise the error says what differs first.
func Same(want, got *Result) error {
	for i, f := range want.Tree.Files {
		if want.Files[i] != got.Files[i] {
			return fmt.Errorf("%s: %+v and %+v", f.Path, want.Files[i], got.Files[i])
		}
		if w, g := index.Text(want.Errs[i]), index.Text(got.Errs[i]); w != g {
			return fmt.Errorf("%s: error %q and %q", f.Path, w, g)
		}
	}
	for k := range min(len(want.Names), len(got.Names)) {
		if want.Names[k] != got.Names[k] {
			return fmt.Errorf("identifier %d: %+v and %+v", k, want.Names[k], got.Names[k])
		}
	}
	switch {
	case len(want.Names) != len(got.Names):
		return fmt.Errorf("%d identifiers and %d", len(want.Names), len(got.Names))
	case want.Total != got.Total:
		return fmt.Errorf("in total %+v and %+v", want.Total, got.Total)
	case !slices.Equal(want.Largest, got.Largest):
		return fmt.Errorf("the largest files are %v and %v", want.Largest, got.Largest)
	case !slices.Equal(want.Frequent, got.Frequent):
		return fmt.Errorf("the most frequent identifiers are %v and %v", want.Frequent, got.Frequent)
	}
	return nil
}
