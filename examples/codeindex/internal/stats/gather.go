package stats

import (
	"io/fs"
	"sync"

	"example.com/custody/examples/codeindex/internal/files"
)

// Use is how often an identifier stands in some files, and in how many of them.
type Use struct{ Times, Files int64 }

func (u Use) plus(v Use) Use { return Use{u.Times + v.Times, u.Files + v.Files} }

// Name is an identifier and its use.
type Name struct {
	Text string
	Use
}

// gatherer looks at files, and has their identifiers in the order in which they first occur. It has the text of each one once, in memory
// of its own.
type gatherer struct {
	text    []byte // of a file
	numbers map[string]int
	names   []Name
	last    []int // the file in which each name was met last
}

func newGatherer() *gatherer { return &gatherer{numbers: map[string]int{}} }

// gatherers are kept from batch to batch, whoever uses them.
var gatherers = sync.Pool{New: func() any { return newGatherer() }}

// release empties g, so that it keeps no identifiers alive, and gives it back.
func (g *gatherer) release() {
	clear(g.numbers)
	clear(g.names)
	g.names, g.last = g.names[:0], g.last[:0]
	gatherers.Put(g)
}

// file looks at the file with index i. When it cannot be read to its end, nothing of it counts.
func (g *gatherer) file(i int, fsys fs.FS, path string) (f Facts, err error) {
	g.text = g.text[:0]
	err = files.Read(fsys, path, func(p []byte) bool {
		g.text = append(g.text, p...)
		return true
	})
	if err != nil {
		return f, err
	}
	return look(g.text, func(word []byte) { g.add(i, word) }), nil
}

func (g *gatherer) add(file int, word []byte) {
	k, known := g.numbers[string(word)]
	if !known {
		k = len(g.names)
		g.names, g.last = append(g.names, Name{Text: string(word)}), append(g.last, -1)
		g.numbers[g.names[k].Text] = k
	}
	g.names[k].Times++
	if g.last[k] != file {
		g.last[k] = file
		g.names[k].Files++
	}
}
