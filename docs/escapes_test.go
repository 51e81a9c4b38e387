package docs_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

// Every escape is reported where escapes.md says so, with the fields that help, on each of some runs; and goes unseen
// where it says that.
func TestEscapes(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	if testing.Short() || safety.Strict || !safety.Enabled {
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

// cell is what the essay's table says of a report: its kind.
func cell(report string) string {
	kind, _, named := strings.Cut(report, ":")
	switch {
	case report == "":
		return "-"
	case named:
		return "`" + kind + "`"
	}
	return report
}

// The table in escapes.md is the tested one.
func TestTheTableOfEscapes(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	program := filepath.Join(t.TempDir(), "escapes")
	out, err := goTool(t, "build", "-o", program, escapes)
	require.NoError(t, err, "%s", out)
	var table strings.Builder
	table.WriteString("\n| what is used | unchecked | checked | strict | `-race` | vet |\n|---|---|---|---|---|---|\n")
	for _, e := range escapeTable(t, program) {
		table.WriteString("| " + e.What)
		for _, l := range levels {
			table.WriteString(" | " + cell(l.want(e)))
		}
		vet := "-"
		if e.Vet != "" {
			vet = "`" + strings.ReplaceAll(e.Vet, ", ", "`, `") + "`"
		}
		table.WriteString(" | " + vet + " |\n")
	}
	const essay, begin, end = "escapes.md", "<!-- the table of testdata/escapes -->\n", "\n<!-- its end -->"
	text, err := os.ReadFile(essay)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	written, after, found := strings.Cut(rest, end)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(essay, []byte(before+begin+table.String()+end+after), 0o666))
		return
	}
	require.Equal(t, table.String(), written, "go test ./docs -run TestTheTableOfEscapes -update writes it")
}
