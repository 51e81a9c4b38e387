package main

import (
	_ "embed"
	"iter"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// own is counted when no files are given.
//
//go:embed text.txt
var own string

// texts returns the texts of files, cut into pieces, and why some could not be read. The words that are counted are parts of
// these texts, which stay in memory.
func texts(files []string) (pieces []string, unread []error) {
	if len(files) == 0 {
		return cut(nil, own, ownPiece), nil
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		pieces = cut(pieces, string(text), filePiece)
	}
	return pieces, unread
}

const (
	ownPiece  = 128 // so that there are some of the short text
	filePiece = 32 << 10
)

// cut appends the pieces of a text, each with size bytes or more, but the last; size is at least 1. None ends within a word.
func cut(pieces []string, text string, size int) []string {
	for len(text) > size {
		end := strings.IndexAny(text[size:], " \n\t\r")
		if end < 0 {
			break
		}
		end += size
		pieces = append(pieces, text[:end])
		text = text[end:]
	}
	if text == "" {
		return pieces
	}
	return append(pieces, text)
}

// wordsOf ranges over the words of a text, in lower case. A word is letters and digits, with apostrophes between some of them:
// "don't" is one, and "dogs'" is "dogs".
func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		begin, end := -1, 0 // of the word that has begun
		for i := 0; i < len(text); {
			r, size := rune(text[i]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(text[i:])
			}
			i += size
			switch {
			case isOfWord(r):
				if begin < 0 {
					begin = i - size
				}
				end = i
			case begin >= 0 && (r == '\'' || r == '’') && i-size == end:
				// It is a part of the word if a letter follows.
			case begin >= 0:
				if !yield(strings.ToLower(text[begin:end])) {
					return
				}
				begin = -1
			}
		}
		if begin >= 0 {
			yield(strings.ToLower(text[begin:end]))
		}
	}
}

// isOfWord says whether a rune is a letter, or what is counted as one.
func isOfWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}
