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

// The code of maps is compiled once, and not for each type of key and value. It passes keys and
// values on by reference, and does to them what a [kind] says.

// ref points to a key or a value of a map's types. One that a method of a map passes down may point
// to that method's stack: see [hidden]. What keeps a key or a value makes a copy.
type ref = unsafe.Pointer

// hidden returns p without that the compiler follows it. So an argument of a method stays on the
// stack, although functions that a kind has are given its address. The method must keep it alive
// until they have returned (runtime.KeepAlive). nowhere is a variable, so that the result is a
// pointer to the compiler, which changes it when the stack moves: a sum with the constant nil would
// be replaced by the number. Between the call of hidden and that of the method there must be no
// other call, nor an allocation: the compiler may keep the number until then.
//
//go:nocheckptr
func hidden(p ref) ref { return unsafe.Add(nowhere, uintptr(p)) }

// shown is hidden for a key or a value. What these point to is kept: by a map, or by a Hasher.
func shown[T any](p *T) ref {
	if never() {
		*(*T)(nowhere) = *p // so the compiler follows what *p points to
	}
	return hidden(ref(p))
}

var nowhere ref // nil

// never returns false, which the compiler knows only after it has decided what escapes.
func never() bool { return false }

// keyKind is what a map knows of its type of keys. The functions neither keep what they are given
// nor change it.
type keyKind struct {
	seed   hash.Seed                        // of new tables; the zero value: see hash
	hash   func(k ref) uint64               // hashes keys that have no seed: it is that of a Hasher
	sum    func(s *hash.Seed, k ref) uint64 // hashes keys as hash.AsAny
	equal  func(a, b ref) bool
	custom *custom  // nil if there is no Hasher
	how    hash.How // texts and words are compared without a call of equal
	size   uintptr  // of keys
}

// kind is what a map knows of its types of keys and values.
type kind struct {
	keyKind
	isInline bool // keys and cells lie side by side, without boxes
	inWords  bool // and cells are words
	cells    cells
	valSize  uintptr
	at       uintptr             // where in a box its cell begins
	seqAt    uintptr             // and its number
	box      func(k, v ref) *box // returns a box with copies; its cell has no value for nil
	keep     func(v ref) ref     // returns a copy of a value
	match    func(a, b ref) bool // reports whether two values are ==
}

// cells is what the cells of a map have.
type cells uint8

const (
	asWords    cells = iota // values of 0, 1, 2, 4 or 8 bytes without pointers, as words
	asPointers              // values that are pointers, as they are
	asValues                // pointers to values, which do not change
)

// cellsOf returns the cells for values of a type.
func cellsOf(t reflect.Type) cells {
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func:
		return asPointers
	}
	if word.Fits(t) {
		return asWords
	}
	return asValues
}

// places returns n places without keys, whose cells are those of the kind.
func (k *kind) places(n int) []place {
	if k.cells == asWords {
		return make([]place, n)
	}
	return unsafe.Slice((*place)(ref(unsafe.SliceData(make([]pointerPlace, n)))), n)
}

// wordBox and pointerBox are the boxes of keys K. The first field makes the size and the alignment
// a multiple of 8 bytes: otherwise the allocator packs small keys more closely.
type wordBox[K any] struct {
	_    [0]uint64
	_    [0]func() // no functions are made that compare boxes
	key  K
	cell atom.Uint64
	seq  atom.Uint32
}

type pointerBox[K any] struct {
	_    [0]func()
	key  K
	cell atom.Pointer[byte]
	seq  atom.Uint32
}

// valueBox is a pointerBox with the first value of the key, which must not hold pointers: another
// value does not free it.
type valueBox[K, V any] struct {
	pointerBox[K]
	val V
}

// setKeyKind sets the functions of a kind of keys K. If it were inlined, they would be compiled
// twice.
//
//go:noinline
func setKeyKind[K comparable](k *keyKind) {
	k.sum = func(s *hash.Seed, k ref) uint64 { return maphash.Comparable(s.Any, *(*K)(k)) }
	k.equal = func(a, b ref) bool { return *(*K)(a) == *(*K)(b) }
}

// init sets what is no function of the type of keys, whose reflect.Type is key.
func (k *keyKind) init(key any, s seed, c *custom) {
	t := key.(reflect.Type)
	k.size, k.custom = t.Size(), c
	if c != nil {
		k.hash, k.equal, k.sum = c.hash, c.equal, nil
		return
	}
	k.seed = hash.NewSeed(t, s.Seed)
	k.how = k.seed.How
}

// setKind sets the kind of a map with keys K and values V.
func setKind[K comparable, V any](m *core, s seed, c *custom) {
	k := &m.kind
	setKeyKind[K](&k.keyKind)
	k.keyKind.init(m.key, s, c)
	within := k.init(m.key, m.val)
	k.keep = kept[V]
	k.match = func(a, b ref) bool { return any(*(*V)(a)) == any(*(*V)(b)) }
	words := k.cells == asWords
	if k.at, k.seqAt = unsafe.Offsetof(pointerBox[K]{}.cell), unsafe.Offsetof(pointerBox[K]{}.seq); words {
		k.at, k.seqAt = unsafe.Offsetof(wordBox[K]{}.cell), unsafe.Offsetof(wordBox[K]{}.seq)
	}
	k.box = func(k, v ref) *box {
		switch {
		case words:
			return (*box)(ref(&wordBox[K]{key: *(*K)(k)}))
		case v == nil || !within:
			return (*box)(ref(&pointerBox[K]{key: *(*K)(k)}))
		}
		b := &valueBox[K, V]{val: *(*V)(v)}
		b.key = *(*K)(k)
		b.cell.Store((*byte)(ref(&b.val)))
		return (*box)(ref(b))
	}
}

// init sets what is no function of the types of keys and values. It reports whether boxes have the
// first value of their keys within them.
func (k *kind) init(key, val any) (within bool) {
	v := val.(reflect.Type)
	k.cells, k.valSize, k.isInline = cellsOf(v), v.Size(), k.custom == nil && word.Identifies(key.(reflect.Type))
	k.inWords = k.isInline && k.cells == asWords
	return k.cells == asValues && !word.Holds(v)
}

// multiScratchOf returns what multimaps of a type share.
func multiScratchOf[K comparable, V any]() *multiScratch {
	return scratch((*pair[K, V])(nil), func() any {
		s := &multiScratch{splits: splitterOf[pair[K, V]](), groupType: groupType{
			key: elem.TypeOf[K](), val: elem.TypeOf[V](), group: elem.TypeOf[multiGroup[K]](),
			valsAt: unsafe.Offsetof(multiGroup[K]{}.vals), valAt: unsafe.Offsetof(pair[K, V]{}.val), strew: strewValues[K, V],
			index: func(vals values, v ref) int {
				own := any(*(*V)(v))
				for i, x := range *(*[]V)(ref(&vals)) {
					if any(x) == own {
						return i
					}
				}
				return -1
			},
		}}
		s.pair = s.splits.elem
		setKeyKind[K](&s.keys)
		return s
	}).(*multiScratch)
}

// typeOf returns the reflect.Type of what a nil pointer points to.
func typeOf(p any) any { return reflect.TypeOf(p).Elem() }

// offset returns the address that lies so many bytes behind p.
func offset(p ref, by uintptr) ref { return unsafe.Add(p, by) }

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

// matches is same for a search, which has counted itself if there is a Hasher.
func (k *keyKind) matches(a, b ref) bool {
	if k.custom != nil {
		return k.custom.match(a, b)
	}
	return k.same(a, b)
}

// wide reports whether keys are words of 8 bytes, for which there are loops of their own.
func (k *keyKind) wide() bool { return k.how == hash.AsWord && k.size == 8 }

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
