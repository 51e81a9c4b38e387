package index

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/files"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fresh returns a scanner that is ready for a file.
func fresh() *scanner {
	s := new(scanner)
	s.reset()
	return s
}

func TestTally(t *testing.T) {
	for in, want := range map[string]Tally{
		"":                      {},
		"\n":                    {Bytes: 1, Lines: 1},
		"a":                     {Bytes: 1, Lines: 1, Words: 1},
		"a\n":                   {Bytes: 2, Lines: 1, Words: 1},
		"a\nb":                  {Bytes: 3, Lines: 2, Words: 2},
		" one  two\tthree\r\n":  {Bytes: 17, Lines: 1, Words: 3},
		"a\x00b\x00":            {Bytes: 4, Lines: 1, Words: 1, Zeros: 2},
		"\n\n\n":                {Bytes: 3, Lines: 3},
		"\v\f":                  {Bytes: 2, Lines: 1},
		strings.Repeat("x ", 9): {Bytes: 18, Lines: 1, Words: 9},
	} {
		for _, block := range []int{1, 2, 3, 4, 5, 100} {
			s := fresh()
			for p := []byte(in); len(p) > 0; p = p[min(block, len(p)):] {
				s.scan(p[:min(block, len(p))])
			}
			got, _ := s.finish()
			assert.Equal(t, want, got, "%q in blocks of %d", in, block)
		}
	}
}

func TestScannerEqualsTheStandardLibraryInAnyBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := fresh()
	for range 200 {
		data := make([]byte, r.IntN(2000))
		for i := range data {
			data[i] = "ab \n\x00\t\xff\r"[r.IntN(8)]
		}
		s.reset()
		for p := data; len(p) > 0; {
			k := 1 + r.IntN(len(p))
			s.scan(p[:k])
			p = p[k:]
		}
		got, chars := s.finish()
		want := Tally{
			Bytes: int64(len(data)),
			Lines: int64(bytes.Count(data, []byte("\n"))),
			Words: int64(len(bytes.FieldsFunc(data, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }))),
			Zeros: int64(bytes.Count(data, []byte{0})),
		}
		if len(data) > 0 && data[len(data)-1] != '\n' {
			want.Lines++
		}
		require.Equal(t, want, got)
		for b := range chars {
			require.EqualValues(t, bytes.Count(data, []byte{byte(b)}), chars[b])
		}
	}
}

func TestTablesAreFoldedBeforeTheyOverflow(t *testing.T) {
	s := fresh()
	s.bytes = longest - 2 // as if so many had been counted
	s.tables[0]['a'] = 1<<32 - 1
	s.scan([]byte("aaaa"))
	_, chars := s.finish()
	assert.EqualValues(t, int64(1<<32-1+4), chars['a'])
}

func TestAFileOfManyBlocksIsCountedAsOne(t *testing.T) {
	text := strings.Repeat("word ", files.BlockSize) // words lie across the blocks' borders
	fsys := fstest.MapFS{"f": {Data: []byte(text)}}
	var got Tally
	require.NoError(t, readFile(fsys, "f", func(t Tally, _ *[256]int64) { got = t }))
	assert.Equal(t, Tally{Bytes: 5 * files.BlockSize, Lines: 1, Words: files.BlockSize}, got)
	assert.Error(t, readFile(fsys, "g", func(Tally, *[256]int64) { t.Error("counted") }))
}

func BenchmarkScan(b *testing.B) {
	data, err := io.ReadAll(io.LimitReader(strings.NewReader(strings.Repeat("func main() {\n\tfmt.Println(1)\n}\n", 4000)), files.BlockSize))
	require.NoError(b, err)
	s := fresh()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		s.scan(data)
	}
}
