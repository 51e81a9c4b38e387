package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
)

// sessionBlock is the recorded block of README.md: command lines after a dollar sign, each with what it printed.
var sessionBlock = regexp.MustCompile("(?ms)^```\n(\\$ codeindex -dir .*?)^```\n")

// What README.md shows is what its commands print, at any number of workers, but for times.
func TestTheRecordedSessionIsWhatTheProgramPrints(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	found := sessionBlock.FindSubmatchIndex(page)
	require.NotNil(t, found)
	recorded := string(page[found[2]:found[3]])
	for _, flag := range []string{"", "-grep", "-query", "-words", "-stats", "-prompt", "-timeline", "-verify"} {
		require.Regexp(t, `(?m)^\$ .*codeindex .*`+flag, recorded)
	}
	if *programtest.Update {
		text := string(page[:found[2]]) + replayed(t, recorded) + string(page[found[3]:])
		require.NoError(t, os.WriteFile("README.md", []byte(text), 0o644))
		return
	}
	for _, workers := range []string{"1", "2", "8"} {
		assert.Equal(t, timeless(recorded), timeless(replayed(t, recorded, "-workers", workers)), "go test . -run Session -update records it anew")
	}
}

// timeless is a session without what is another time's at the next run.
func timeless(session string) string {
	session = regexp.MustCompile(`(?m)^(sequential|parallel) .*\n`).ReplaceAllString(session, "")
	session = regexp.MustCompile(`(listed|indexed) in [^;\n]*`).ReplaceAllString(session, "$1 in T")
	return regexp.MustCompile(`(?m) \([0-9.]+[nµm]?s\)$`).ReplaceAllString(session, " (T)")
}

// replayed runs the commands of a session, each with more arguments, and returns the session that comes of it.
func replayed(t *testing.T, session string, more ...string) string {
	t.Helper()
	s := shell{tmp: t.TempDir(), more: more}
	var out strings.Builder
	for line := range strings.Lines(session) {
		if command, is := strings.CutPrefix(line, "$ "); is {
			out.WriteString(line + s.run(t, strings.TrimSuffix(command, "\n")))
		}
	}
	return out.String()
}

// shell knows as much of a shell as the session has.
type shell struct {
	tmp  string // where it writes
	more []string
	code int // of the last command
}

// run returns what a command prints: both outputs in their order.
func (s *shell) run(t *testing.T, command string) string {
	words := split(command)
	stdin := ""
	if words[0] == "printf" {
		text, err := strconv.Unquote(`"` + words[1] + `"`)
		require.NoError(t, err)
		stdin, words = text, words[3:]
	}
	var out bytes.Buffer
	switch words[0] {
	case "echo":
		fmt.Fprintln(&out, s.code)
	case "cat":
		text, err := os.ReadFile(s.real(words[1]))
		require.NoError(t, err)
		out.Write(text)
	case "codeindex":
		var args []string
		for _, a := range words[1:] {
			args = append(args, s.real(a))
		}
		s.code = run(context.Background(), append(args, s.more...), strings.NewReader(stdin), &out, &out)
	default:
		t.Fatalf("the shell does not know %s", words[0])
	}
	return strings.ReplaceAll(out.String(), s.tmp+string(filepath.Separator), "")
}

// real is where a file of the session is: those that it writes are elsewhere.
func (s *shell) real(name string) string {
	if pictures[filepath.Ext(name)] != nil {
		return filepath.Join(s.tmp, name)
	}
	return name
}

// split cuts a command line at its blanks, but for those in quotes.
func split(line string) (words []string) {
	for _, m := range regexp.MustCompile(`'([^']*)'|\S+`).FindAllStringSubmatch(line, -1) {
		if strings.HasPrefix(m[0], "'") {
			words = append(words, m[1])
		} else {
			words = append(words, m[0])
		}
	}
	return words
}
