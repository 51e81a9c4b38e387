package words

import (
	"io/fs"
	"sync"

	"example.com/custody/examples/codeindex/internal/files"
)

// collector reads files and finds their identifiers. It has the text of each identifier once, in memory of its own.
type collector struct {
	text    []byte // of a file
	numbers map[string]int
	words   []word
}

// word is an identifier that the collector has come upon, and where it did last.
type word struct {
	text string
	last Posting
}

// collectors are kept from batch to batch, whoever uses them.
var collectors = sync.Pool{New: func() any { return &collector{numbers: map[string]int{}} }}

// release empties c, so that it keeps no identifiers alive, and gives it back.
func (c *collector) release() {
	clear(c.numbers)
	clear(c.words)
	c.words = c.words[:0]
	collectors.Put(c)
}

// read reads a file. The text is good until the next one is read. The error says why it could not be read to its end.
func (c *collector) read(fsys fs.FS, path string) (text []byte, err error) {
	c.text = c.text[:0]
	err = files.Read(fsys, path, func(p []byte) bool {
		c.text = append(c.text, p...)
		return true
	})
	return c.text, err
}

// collect calls add with the identifiers of a file's text and the lines in which they stand, each line once.
func (c *collector) collect(file int, text []byte, add func(string, Posting)) {
	Identifiers(text, func(name []byte, line int32) {
		at := Posting{int32(file), line}
		k, known := c.numbers[string(name)]
		if !known {
			k = len(c.words)
			c.words = append(c.words, word{text: string(name)})
			c.numbers[c.words[k].text] = k
		}
		if w := &c.words[k]; w.last != at {
			w.last = at
			add(w.text, at)
		}
	})
}
