package index

// Column is one of the counts that are kept for each extension.
type Column int

// The columns, in the order of the table.
const (
	Files Column = iota
	Lines
	Words
	Bytes
	Zeros
	Unreadable
	columns
)

var columnNames = [columns]string{"files", "lines", "words", "bytes", "zero bytes", "unreadable"}

func (c Column) String() string { return columnNames[c] }

// Result is everything that was counted in a tree.
type Result struct {
	// Tallies has the counts of each file, and Errs why it could not be read, by its index in the tree.
	Tallies []Tally
	Errs    []error
	// ByExt has for each column the sums by extension number. An unreadable file is counted as that only.
	ByExt [columns][]int64
	// Chars has how often each byte occurs.
	Chars [256]int64
	// Unreadable is how many files could not be read.
	Unreadable int64
}

// cells returns what a readable file adds to each column.
func (t Tally) cells() [columns]int64 {
	return [columns]int64{Files: 1, Lines: t.Lines, Words: t.Words, Bytes: t.Bytes, Zeros: t.Zeros}
}

// Sum returns the sum of a column.
func (r *Result) Sum(c Column) (n int64) {
	for _, v := range r.ByExt[c] {
		n += v
	}
	return n
}
