package hashmap

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// Tables of all layouts begin with their heads, so the address of a head is that of its table.
func TestTablesBeginWithTheirHeads(t *testing.T) {
	require.Zero(t, unsafe.Offsetof(inlineTable{}.head))
	require.Zero(t, unsafe.Offsetof(boxTable[int, [3]int, [3]int]{}.head))
	require.Zero(t, unsafe.Offsetof(boxTable[string, atom.Uint64, uint64]{}.head))
	require.Nil(t, tableOf[place, uint64, uint64](nil))
	words := new(inlineTable)
	require.Same(t, words, tableOf[place, uint64, uint64](&words.head))
	boxes := new(boxTable[int, [3]int, [3]int])
	require.Same(t, boxes, tableOf[bucket[int, [3]int], int, [3]int](&boxes.head))
}
