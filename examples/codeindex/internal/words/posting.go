package words

import "cmp"

// Posting says that an identifier stands in a line, once or several times.
type Posting struct {
	File int32 // its index in the tree
	Line int32 // from 1 on
}

// Compare orders by file and line.
func (p Posting) Compare(q Posting) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line))
}
