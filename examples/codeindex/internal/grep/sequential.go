package grep

import (
	"context"

	"example.com/custody/examples/codeindex/internal/files"
)

// Sequential searches the tree in a plain loop and prints what it finds: what the pipeline must equal. It
// ends early when ctx does, with the cause, or when the printer fails, or at once when the root of the tree
// cannot be read. What could not be read otherwise is printed.
func Sequential(ctx context.Context, q Query, out *Printer) error {
	err := files.Walk(ctx, q.Source.FS, q.Exts, func(e files.Entry) (err error) {
		searchEntry(q, e, func(f Finding) {
			if err == nil {
				err = out.Print(f)
			}
		})
		return err
	})
	return out.End(err)
}

// searchEntry hands to use what is to be said of what the walk came by.
func searchEntry(q Query, e files.Entry, use func(Finding)) {
	if e.Err != nil {
		use(Finding{Path: e.Path, Err: e.Err})
		return
	}
	searchFile(q.Source.FS, q.Pattern, e.Path, use)
}
