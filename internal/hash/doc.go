// Package hash has the hash functions of the maps. [Seed] has the function for the keys of a type.
//
// [Word] hashes keys of at most 64 bits that are compared bit by bit. It is a bijection, so the
// hash of such a key stands for the key: no two keys have the same hash, and [Word.Key] returns the
// key of a hash. The seed keeps a program's input from choosing keys that collide. [Text] hashes
// strings.
package hash
