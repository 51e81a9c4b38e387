package lane

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The caller that takes the pieces has them, without what does not count; the lanes have none of it
// any more.
func TestPiecesCanBeTaken(t *testing.T) {
	var ls Lanes[*[64]byte]
	p := phase(3, 20)
	for range 2 {
		ls.Open(p)
		kept, dropped := fill(&ls, p, 300)
		var pieces [][]*[64]byte
		n := 0
		ls.Seal(p, func(s Items[*[64]byte]) {
			require.Equal(t, 900, s.Len())
			for _, piece := range s.Take() {
				pieces = append(pieces, piece)
				n += len(piece)
				require.Equal(t, len(piece), cap(piece))
			}
		})
		require.Equal(t, 900, n)
		for w := range 3 {
			require.Zero(t, field(ls.Lane(w).core(), "chunks").Len())
		}
		garbage(t, dropped, pieces)
		for _, k := range kept {
			require.NotNil(t, k.Value())
		}
	}
	var words Lanes[int]
	p = phase(1, 2)
	words.Open(p)
	words.Lane(0).BeginSpan(0)
	words.Lane(0).Append(nil, 7)
	var taken []int
	words.Seal(p, func(s Items[int]) {
		for _, piece := range s.Take() {
			taken = piece
		}
	})
	words.Open(p)
	words.Lane(0).BeginSpan(0)
	words.Lane(0).Append(nil, 8)
	require.Equal(t, []int{7}, taken)
	require.Equal(t, []int{8}, seal(&words, p))
}

// A piece that is taken and appended to does not reach into the one behind it.
func TestPiecesDoNotOverlap(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 10)
	ls.Open(p)
	for c := 9; c >= 0; c-- {
		ls.Lane(0).BeginSpan(c)
		ls.Lane(0).AppendAll(nil, []int{c, c})
	}
	var pieces [][]int
	ls.Seal(p, func(s Items[int]) { pieces = taken(s) })
	for i := range pieces {
		pieces[i][0] = -1
		_ = append(pieces[i], 100)
	}
	for c, piece := range pieces {
		require.Equal(t, []int{-1, c}, piece)
	}
}
