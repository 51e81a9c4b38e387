package hash

import (
	"hash/maphash"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// A bit of a string changes each bit of its hash in about half of the cases, at all lengths and
// wherever it is.
func TestEveryBitOfATextCounts(t *testing.T) {
	r := lawtest.Rand(t)
	for length := 1; length <= 70; length++ {
		var changed [64]int
		n := 0
		for range 60 {
			h := NewText(r.Uint64())
			b := make([]byte, length)
			for i := range b {
				b[i] = byte('a' + r.IntN(8))
			}
			was := h.Of(string(b))
			for range 16 {
				at, bit := r.IntN(length), byte(1)<<r.IntN(8)
				b[at] ^= bit
				for d := was ^ h.Of(string(b)); d != 0; d &= d - 1 {
					changed[bits.TrailingZeros64(d)]++
				}
				b[at] ^= bit
				n++
			}
		}
		for bit, c := range changed {
			require.InDelta(t, n/2, c, float64(n)/8, "length %d, bit %d", length, bit)
		}
	}
}

// No two of many similar strings have one hash, and their upper and lower bits spread them.
func TestTextsOfAllPatternsSpread(t *testing.T) {
	r := lawtest.Rand(t)
	const n = 1 << 15
	for name, text := range map[string]func(i int) string{
		"numbers":         func(i int) string { return itoa(i) },
		"behind a prefix": func(i int) string { return "example.com/some/package/" + itoa(i) },
		"before a suffix": func(i int) string { return itoa(i) + "/and/what/is/the/same/in/all" },
		"lengths":         func(i int) string { return strings.Repeat("a", i) },
		"zeros":           func(i int) string { return strings.Repeat("\x00", i/8) + string(rune('0'+i%8)) },
		"pairs":           func(i int) string { return string([]byte{byte(i), byte(i >> 8)}) },
	} {
		h := NewText(r.Uint64())
		seen := make(map[uint64]bool, n)
		var upper, lower [256]int
		m := n
		if name == "lengths" || name == "zeros" {
			m = n / 16
		}
		for i := range m {
			x := h.Of(text(i))
			require.False(t, seen[x], "%s: %d", name, i)
			seen[x] = true
			upper[x>>56]++
			lower[x&255]++
		}
		for i := range upper {
			require.Less(t, max(upper[i], lower[i]), 2*m/256+40, name)
		}
	}
}

func itoa(i int) string {
	b := []byte{'0', '0', '0', '0', '0'}
	for at := len(b) - 1; i > 0; at, i = at-1, i/10 {
		b[at] += byte(i % 10)
	}
	return string(b)
}

// Of a string only its bytes count, wherever they lie, and none beside them is read.
func TestATextIsItsBytes(t *testing.T) {
	r := lawtest.Rand(t)
	h := NewText(1)
	for length := range 80 {
		b := make([]byte, length+16)
		for range 20 {
			for i := range b {
				b[i] = byte(r.Uint64())
			}
			from := r.IntN(8)
			s := string(b[from : from+length])
			inside := unsafe.String(unsafe.SliceData(b[from:]), length)
			require.Equal(t, h.Of(s), h.Of(inside))
			if length > 0 {
				require.NotEqual(t, h.Of(s), h.Of(s[:length-1]))
			}
		}
	}
	other := NewText(2)
	require.NotEqual(t, h.Of(""), other.Of(""))
	require.NotEqual(t, h.Of("a"), other.Of("a"))
}

type name string

func TestKeysAreHashedAsTheirTypeAllows(t *testing.T) {
	seed := maphash.MakeSeed()
	words, texts, anys := NewSeed(reflect.TypeFor[[2]int16](), seed), NewSeed(reflect.TypeFor[name](), seed), NewSeed(reflect.TypeFor[float64](), seed)
	require.Equal(t, []How{AsWord, AsText, AsAny}, []How{words.How, texts.How, anys.How})
	require.Equal(t, Given, Seed{}.How)
	require.Equal(t, []How{AsWord, AsText, AsAny}, []How{words.How, texts.How, anys.How})
	require.Equal(t, maphash.Comparable(seed, 0.5), maphash.Comparable(anys.Any, 0.5))
	require.Equal(t, maphash.Comparable(anys.Any, 0.0), maphash.Comparable(anys.Any, -1/inf))
	require.Equal(t, texts, NewSeed(reflect.TypeFor[name](), seed))
	require.NotEqual(t, texts, NewSeed(reflect.TypeFor[name](), maphash.MakeSeed()))
}

var inf = func() float64 { zero := 0.0; return 1 / zero }()

// Short strings of one length have one word only if they are equal.
func TestTheWordsOfShortTextsTellThemApart(t *testing.T) {
	r := lawtest.Rand(t)
	for length := range Short + 1 {
		b := make([]byte, length)
		for range 200 {
			for i := range b {
				b[i] = byte(r.Uint64())
			}
			s := string(b)
			require.Equal(t, ShortText(s), ShortText(strings.Clone(s)))
			for i := range b {
				b[i]++
				require.NotEqual(t, ShortText(s), ShortText(string(b)))
				b[i]--
			}
		}
	}
}

// Strings are the same if all of their bytes are, wherever they differ.
func TestSameText(t *testing.T) {
	for n := range 40 {
		a := make([]byte, n)
		for i := range a {
			a[i] = byte('a' + i)
		}
		require.True(t, SameText(string(a), string(a)), n)
		require.False(t, SameText(string(a), string(a)+"x"), n)
		for i := range a {
			b := slices.Clone(a)
			b[i]++
			require.False(t, SameText(string(a), string(b)), "%d of %d", i, n)
		}
	}
}
