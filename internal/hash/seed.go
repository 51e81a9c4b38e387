package hash

import (
	"hash/maphash"
	"reflect"

	"example.com/custody/internal/word"
)

// How is the way in which keys of a type are hashed.
type How uint8

const (
	Given  How = iota // by a function that the program gave
	AsWord            // by Word: the keys are words, and equal if the words are
	AsText            // by Text: the keys are strings
	AsAny             // by maphash.Comparable
)

// Seed is what keys are hashed with. The zero value is for keys that the program hashes with a
// function of its own.
type Seed struct {
	How  How
	Word Word
	Text Text
	Any  maphash.Seed // for AsAny
}

// NewSeed returns the seed for keys of type t that is derived from a seed of hash/maphash.
func NewSeed(t reflect.Type, s maphash.Seed) Seed { return SeedOf(howOf(t), s) }

// SeedOf is NewSeed for keys that are hashed in that way, which is not Given.
func SeedOf(how How, s maphash.Seed) Seed {
	from := maphash.Comparable(s, 0)
	switch how {
	case AsWord:
		return Seed{How: how, Word: NewWord(from), Any: s}
	case AsText:
		return Seed{How: how, Text: NewText(from), Any: s}
	}
	return Seed{How: how, Any: s}
}

func howOf(t reflect.Type) How {
	switch {
	case word.Identifies(t):
		return AsWord
	case t.Kind() == reflect.String:
		return AsText
	}
	return AsAny
}
