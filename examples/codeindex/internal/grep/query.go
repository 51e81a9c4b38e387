package grep

import (
	"regexp"

	"example.com/custody/examples/codeindex/internal/files"
)

// Query is what is searched for, and where.
type Query struct {
	Source files.Source
	// Exts are the extensions of the files that are searched; none means all.
	Exts []string
	// Pattern is what a line must match, in part.
	Pattern *regexp.Regexp
}
