package index

// Tally is what was counted in one file.
type Tally struct {
	Bytes int64
	// Lines is the number of newlines, and one more if the last line does not end with one.
	Lines int64
	// Words is the number of maximal runs of bytes that are not white space.
	Words int64
	// Zeros is the number of zero bytes.
	Zeros int64
}

// Plus returns the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{Bytes: t.Bytes + u.Bytes, Lines: t.Lines + u.Lines, Words: t.Words + u.Words, Zeros: t.Zeros + u.Zeros}
}

// blank is 1 for each byte that is white space in C's locale.
var blank = [256]uint8{' ': 1, '\t': 1, '\n': 1, '\v': 1, '\f': 1, '\r': 1}

// scanner counts the bytes of one file, which it gets in blocks of any length.
//
// Lines and zero bytes are read off the byte counts at the end, so all that is done for each byte is
// one count and one step of the words. Equal neighbours are common, and a count that was just stored
// is slow to load: so four tables take turns.
type scanner struct {
	tables [4][256]uint32
	wide   [256]int64 // what was in tables before they could overflow
	bytes  int64
	words  int64
	before uint8 // 1 when the last byte was white space, or there was none
	last   byte
}

// longest is how many bytes the tables take before they are folded, but for one block, which is no
// longer: no count can overflow.
const longest = 1 << 30

// reset makes s ready for a file.
func (s *scanner) reset() {
	*s = scanner{before: 1}
}

// scan counts the next block.
func (s *scanner) scan(p []byte) {
	for len(p) > longest {
		s.scan(p[:longest])
		p = p[longest:]
	}
	if len(p) == 0 {
		return
	}
	if s.bytes/longest != (s.bytes+int64(len(p)))/longest {
		s.fold()
	}
	s.bytes += int64(len(p))
	s.last = p[len(p)-1]

	before, words := s.before, int64(0)
	for len(p) >= 4 {
		a, b, c, d := p[0], p[1], p[2], p[3]
		s.tables[0][a]++
		s.tables[1][b]++
		s.tables[2][c]++
		s.tables[3][d]++
		w, x, y, z := blank[a], blank[b], blank[c], blank[d]
		words += int64(before&^w + w&^x + x&^y + y&^z) // a word begins where white space ends
		before = z
		p = p[4:]
	}
	for _, b := range p {
		s.tables[0][b]++
		words += int64(before &^ blank[b])
		before = blank[b]
	}
	s.before = before
	s.words += words
}

// fold empties the tables into wide.
func (s *scanner) fold() {
	for t := range s.tables {
		for b, n := range s.tables[t] {
			s.wide[b] += int64(n)
		}
	}
	s.tables = [4][256]uint32{}
}

// finish returns the counts of the file, and how often each byte occurs in it; these are good until
// the scanner is used again.
func (s *scanner) finish() (Tally, *[256]int64) {
	s.fold()
	t := Tally{Bytes: s.bytes, Words: s.words, Lines: s.wide['\n'], Zeros: s.wide[0]}
	if s.bytes > 0 && s.last != '\n' {
		t.Lines++
	}
	return t, &s.wide
}
