package words

import (
	"iter"

	"example.com/custody/examples/codeindex/internal/index"
)

// Index is the identifiers of a tree and the lines in which they stand.
type Index struct {
	Tree *index.Tree
	// Errs has why a file could not be read, by its index in the tree. Such a file is not in the index.
	Errs []error
	// Binary is how many files are not in the index because they are no texts.
	Binary int64
	// Bytes is how long the texts are.
	Bytes int64

	lines lines
}

// lines are the postings by identifier.
type lines interface {
	// LenKeys returns how many identifiers there are, and Len how many postings.
	LenKeys() int
	Len() int
	// AppendValues appends the postings of an identifier, in order.
	AppendValues(dst []Posting, name string) []Posting
	// Groups ranges over the identifiers in the order in which the loop came upon them.
	Groups() iter.Seq2[string, []Posting]
	// beginning returns the identifiers that begin with a prefix, in the same order.
	beginning(prefix string) []string
	// frequent returns the n identifiers that stand in most lines.
	frequent(n int) []Frequent
}

// Identifiers returns how many different identifiers there are.
func (x *Index) Identifiers() int { return x.lines.LenKeys() }

// Postings returns how many postings there are.
func (x *Index) Postings() int { return x.lines.Len() }

// Frequent is an identifier, and in how many lines it stands.
type Frequent struct {
	Name  string
	Lines int
}

// Frequent returns the n identifiers that stand in most lines, most first, and by name where these are equal; all with n
// 0.
func (x *Index) Frequent(n int) []Frequent {
	if n == 0 {
		n = x.Identifiers()
	}
	return x.lines.frequent(n)
}

// Unread returns how many files and directories could not be read.
func (x *Index) Unread() (n int) {
	n = len(x.Tree.Unlisted)
	for _, err := range x.Errs {
		if err != nil {
			n++
		}
	}
	return n
}
