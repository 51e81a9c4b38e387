package words

import (
	"fmt"
	"strings"
)

// Query is what a line must have: all of these.
type Query []Term

// Term is an identifier, or how one begins.
type Term struct {
	Name   string
	Prefix bool
}

func (t Term) String() string {
	if t.Prefix {
		return t.Name + "*"
	}
	return t.Name
}

// ParseQuery reads identifiers that are separated by white space. One that ends with an asterisk stands for all that begin
// so.
func ParseQuery(s string) (q Query, err error) {
	for f := range strings.FieldsSeq(s) {
		name, prefix := strings.CutSuffix(f, "*")
		if !isIdentifier(name) {
			return nil, fmt.Errorf("%q is no identifier, and does not begin one", f)
		}
		q = append(q, Term{name, prefix})
	}
	if len(q) == 0 {
		return nil, fmt.Errorf("%q has no identifier", s)
	}
	return q, nil
}

// String is the query as it could have been asked.
func (q Query) String() string {
	terms := make([]string, len(q))
	for k, t := range q {
		terms[k] = t.String()
	}
	return strings.Join(terms, " ")
}
