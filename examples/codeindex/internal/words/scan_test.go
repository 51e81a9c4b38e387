package words

import (
	"fmt"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scanned returns the identifiers of a text, each with its line.
func scanned(text string) (list []string) {
	Identifiers([]byte(text), func(word []byte, line int32) { list = append(list, fmt.Sprintf("%d:%s", line, word)) })
	return list
}

func TestIdentifiers(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                 nil,
		"a":                                {"1:a"},
		"a\nb\n\nc":                        {"1:a", "2:b", "4:c"},
		"a.b->c(d)":                        {"1:a", "1:b", "1:c", "1:d"},
		"_ _a a_1 1a 0xff 1e9_x":           {"1:_", "1:_a", "1:a_1"},
		"// a comment, \"a string\"":       {"1:a", "1:comment", "1:a", "1:string"},
		"größe 变量 ñ":                       {"1:größe", "1:变量", "1:ñ"},
		"a٣ ٣a":                            {"1:a٣"},
		"a½b":                              {"1:a", "1:b"},
		"a\xffb\xc3":                       {"1:a", "1:b"},
		"x\r\ny":                           {"1:x", "2:y"},
		"\ufeffpackage p":                  {"1:package", "1:p"},
		"a\u2028b":                         {"1:a", "1:b"},
		strings.Repeat("z", 1000) + " end": {"1:" + strings.Repeat("z", 1000), "1:end"},
	} {
		assert.Equal(t, want, scanned(text), "%q", text)
	}
}

// In a text of identifiers, operators and blanks the scanner of Go's own parser finds the same ones.
func TestIdentifiersAreThoseOfGo(t *testing.T) {
	pieces := []string{"a", "_", "ß", "世", "٣", "7", " ", "\n", "+", ".", "(", "B2", "π_", "\t", ";"}
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		file := token.NewFileSet().AddFile("", -1, len(text))
		var s scanner.Scanner
		s.Init(file, []byte(text), nil, 0)
		var want []string
		for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
			// Where a number ends and an identifier follows at once Go sees two tokens, and the program would be wrong.
			before := strings.TrimRightFunc(text[:file.Offset(pos)], func(r rune) bool { c, _ := class([]byte(string(r))); return c != other })
			if (tok == token.IDENT || tok.IsKeyword()) && len(before) == file.Offset(pos) {
				want = append(want, fmt.Sprintf("%d:%s", file.Line(pos), lit))
			}
		}
		require.Equal(t, want, scanned(text), "%q", text)
	}
}

func TestParseQuery(t *testing.T) {
	q, err := ParseQuery("  a\tb* größe _ ")
	require.NoError(t, err)
	assert.Equal(t, Query{{"a", false}, {"b", true}, {"größe", false}, {"_", false}}, q)
	assert.Equal(t, "a b* größe _", q.String())
	for text, says := range map[string]string{
		"": `"" has no identifier`, " \n": `" \n" has no identifier`, "*": `"*" is no identifier`, "a*b": `"a*b" is no`,
		"a**": `"a**" is no`, "1a": `"1a" is no`, "a-b": `"a-b" is no`, "a \xff": `"\xff" is no`, "a\x00": `"a\x00" is no`, "a.b": `"a.b" is no`,
	} {
		_, err := ParseQuery(text)
		assert.ErrorContains(t, err, says)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"a", "a* b", "", "*", "\xff", "世*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ParseQuery(s)
		if err != nil {
			return
		}
		again, err := ParseQuery(q.String())
		require.NoError(t, err)
		require.True(t, slices.Equal(q, again))
		for _, term := range q {
			require.Equal(t, []string{"1:" + term.Name}, scanned(term.Name))
		}
	})
}
