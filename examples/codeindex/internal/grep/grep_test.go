package grep

import (
	"bytes"
	"context"
	"regexp"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/examples/codeindex/internal/files"
	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printed returns what a search prints, with standard output and standard error as they come.
func printed(t *testing.T, search func(out *Printer) error) (text string, p *Printer) {
	t.Helper()
	var out bytes.Buffer
	p = NewPrinter(&out, &out, "tree/")
	require.NoError(t, search(p))
	return out.String(), p
}

var patterns = []string{"func", "^func", "Errorf|1", ".", "", "nowhere", `func .*\{`, "}$", "^$", "(?i)FUNC", `\x{FFFD}`, "a\nb"}

func TestThePipelinePrintsWhatThePlainLoopPrints(t *testing.T) {
	ctx := context.Background()
	some := []bounds{roomy, {1, 1, 1}, {3, 7, 1}, {100, 30, 2}}
	for n, pattern := range patterns {
		q := inTree(worst())
		q.Pattern = regexp.MustCompile(pattern)
		want, w := printed(t, func(out *Printer) error { return Sequential(ctx, q, out) })
		for workers := 1; workers <= 8; workers++ {
			b, batch := some[(n+workers)%len(some)], (n+workers/2)%3 // a batch of so many files
			opts := []parallelfor.Option{parallelfor.Workers(workers), parallelfor.Batch(batch)}
			got, g := printed(t, func(out *Printer) error { return parallel(ctx, q, out, b, opts) })
			require.True(t, want == got, "pattern %q workers %d bounds %+v batch %d: %d bytes and not %d",
				pattern, workers, b, batch, len(got), len(want))
			require.Equal(t, []int{w.Matches(), w.Unread()}, []int{g.Matches(), g.Unread()})
		}
		got, _ := printed(t, func(out *Printer) error { return Parallel(ctx, q, out, parallelfor.Sequential()) })
		require.True(t, want == got, "pattern %q", pattern)
	}
}

func TestTheEmbeddedTree(t *testing.T) {
	source, err := files.Embedded()
	require.NoError(t, err)
	q := Query{Source: source, Pattern: regexp.MustCompile(`[nw][eo] |^\s`)}
	for name, search := range both {
		got, _ := printed(t, func(out *Printer) error { return search(context.Background(), q, out) })
		assert.Equal(t, "tree/README.md:3:It is counted when no other one is found.\n"+
			"tree/docs/words.txt:1:one two  three\n"+
			"tree/docs/words.txt:2:\tfour\n"+
			"tree/main.go.txt:6:\tfor i := range 3 {\n"+
			"tree/main.go.txt:7:\t\tfmt.Println(\"line\", i)\n"+
			"tree/main.go.txt:8:\t}\n", got, name)
	}
}

// both are the ways to search.
var both = map[string]func(context.Context, Query, *Printer) error{
	"sequential": Sequential,
	"parallel": func(ctx context.Context, q Query, out *Printer) error {
		return Parallel(ctx, q, out, parallelfor.Workers(3))
	},
}

func TestWhatIsPrinted(t *testing.T) {
	for _, c := range []struct{ pattern, text, want string }{
		{"b", "a\nb\nab\n", "tree/f:2:b\ntree/f:3:ab\n"},
		{"b", "a\nb", "tree/f:2:b\n"},
		{"b", "", ""},
		{"", "", ""},
		{"", "\n", "tree/f:1:\n"},
		{"^$", "a\n\nb\n", "tree/f:2:\n"},
		{"a", "a\r\nb\r\n", "tree/f:1:a\r\n"},
		{"a$", "a\r\n", ""},
		{"a.b", "a\nb\n", ""},
		{`a\s*b`, "a\nb\na b\n", "tree/f:3:a b\n"},
		{"(?s)a.*b", "a\nb\n", ""},
		{"a\nb", "a\nb\n", ""},
		{"^b", "ab\nb\n", "tree/f:2:b\n"},
		{"b", "a\xff\xfeb\n", "tree/f:1:a\xff\xfeb\n"},
		{"a.b", "a\xffb\n", "tree/f:1:a\xffb\n"},
		{"b", "b\n\x00", "tree/f: binary file matches\n"},
		{"b", "\x00b", "tree/f: binary file matches\n"},
		{"b", "\x00a\n", ""},
	} {
		for name, search := range both {
			q := inTree(fstest.MapFS{"f": {Data: []byte(c.text)}})
			q.Pattern = regexp.MustCompile(c.pattern)
			got, p := printed(t, func(out *Printer) error { return search(context.Background(), q, out) })
			assert.Equal(t, c.want, got, "%s: %q in %q", name, c.pattern, c.text)
			assert.Equal(t, bytes.Count([]byte(c.want), []byte("tree/")), p.Matches())
		}
	}
}

func TestWhatCannotBeReadIsReportedAndTheRestGoesOn(t *testing.T) {
	m := brokenfs.FS{MapFS: fstest.MapFS{}}
	for _, name := range []string{"a", "b noopen", "c", "d/nolist/a", "e noread", "f"} {
		m.MapFS[name] = &fstest.MapFile{Data: []byte("one x\ntwo x\nthree x\n")}
	}
	q := inTree(m)
	q.Pattern = regexp.MustCompile("t.*x|e x")
	for name, search := range both {
		var out, errs bytes.Buffer
		p := NewPrinter(&out, &errs, "")
		require.NoError(t, search(context.Background(), q, p), name)
		assert.Equal(t, "a:1:one x\na:2:two x\na:3:three x\nc:1:one x\nc:2:two x\nc:3:three x\n"+
			"e noread:1:one x\n"+
			"f:1:one x\nf:2:two x\nf:3:three x\n", out.String(), name)
		assert.Equal(t, "not read: b noopen: broken\nnot read: d/nolist: broken\nnot read: e noread: broken\n", errs.String(), name)
		assert.Equal(t, []int{10, 3}, []int{p.Matches(), p.Unread()}, name)
	}
}

func TestAnEmptyTreeAndExtensionsThatNobodyHas(t *testing.T) {
	for _, q := range []Query{inTree(fstest.MapFS{}), {Source: inTree(odd(1)).Source, Exts: []string{"c"}}} {
		q.Pattern = regexp.MustCompile("")
		for name, search := range both {
			got, p := printed(t, func(out *Printer) error { return search(context.Background(), q, out) })
			assert.Empty(t, got, name)
			assert.Zero(t, p.Matches(), name)
		}
	}
}
