package gates

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	maxColumns = 100 // of a line that is a comment; a tab counts 4
	maxWords   = 35  // of a sentence
)

// TestComments: a comment reads as those of Go's library do.
func TestComments(t *testing.T) {
	hold(t, spokenOtherwise, sources(t, func(s *source) bool {
		return s.isGo()
	}))
	for _, comment := range []string{
		"// f returns whoever came first.",
		"// f waits while somebody has the lock.",
		"// Who calls f has the lock.",
		"// f is for who has the lock.",
		"// f: he has the lock.",
		"// All but for the first.",
		"// f says whether it is empty.",
		"// f takes some 20 ns.",
		"// f is written as one writes it by hand.",
		"// f is called " + strings.Repeat("again ", 16) + ".",
		"// f is called\n// " + strings.Repeat("again\n// ", 33) + ".",
	} {
		trip(t, spokenOtherwise, "p/p.go", "package p\n\n"+comment+"\nfunc f() {}")
	}
	require.Empty(t, spokenOtherwise(sample(t, "p/p.go", `package p

// f reports whether a goroutine that has the lock is inside. The words
//
//	whoever has somebody's code
//
// are code, and `+"`whoever`"+` is quoted. A list:
//
//   - 1: `+strings.Repeat("again ", 14)+`
//   - 2: `+strings.Repeat("again ", 14)+`
//   - 3: `+strings.Repeat("again ", 14)+`
func f() {
	g := "// whoever"
}
`)))
}

// persons are words that stand for a goroutine, a caller or a method and do not say which.
var persons = regexp.MustCompile(`\b([Ww]hoever|[Nn]obody|[Ss]omebody|[Aa]nybody|[Ee]verybody|[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]er)\b|^Who\b|[.:;] Who\b|\b(for|of|to|by|from|with|that|those|one|is|are|all|down|or|and|but|than|as|if|when) who\b|\bas one (writes|keeps|can|may|would)\b`)

// turns are phrases for which Go's library has another.
var turns = regexp.MustCompile(`\bbut for\b|\bsays? whether\b|\bsome \d`)

// sentences end where one of these stands before a space or at the end of a paragraph.
var sentenceEnd = regexp.MustCompile(`[.:;!?][)"]*(\s|$)`)

var quoted = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|\\[[^\\]]*\\]")

func spokenOtherwise(s *source) (found []string) {
	for _, group := range s.file.Comments {
		if at := slices.IndexFunc(group.List, isOutput); at >= 0 {
			group = &ast.CommentGroup{List: group.List[:at]}
		}
		for _, line := range group.List {
			found = append(found, tooWide(s, line)...)
		}
		for paragraph := range paragraphs(group) {
			bare := quoted.ReplaceAllString(paragraph, "x")
			for _, words := range []*regexp.Regexp{persons, turns} {
				if m := words.FindString(bare); m != "" {
					found = append(found, fmt.Sprintf("%s has %q in a comment", s.at(group), m))
				}
			}
			for _, long := range tooLong(bare) {
				found = append(found, s.at(group)+long)
			}
		}
	}
	return found
}

// tooLong describes the sentences of a paragraph that have more words than they may.
func tooLong(paragraph string) (found []string) {
	for _, sentence := range sentenceEnd.Split(paragraph, -1) {
		if n := len(strings.Fields(sentence)); n > maxWords {
			found = append(found, fmt.Sprintf(" has a sentence of %d words: %.60s", n, strings.TrimSpace(sentence)))
		}
	}
	return found
}

// isOutput reports whether the lines of a comment from here on are the output of an example.
func isOutput(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, "// Output:") || strings.HasPrefix(c.Text, "// Unordered output:")
}

// TestDocuments: a document names what it speaks of, as comments do.
func TestDocuments(t *testing.T) {
	hold(t, personsIn, sources(t, func(s *source) bool { return path.Ext(s.path) == ".md" }))
	page := func(text string) *source { return &source{path: "a.md", text: []byte(text)} }
	require.Len(t, personsIn(page("The job that somebody holds.\nAll but for one.")), 2)
	require.Len(t, personsIn(page("A job is held "+strings.Repeat("again\n", 33)+".\n\n- A job is held.")), 1)
	require.Empty(t, personsIn(page("A `whoever` is quoted.\n```\nnobody\n```\n~~~go\n// nobody\n~~~\n")))
}

var fenced = regexp.MustCompile("(?ms)^(```|~~~).*?^(```|~~~)$")

func personsIn(s *source) (found []string) {
	text := fenced.ReplaceAllStringFunc(string(s.text), func(code string) string { return strings.Repeat("\n", strings.Count(code, "\n")) })
	n, paragraph := 0, ""
	for line := range strings.Lines(text + "\n") {
		n++
		if prose := strings.TrimSpace(line); prose == "" || strings.ContainsAny(prose[:1], "#|-<") || strings.Contains(prose, " | ") {
			for _, long := range tooLong(quoted.ReplaceAllString(paragraph, "x")) {
				found = append(found, fmt.Sprintf("%s:%d%s", s.path, n, long))
			}
			paragraph = strings.TrimPrefix(prose, "- ")
			if strings.Contains(prose, "|") {
				paragraph = ""
			}
		} else {
			paragraph += " " + prose
		}
		bare := quoted.ReplaceAllString(line, "x")
		for _, words := range []*regexp.Regexp{persons, turns} {
			if m := words.FindString(bare); m != "" {
				found = append(found, fmt.Sprintf("%s:%d has %q", s.path, n, m))
			}
		}
	}
	return found
}

// tooWide finds a line that has nothing but a comment and more columns than it may.
func tooWide(s *source, c *ast.Comment) []string {
	at := s.fset.Position(c.Pos())
	indent := at.Column - 1
	line := s.text[at.Offset-indent : at.Offset]
	if strings.Trim(string(line), "\t") != "" || strings.HasPrefix(c.Text, "//go:") {
		return nil
	}
	if n := 4*indent + len([]rune(c.Text)); n > maxColumns {
		return []string{fmt.Sprintf("%s has %d columns", s.at(c), n)}
	}
	return nil
}

// paragraphs yields the paragraphs and the items of lists of a comment, without code.
func paragraphs(group *ast.CommentGroup) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var now []string
		for line := range strings.Lines(group.Text() + "\n") {
			item := strings.HasPrefix(line, "  - ") || regexp.MustCompile(`^\s*\([\w.]+\)|^ +\d+\. `).MatchString(line)
			code := strings.HasPrefix(line, "\t")
			if (item || code || strings.TrimSpace(line) == "") && len(now) > 0 {
				if !yield(strings.Join(now, " ")) {
					return
				}
				now = now[:0]
			}
			if !code {
				now = append(now, strings.TrimSpace(line))
			}
		}
		if len(now) > 0 {
			yield(strings.Join(now, " "))
		}
	}
}
