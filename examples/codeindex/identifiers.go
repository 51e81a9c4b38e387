package main

import (
	"bytes"
	"cmp"
	"unicode"
	"unicode/utf8"
)

// Classes of runes.
const (
	other = iota
	letter
	digit
)

// class returns the class of the rune that p begins with, and its length.
func class(p []byte) (class, size int) {
	switch b := p[0]; {
	case b == '_', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return letter, 1
	case '0' <= b && b <= '9':
		return digit, 1
	case b < utf8.RuneSelf:
		return other, 1
	}
	r, size := utf8.DecodeRune(p)
	switch {
	case unicode.IsLetter(r):
		return letter, size
	case unicode.IsDigit(r):
		return digit, size
	}
	return other, size
}

// identifiers calls use with each identifier of a text and its line, from 1 on. An identifier is a
// letter or underscore, and the letters, digits and underscores that follow. It counts in comments
// and strings too, and keywords are identifiers. A word is valid until use returns.
func identifiers(text []byte, use func(word []byte, line int32)) {
	line := int32(1)
	for len(text) > 0 {
		c, n := class(text)
		if c == other {
			if text[0] == '\n' {
				line++
			}
			text = text[n:]
			continue
		}
		for n < len(text) {
			next, size := class(text[n:])
			if next == other {
				break
			}
			n += size
		}
		if c == letter {
			use(text[:n], line)
		}
		text = text[n:]
	}
}

// isBinary reports whether a file is no text: it has a zero byte.
func isBinary(text []byte) bool { return bytes.IndexByte(text, 0) >= 0 }

// names are identifiers in the order in which they first occur, each text once.
type names struct {
	numbers map[string]int
	list    []name
}

// name is an identifier: how often it occurs, in how many files, and the line where it did last.
type name struct {
	text string
	use  use
	last posting
}

type use struct{ times, files int64 }

// moreFrequent orders names by falling number of times.
func moreFrequent(a, b name) int {
	return cmp.Or(cmp.Compare(b.use.times, a.use.times), cmp.Compare(a.text, b.text))
}

func (u use) plus(v use) use { return use{times: u.times + v.times, files: u.files + v.files} }

// number returns the index of a word in the list.
func (n *names) number(word []byte) int {
	k, known := n.numbers[string(word)]
	if !known {
		k = len(n.list)
		n.list = append(n.list, name{text: string(word)})
		n.numbers[n.list[k].text] = k
	}
	return k
}

func newNames() *names { return &names{numbers: map[string]int{}} }
