package gates

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wordsInAll bounds the words of all documents.
const wordsInAll = 30_000

// TestWords: a stranger can read all documents in an afternoon.
func TestWords(t *testing.T) {
	require.Equal(t, 4, words(&source{text: []byte("# A title\n\n\tword\n")}))
	all := 0
	for _, s := range sources(t, func(s *source) bool { return path.Ext(s.path) == ".md" }) {
		n := words(s)
		t.Logf("%6d %s", n, s.path)
		all += n
	}
	t.Logf("%6d in all, at most %d", all, wordsInAll)
	require.LessOrEqual(t, all, wordsInAll)
}

// words counts as wc -w does: code, marks and cells of tables are words, too.
func words(s *source) int { return len(strings.Fields(string(s.text))) }
