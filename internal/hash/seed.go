package hash

import (
	"hash/maphash"
	"reflect"

	"example.com/custody/internal/word"
)

// How says in which way keys of a type are hashed.
type How uint8

const (
	Given  How = iota // by a function that somebody gave
	AsWord            // by Word: they are words, and equal when these are
	AsText            // by Text: they are strings
	AsAny             // as Go's maps do
)

// Seed is what keys are hashed with. The zero value is for those that are hashed by a function that somebody gave.
type Seed struct {
	How  How
	Word Word
	Text Text
	any  maphash.Seed
}

// NewSeed returns the seed for keys of type K that belongs to one of hash/maphash.
func NewSeed[K comparable](s maphash.Seed) Seed {
	from := maphash.Comparable(s, 0)
	switch t := reflect.TypeFor[K](); {
	case word.Identifies(t):
		return Seed{How: AsWord, Word: NewWord(from), any: s}
	case t.Kind() == reflect.String:
		return Seed{How: AsText, Text: NewText(from), any: s}
	}
	return Seed{How: AsAny, any: s}
}

// Key returns the hash of a key, by a seed that is not the zero value. Who is in a hurry has the first two cases where he is.
func Key[K comparable](s *Seed, k K) uint64 {
	switch s.How {
	case AsWord:
		return s.Word.Of(word.Of(k))
	case AsText:
		return s.Text.Of(word.Text(k))
	}
	return maphash.Comparable(s.any, k)
}
