package grep

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainly is what is to be found in a text, line by line.
func plainly(pattern *regexp.Regexp, text []byte) (want []Finding) {
	lines := bytes.Split(text, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	for k, line := range lines {
		if pattern.Match(line) {
			want = append(want, Finding{Path: "f", Line: k + 1, Text: string(line)})
		}
	}
	if len(want) > 0 && bytes.IndexByte(text, 0) >= 0 {
		return []Finding{{Path: "f"}}
	}
	return want
}

func TestBlocksOfAnyLengthGiveTheLinesOfTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"ab", "b", "\n", "\r\n", " ", "\xff", "abab", "\n\n", "c"}
	s := new(searcher) // the same for all, so that nothing may be left over
	for k := range 6000 {
		var text []byte
		for range r.IntN(30) {
			text = append(text, words[r.IntN(len(words))]...)
		}
		if r.IntN(8) == 0 {
			text = append(text, 0)
			text = append(text, words[r.IntN(len(words))]...)
		}
		pattern := regexp.MustCompile([]string{"ab", "^ab", "ab$", "b|c", "^$", "", "b c", "(?i)AB", "a.a", "b\n"}[r.IntN(10)])
		s.reset(pattern)
		for rest := text; len(rest) > 0; {
			n := 1 + r.IntN(min(len(rest), 9))
			block := bytes.Clone(rest[:n])
			more := s.scan(block)
			clear(block) // a block is not kept
			if rest = rest[n:]; !more {
				break
			}
		}
		var got []Finding
		s.finish("f", func(f Finding) { got = append(got, f) })
		require.Equal(t, plainly(pattern, text), got, "text %d: %q in %q", k, pattern, text)
	}
}
