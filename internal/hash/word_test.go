package hash

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

func TestAWordHasOneKey(t *testing.T) {
	r := lawtest.Rand(t)
	for range 1000 {
		h := NewWord(r.Uint64())
		for _, k := range []uint64{0, 1, ^uint64(0), 1 << 63, r.Uint64(), uint64(r.Uint32()), r.Uint64() << 40} {
			require.Equal(t, k, h.Key(h.Of(k)))
			require.Equal(t, k, h.Of(h.Key(k)))
		}
	}
}

// Every bit of a key changes the upper bits of its hash, for keys of all patterns.
func TestTheUpperBitsDependOnAllBits(t *testing.T) {
	r := lawtest.Rand(t)
	for range 50 {
		h := NewWord(r.Uint64())
		for bit := range 64 {
			changed := 0
			for range 200 {
				k := r.Uint64() >> r.IntN(64) << r.IntN(64)
				changed += bits.OnesCount64((h.Of(k) ^ h.Of(k^1<<bit)) >> 48)
			}
			require.Greater(t, changed, 200, "bit %d", bit) // of 3200
		}
	}
}

func TestSeedsMakeOtherHashes(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(1000) {
		h := NewWord(seed)
		seen[h.Of(1)] = true
	}
	require.Len(t, seen, 1000)
}
