// Package hash has the hash functions of the maps: [Seed] has the one for the keys of a type.
//
// [Word] is for keys of at most 64 bits that are compared bit by bit. It is a bijection, so that the hash of such a key stands
// for the key: two keys never have the same one, and [Word.Key] returns the key. It is seeded: who does not know the seed cannot choose
// keys that meet. [Text] is for strings.
package hash
