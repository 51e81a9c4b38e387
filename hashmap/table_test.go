package hashmap

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Tables of all layouts begin with their heads, so the address of a head is that of its table.
func TestTablesBeginWithTheirHeads(t *testing.T) {
	require.Zero(t, unsafe.Offsetof(inlineTable{}.head))
	require.Zero(t, unsafe.Offsetof(boxTable{}.head))
	require.Nil(t, inlined(nil))
	require.Nil(t, boxedIn(nil))
	words, boxes := new(inlineTable), new(boxTable)
	require.Same(t, words, inlined(&words.head))
	require.Same(t, boxes, boxedIn(&boxes.head))
}
