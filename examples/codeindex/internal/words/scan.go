package words

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// What a byte is in an identifier. Of bytes from 128 on it has to be seen which rune they begin.
const (
	other = iota
	letter
	digit
	wide
)

var classes = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= utf8.RuneSelf:
			c[b] = wide
		case b == '_', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			c[b] = letter
		case '0' <= b && b <= '9':
			c[b] = digit
		}
	}
	return c
}()

// class returns what the rune is that p begins with, and how many bytes it has.
func class(p []byte) (uint8, int) {
	c := classes[p[0]]
	if c != wide {
		return c, 1
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

// Identifiers calls use with each identifier of a text and its line, from 1 on. An identifier is what it is in Go: a letter
// or underscore, and the letters, digits and underscores that follow; letters are Unicode's. Nothing else of a
// language is known: identifiers in comments and strings count, and so do keywords, but not what follows the digits of a
// number, as in 0xff. A word is good until use returns.
func Identifiers(text []byte, use func(word []byte, line int32)) {
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
		end := run(text, n)
		if c == letter {
			use(text[:end], line)
		}
		text = text[end:]
	}
}

// run returns where the letters and digits end that text begins with, of which the first n bytes are known.
func run(text []byte, n int) int {
	for n < len(text) {
		c, size := class(text[n:])
		if c == other {
			break
		}
		n += size
	}
	return n
}

// isIdentifier says whether a name is an identifier as a whole.
func isIdentifier(name string) bool {
	text := []byte(name)
	if len(text) == 0 {
		return false
	}
	c, n := class(text)
	return c == letter && run(text, n) == len(text)
}

// IsBinary says whether a file is no text: as in a search, it is none when it has a zero byte.
func IsBinary(text []byte) bool { return bytes.IndexByte(text, 0) >= 0 }
