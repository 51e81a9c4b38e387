package walk

import (
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root returns the directory of the project.
func root(t *testing.T) string {
	dir, err := filepath.Abs("../../..")
	require.NoError(t, err)
	return dir
}

func readme(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	require.NoError(t, err)
	return string(text)
}

// blocks returns the fenced blocks of a language; "" is those of none.
func blocks(page, language string) (found []string) {
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		if m[1] == language {
			found = append(found, m[2])
		}
	}
	return found
}

// block returns the lines of the one block without a language that begins so, commands without
// their comments.
func block(t *testing.T, page, begins string) (lines []string) {
	for _, b := range blocks(page, "") {
		if strings.HasPrefix(b, begins) {
			require.Empty(t, lines, "two blocks begin with %q", begins)
			for line := range strings.Lines(b) {
				lines = append(lines, command(line))
			}
		}
	}
	require.NotEmpty(t, lines, "no block begins with %q", begins)
	return lines
}

// command returns a line of a block without the comment at its end.
func command(line string) string {
	line, _, _ = strings.Cut(line, " # ")
	return strings.TrimRight(line, " \n")
}

// importable are the packages that the README's code may use, by the name that it uses.
var importable = []struct{ name, path string }{
	{"fmt", "fmt"},
	{"maps", "maps"},
	{"strings", "strings"},
	{"testing", "testing"},
	{"array", "example.com/custody/array"},
	{"counter", "example.com/custody/counter"},
	{"custodytest", "example.com/custody/custodytest"},
	{"hashmap", "example.com/custody/hashmap"},
	{"parallelfor", "example.com/custody/parallelfor"},
	{"safety", "example.com/custody/safety"},
}

// assembled makes a file of a block: what it uses is imported, types and functions stay as they
// are, and what is left is what main does.
func assembled(t *testing.T, code, given, first, last string) string {
	declared, does := split(code)
	body := first + does + last
	text := given + declared
	if body != "" {
		text += "func main() {\n" + body + "}\n"
	}
	var imports strings.Builder
	for _, p := range importable {
		if regexp.MustCompile(`\b` + p.name + `\.[A-Z]`).MatchString(text) {
			imports.WriteString("\"" + p.path + "\"\n")
			if p.name == p.path {
				imports.WriteString("\n")
			}
		}
	}
	out, err := format.Source([]byte("package main\n\nimport (\n" + imports.String() + ")\n\n" + text))
	require.NoError(t, err, text)
	return string(out)
}

// split tells declarations, which begin at the left edge and end with a brace there, from
// statements.
func split(code string) (declared, does string) {
	inside := false
	for line := range strings.Lines(code) {
		if !inside && regexp.MustCompile(`^(type|func) `).MatchString(line) {
			inside = true
		}
		switch {
		case inside:
			declared += line
		case line == "\n" && does == "":
			declared += line
		default:
			does += line
		}
		if line == "}\n" {
			inside = false
		}
	}
	return declared, does
}

func TestABlockIsAProgram(t *testing.T) {
	require.Equal(t, "package main\n\nimport (\n\t\"fmt\"\n)\n\ntype T struct {\n\tA int\n}\n\nfunc main() {\n\tt := T{1}\n\tfmt.Println(t)\n}\n",
		assembled(t, "type T struct {\n\tA int\n}\n\nt := T{1}\nfmt.Println(t)\n", "", "", ""))
	require.Equal(t, "go run .", command("go run .   # what it does\n"))
	require.Equal(t, []string{"a\n", "c\n"}, blocks("x\n```\na\n```\ny\n```go\nb\n```\n```\nc\n```\n", ""))
}
