package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// escape is a row of the table of testdata/escapes.
type escape struct {
	Name, What                       string
	Unchecked, Checked, Strict, Race string
	Vet                              string // a test of module vet looks at that
}

// levels are the ways to build the program, and what a row expects of each.
var levels = []struct {
	name  string
	flags []string
	want  func(e escape) string
}{
	{"unchecked", []string{"-tags", "custody_unchecked"}, func(e escape) string { return e.Unchecked }},
	{"checked", nil, func(e escape) string { return e.Checked }},
	{"strict", []string{"-tags", "custody_strict"}, func(e escape) string { return e.Strict }},
	{"race", []string{"-race"}, func(e escape) string { return e.Race }},
}

const escapes = "./testdata/escapes"

// escapeTable asks the program for its rows.
func escapeTable(t *testing.T, program string) (rows []escape) {
	t.Helper()
	out, err := exec.Command(program).Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &rows))
	return rows
}

// commit has the program commit an escape, and returns what was reported.
func commit(t *testing.T, program, name string) string {
	t.Helper()
	var reports strings.Builder
	c := exec.Command(program, name)
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	c.Stderr = &reports
	out, err := c.Output()
	said := strings.TrimSpace(string(out))
	if err == nil {
		return said
	}
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit) && exit.ExitCode() == 66 && strings.Contains(reports.String(), "DATA RACE"), "%v\n%s", err, reports.String())
	return strings.TrimPrefix(said+"; race", "; ")
}

// Every escape is reported where escapes.md says so, with the fields that help, on each of some
// runs; and goes unseen where it says that.
func TestEscapes(t *testing.T) {
	needsGo(t)
	if safety.Strict || !safety.Enabled {
		t.Skip("builds the program at each level, whatever this one is")
	}
	for _, l := range levels {
		t.Run(l.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "escapes")
			out, err := goTool(t, append(append([]string{"build", "-o", program}, l.flags...), escapes)...)
			if err != nil && l.name == "race" && strings.Contains(out, "race") && !strings.Contains(out, ".go:") {
				t.Skip("there is no race detector")
			}
			require.NoError(t, err, "%s", out)
			for _, e := range escapeTable(t, program) {
				t.Run(e.Name, func(t *testing.T) {
					t.Parallel()
					for range 5 {
						require.Equal(t, l.want(e), commit(t, program, e.Name))
					}
				})
			}
		})
	}
}

// groups are the tables of the essay, by the first level that reports.
var groups = []string{
	"Every build reports",
	"Every build except unchecked reports",
	"Strict and `-race` builds report",
	"Only `-race` builds report, as a race",
	"No build reports",
}

// reported returns the first level that reports the escape, len(levels) for none, and what the
// levels from there on report.
func reported(e escape) (first int, kinds []string) {
	first = len(levels)
	for i, l := range levels {
		kind, _, violation := strings.Cut(l.want(e), ":")
		if kind == "" {
			continue
		}
		if violation {
			kind = "`" + kind + "`"
		}
		first = min(first, i)
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return first, kinds
}

// The tables in escapes.md are the tested ones.
func TestTheTablesOfEscapes(t *testing.T) {
	needsGo(t)
	program := filepath.Join(t.TempDir(), "escapes")
	out, err := goTool(t, "build", "-o", program, escapes)
	require.NoError(t, err, "%s", out)
	rows := make([][]string, len(groups))
	for _, e := range escapeTable(t, program) {
		first, kinds := reported(e)
		row := "| " + e.What
		if first < 3 {
			row += " | " + strings.Join(kinds, ", ")
		}
		row += " |"
		if e.Vet != "" {
			row += " `" + strings.ReplaceAll(e.Vet, ", ", "`, `") + "`"
		}
		if row += " |\n"; !slices.Contains(rows[first], row) {
			rows[first] = append(rows[first], row)
		}
	}
	var all strings.Builder
	for i, title := range groups {
		fmt.Fprintf(&all, "\n### %s\n\n", title)
		if i < 3 {
			all.WriteString("| what is used | report | vet |\n|---|---|---|\n")
		} else {
			all.WriteString("| what is used | vet |\n|---|---|\n")
		}
		all.WriteString(strings.Join(rows[i], ""))
	}
	const essay, begin, end = "escapes.md", "<!-- the tables of testdata/escapes -->\n", "\n<!-- their end -->"
	text, err := os.ReadFile(essay)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	written, after, found := strings.Cut(rest, end)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(essay, []byte(before+begin+all.String()+end+after), 0o666))
		return
	}
	require.Equal(t, all.String(), written, "go test ./docs -run TestTheTablesOfEscapes -update writes them")
}
