package words

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"

	"example.com/custody/examples/codeindex/internal/index"
)

// Sequential indexes the tree in a plain loop, with Go's map: what the parallel loop must equal, and what its speed is
// measured against. It adds each finished file to done. When ctx ends it returns the cause.
func Sequential(ctx context.Context, t *index.Tree, done *atomic.Int64) (*Index, error) {
	lines := &plain{numbers: map[string]int{}}
	x := &Index{Tree: t, Errs: make([]error, len(t.Files)), lines: lines}
	c := collectors.Get().(*collector)
	defer c.release()
	for i, f := range t.Files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		text, err := c.read(t.FS, f.Path)
		switch {
		case err != nil:
			x.Errs[i] = err
		case IsBinary(text):
			x.Binary++
		default:
			x.Bytes += int64(len(text))
			Identifiers(text, func(name []byte, line int32) { lines.add(name, Posting{int32(i), line}) })
		}
		done.Add(1)
	}
	return x, nil
}

// plain is what the sequential loop makes: Go's map, and its keys in order.
type plain struct {
	numbers map[string]int
	names   []string
	lines   [][]Posting
	count   int
}

// add adds a line to an identifier, unless it was added last.
func (p *plain) add(name []byte, at Posting) {
	k, known := p.numbers[string(name)]
	if !known {
		k = len(p.names)
		p.names, p.lines = append(p.names, string(name)), append(p.lines, nil)
		p.numbers[p.names[k]] = k
	}
	if list := p.lines[k]; len(list) == 0 || list[len(list)-1] != at {
		p.lines[k] = append(list, at)
		p.count++
	}
}

// LenKeys is the number of identifiers.
func (p *plain) LenKeys() int { return len(p.names) }

// Len is the number of postings.
func (p *plain) Len() int { return p.count }

// AppendValues appends the postings of an identifier.
func (p *plain) AppendValues(dst []Posting, name string) []Posting {
	if k, known := p.numbers[name]; known {
		return append(dst, p.lines[k]...)
	}
	return dst
}

// Groups ranges over the identifiers in order, each with its postings.
func (p *plain) Groups() iter.Seq2[string, []Posting] {
	return func(yield func(string, []Posting) bool) {
		for k, name := range p.names {
			if !yield(name, p.lines[k]) {
				return
			}
		}
	}
}

func (p *plain) beginning(prefix string) (names []string) {
	for _, name := range p.names {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}

func (p *plain) frequent(n int) (top []Frequent) {
	for k, name := range p.names {
		top = append(top, Frequent{name, len(p.lines[k])})
	}
	return first(top, n)
}
