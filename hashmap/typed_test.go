package hashmap

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Tables of all layouts begin with their heads, so the address of a head is that of its table.
func TestTablesBeginWithTheirHeads(t *testing.T) {
	require.Zero(t, unsafe.Offsetof(inlineTable{}.head))
	require.Zero(t, unsafe.Offsetof(boxTable[ref]{}.head))
	require.Zero(t, unsafe.Offsetof(boxTable[uint64]{}.head))
	require.Nil(t, tableOf[place, uint64, uint64](nil))
	words := new(inlineTable)
	require.Same(t, words, tableOf[place, uint64, uint64](&words.head))
	boxes := new(boxTable[ref])
	require.Same(t, boxes, tableOf[bucket, ref, ref](&boxes.head))
}
