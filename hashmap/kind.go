package hashmap

import (
	"hash/maphash"
	"reflect"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
)

// The code of boxed layouts is compiled once, and not for each type of key and value. It passes
// keys and values on by reference, and does to them what a [kind] says.

// ref points to a key or a value of a map's types. One that a method of a map passes down may point
// to that method's stack: see [hidden]. What keeps a key or a value makes a copy.
type ref = unsafe.Pointer

// hidden returns p without that the compiler follows it. So an argument of a method stays on the
// stack, although functions that a kind has are given its address. The method must keep it alive
// until they have returned (runtime.KeepAlive). nowhere is a variable, so that the result is a
// pointer to the compiler, which changes it when the stack moves: a sum with the constant nil would
// be replaced by the number.
//
//go:nocheckptr
func hidden[T any](p *T) ref { return unsafe.Add(nowhere, uintptr(ref(p))) }

// shown is hidden for a key or a value. What these point to is kept: by a map, or by a Hasher.
func shown[T any](p *T) ref {
	if never() {
		*(*T)(nowhere) = *p // so the compiler follows what *p points to
	}
	return hidden(p)
}

var nowhere ref // nil

// never returns false, which the compiler knows only after it has decided what escapes.
func never() bool { return false }

// keyKind is what a map knows of its type of keys. The functions neither keep what they are given
// nor change it.
type keyKind struct {
	seed  hash.Seed                        // of new tables; the zero value: see hash
	hash  func(k ref) uint64               // hashes keys that have no seed: it is that of a Hasher
	sum   func(s *hash.Seed, k ref) uint64 // hashes keys as hash.AsAny
	equal func(a, b ref) bool
	how   hash.How // texts and words are compared without a call of equal
	size  uintptr  // of keys
}

// kind is what a map knows of its types of keys and values.
type kind struct {
	keyKind
	box     func(k, v ref) *box // returns a box with copies; nil stands for the zero value
	at      uintptr             // where in a box the value begins
	keepKey func(k ref) ref     // returns a copy
}

// box is a key, and behind it a value; see boxed.
type box struct{ _ uint64 }

// boxed is a box of a map with keys K. E is V in a valueBoxes, and atom.Uint64 in a wordBoxes. The
// first field makes the size and the alignment a multiple of 8 bytes: otherwise the allocator packs
// small values without pointers more closely.
type boxed[K, E any] struct {
	_   [0]uint64
	key K
	val E
}

// key returns the key of a box. val returns its value, which begins at an offset.
func (b *box) key() ref           { return ref(b) }
func (b *box) val(at uintptr) ref { return offset(ref(b), at) }

// offset returns the address that lies so many bytes behind p.
func offset(p ref, by uintptr) ref { return unsafe.Add(p, by) }

// keyKindOf returns the kind of keys K.
func keyKindOf[K comparable](by hashing[K]) keyKind {
	k := keyKind{seed: by.seed, how: by.seed.How, size: reflect.TypeFor[K]().Size()}
	k.sum = func(s *hash.Seed, k ref) uint64 { return hash.Key(s, *(*K)(k)) }
	k.equal = func(a, b ref) bool { return *(*K)(a) == *(*K)(b) }
	if by.equal != nil {
		k.equal = func(a, b ref) bool { return by.equal(*(*K)(a), *(*K)(b)) }
	}
	if by.hash != nil {
		k.hash = func(k ref) uint64 { return by.hash(*(*K)(k)) }
	}
	return k
}

// kindOf returns the kind of a map with keys K and values V, which are words if words is set.
func kindOf[K comparable, V any](by hashing[K], words bool) kind {
	k := kind{keyKind: keyKindOf(by), keepKey: kept[K]}
	if words {
		k.at, k.box = unsafe.Offsetof(boxed[K, atom.Uint64]{}.val), func(k, _ ref) *box {
			b := &boxed[K, atom.Uint64]{key: at[K](k)}
			return (*box)(ref(b))
		}
		return k
	}
	k.at, k.box = unsafe.Offsetof(boxed[K, V]{}.val), func(k, v ref) *box {
		b := &boxed[K, V]{key: at[K](k), val: at[V](v)}
		return (*box)(ref(b))
	}
	return k
}

// holdBefore returns the address of a view whose state, which lies behind its hold, is at p.
func holdBefore(p ref) ref { return unsafe.Add(p, -int(unsafe.Offsetof(readerKind{}.readerState))) }

// groupTypeOf returns what a multimap knows of its types. of is that of its pairs.
func groupTypeOf[K comparable, V any](of *elem.Type) groupType {
	return groupType{
		key: elem.TypeOf[K](), val: elem.TypeOf[V](), group: elem.TypeOf[multiGroup[K, V]](), pair: of,
		valsAt: unsafe.Offsetof(multiGroup[K, V]{}.vals), valAt: unsafe.Offsetof(pair[K, V]{}.val), strew: strewValues[K, V],
	}
}

// at returns what p points to, or the zero value for nil.
func at[T any](p ref) (v T) {
	if p != nil {
		v = *(*T)(p)
	}
	return v
}

// kept returns a copy of what p points to.
func kept[T any](p ref) ref {
	c := new(T)
	*c = *(*T)(p)
	return ref(c)
}

// same reports whether two keys are equal.
func (k *keyKind) same(a, b ref) bool {
	switch k.how {
	case hash.AsText:
		return *(*string)(a) == *(*string)(b)
	case hash.AsWord:
		return word.At(a, k.size) == word.At(b, k.size)
	}
	return k.equal(a, b)
}

// wide reports whether keys are words of 8 bytes, for which there are loops of their own.
func (k *keyKind) wide() bool { return k.how == hash.AsWord && k.size == 8 }

// hashBy returns the hash of a key in the tables with a seed.
func (k *kind) hashBy(seed *hash.Seed, key ref) uint32 { return proper(k.by(seed, key)) }

// by returns the hash of a key by a seed.
func (k *keyKind) by(seed *hash.Seed, key ref) uint64 {
	switch seed.How {
	case hash.AsText:
		return seed.Text.Of(*(*string)(key))
	case hash.AsWord:
		return seed.Word.Of(word.At(key, k.size))
	case hash.AsAny:
		return k.sum(seed, key)
	}
	return k.hash(key)
}

// of returns the hash of a key.
func (k *keyKind) of(key ref) uint64 { return k.by(&k.seed, key) }

// newSeed returns another seed. The keys are not hashed by a Hasher.
func (k *keyKind) newSeed() hash.Seed { return hash.SeedOf(k.how, maphash.MakeSeed()) }
