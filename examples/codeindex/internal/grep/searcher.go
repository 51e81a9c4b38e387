package grep

import (
	"bytes"
	"io/fs"
	"regexp"
	"sync"

	"example.com/custody/examples/codeindex/internal/files"
)

// searcher finds the lines of one file that match. It gets the file in blocks of any length.
//
// What matches is kept back until the file ends, because the file may turn out to be binary: it is when it
// has a zero byte. Of a binary file it is only said that it matches, and the first match ends the search.
// Anything else is text. Lines end with a newline, and a carriage return before it is part of the line.
//
// Memory: the longest line, and the lines that match.
type searcher struct {
	pattern *regexp.Regexp
	literal []byte // what every match begins with, as far as that is known
	rest    []byte // of the last block, what is no whole line
	line    int    // how many lines were looked at
	binary  bool
	text    []byte // the lines that match, one after the other
	marks   []mark
}

// mark is a line that matches.
type mark struct{ line, end int } // its number, and where it ends in the text

// searchers are kept from file to file, whoever searches them.
var searchers = sync.Pool{New: func() any { return new(searcher) }}

// searchFile finds the lines of a file of fsys that match and hands them to use, in order, and at the end
// why the file could not be read, if so.
func searchFile(fsys fs.FS, pattern *regexp.Regexp, path string, use func(Finding)) {
	s := searchers.Get().(*searcher)
	defer searchers.Put(s)
	s.reset(pattern)
	err := files.Read(fsys, path, s.scan)
	s.finish(path, use)
	if err != nil {
		use(Finding{Path: path, Err: err})
	}
}

// reset makes s ready for a file.
func (s *searcher) reset(pattern *regexp.Regexp) {
	literal, _ := pattern.LiteralPrefix()
	*s = searcher{
		pattern: pattern, literal: append(s.literal[:0], literal...),
		rest: s.rest[:0], text: s.text[:0], marks: s.marks[:0],
	}
}

// scan looks at the next block, and says whether it wants another one.
func (s *searcher) scan(p []byte) (more bool) {
	s.binary = s.binary || bytes.IndexByte(p, 0) >= 0
	if len(s.rest) > 0 {
		k := bytes.IndexByte(p, '\n') + 1
		if k == 0 {
			s.rest = append(s.rest, p...)
			return true
		}
		s.rest = append(s.rest, p[:k]...)
		s.lines(s.rest)
		p = p[k:]
	}
	k := bytes.LastIndexByte(p, '\n') + 1
	s.lines(p[:k])
	s.rest = append(s.rest[:0], p[k:]...)
	return !s.matchesAsBinary()
}

// lines looks at whole lines, each with its newline.
func (s *searcher) lines(p []byte) {
	for p = s.skip(p); len(p) > 0; p = s.skip(p) {
		k := bytes.IndexByte(p, '\n')
		s.line++
		if s.pattern.Match(p[:k]) {
			s.text = append(s.text, p[:k]...)
			s.marks = append(s.marks, mark{s.line, len(s.text)})
		}
		p = p[k+1:]
	}
}

// skip leaves away lines that cannot match: a match begins with the literal, so it has to be in the line.
func (s *searcher) skip(p []byte) []byte {
	if len(s.literal) == 0 {
		return p
	}
	k := bytes.Index(p, s.literal)
	if k < 0 {
		k = len(p)
	}
	k = bytes.LastIndexByte(p[:k], '\n') + 1
	s.line += bytes.Count(p[:k], []byte{'\n'})
	return p[k:]
}

// finish looks at a last line without a newline, and hands out what matched.
func (s *searcher) finish(path string, use func(Finding)) {
	if len(s.rest) > 0 && !s.matchesAsBinary() {
		s.lines(append(s.rest, '\n'))
	}
	if s.matchesAsBinary() {
		use(Finding{Path: path})
		return
	}
	text, at := string(s.text), 0 // one piece of memory for all lines
	for _, m := range s.marks {
		use(Finding{Path: path, Line: m.line, Text: text[at:m.end]})
		at = m.end
	}
}

// matchesAsBinary says whether all is known that is to be said of a binary file.
func (s *searcher) matchesAsBinary() bool { return s.binary && len(s.marks) > 0 }
