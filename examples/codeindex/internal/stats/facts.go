package stats

import (
	"bytes"

	"example.com/custody/examples/codeindex/internal/words"
)

// Facts are what is said of one file. Of one that is binary, as it is for a search, only the bytes are known.
type Facts struct {
	Bytes  int64
	Binary bool
	// Lines is the number of newlines, and one more if the last line does not end with one; Blank is how many have only white space.
	Lines, Blank int64
	// Names is how many identifiers there are, each as often as it stands there.
	Names int64
	// Longest is how many bytes the longest line has, without its newline, and At its number, from 1 on: that of the first such line.
	Longest, At int64
}

// Total is what is said of all files together. Of those that could not be read only that is known.
type Total struct {
	Facts             // sums, but for the longest line, which is the first of its length; Binary says nothing
	Files, Unreadable int64
	Binaries, Empty   int64
	// Where is the index of the file with the longest line.
	Where int
}

// of returns what the file with index i adds to the total.
func of(i int, f Facts, unreadable bool) Total {
	switch {
	case unreadable:
		return Total{Files: 1, Unreadable: 1}
	case f.Binary:
		return Total{Files: 1, Binaries: 1, Facts: Facts{Bytes: f.Bytes}}
	case f.Bytes == 0:
		return Total{Files: 1, Empty: 1}
	}
	return Total{Files: 1, Facts: f, Where: i}
}

// plus returns the total of the files of t and, behind them, those of u.
func (t Total) plus(u Total) Total {
	t.Files += u.Files
	t.Unreadable += u.Unreadable
	t.Binaries += u.Binaries
	t.Empty += u.Empty
	t.Bytes += u.Bytes
	t.Lines += u.Lines
	t.Blank += u.Blank
	t.Names += u.Names
	if u.At > 0 && (t.At == 0 || u.Longest > t.Longest) {
		t.Longest, t.At, t.Where = u.Longest, u.At, u.Where
	}
	return t
}

// look returns what is said of a file's text, and calls name with its identifiers.
func look(text []byte, name func([]byte)) (f Facts) {
	f.Bytes = int64(len(text))
	if f.Binary = words.IsBinary(text); f.Binary {
		return f
	}
	for line := range bytes.Lines(text) {
		f.Lines++
		line = bytes.TrimSuffix(line, []byte{'\n'})
		if n := int64(len(line)); f.At == 0 || n > f.Longest {
			f.Longest, f.At = n, f.Lines
		}
		if len(bytes.TrimSpace(line)) == 0 {
			f.Blank++
		}
	}
	words.Identifiers(text, func(word []byte, _ int32) {
		f.Names++
		name(word)
	})
	return f
}
