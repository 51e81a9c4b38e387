package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const code = `package p

func (t *T[K]) F(x int) int {
	if Strict && x > 0 {
		panic("strict")
	}
	if x < 0 {
		panic("negative") // a | b
	}
	if x > 9 {
		panic("large")
	}
	return x
}
`

const lines = `mode: set
m/p/p.go:3.29,4.21 1 1
m/p/p.go:4.21,6.3 1 0
m/p/p.go:7.2,7.11 1 1
m/p/p.go:7.11,9.3 1 0
m/p/p.go:10.2,10.11 1 0
m/p/p.go:10.2,10.11 1 1
m/p/p.go:10.11,12.3 1 %
m/p/p.go:13.2,13.10 1 1
`

// run checks the code above with a count for its third panic.
func run(t *testing.T, count, strict, list string) (problems []string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	write("go.mod", "module m\n\ngo 1.26\n")
	write("p/p.go", code)
	profile := write("cover.out", strings.ReplaceAll(lines, "%", count))
	builds := map[string]string{}
	if strict != "" {
		builds["strict"] = write("strict.out", strict)
	}
	problems, _, err := check(dir, profile, builds, write("list", list), []string{"p"})
	require.NoError(t, err)
	return problems
}

const (
	guard    = "if Strict | strict | not in this build\n"
	negative = "p/p.go | (*T).F | panic(\"negative\") // a | b | cannot be\n"
	large    = "p/p.go | (*T).F | panic(\"large\") | cannot be\n"
)

func TestEveryUncoveredBlockIsListed(t *testing.T) {
	require.Empty(t, run(t, "0", "", guard+negative+large))
	require.Empty(t, run(t, "1", "", "# comment\n\n"+guard+negative))
}

func TestAnUnlistedBlockIsAProblem(t *testing.T) {
	problems := run(t, "0", "", guard+negative)
	require.Len(t, problems, 1)
	require.Equal(t, "p/p.go:10 is not covered:\n\tp/p.go | (*T).F | panic(\"large\")", problems[0])
	require.Len(t, run(t, "0", "", negative+large), 1, "the guarded one")
}

func TestAStaleEntryIsAProblem(t *testing.T) {
	require.Len(t, run(t, "1", "", guard+negative+large), 1)
	require.Len(t, run(t, "0", "", guard+guard+negative+negative+large), 1, "an entry stands for one block")
	require.Len(t, run(t, "0", "", guard+"if Race | race | other build\n"+negative+large), 1)
}

func TestGuardedBlocksMustBeCoveredWhereTheyAreBuilt(t *testing.T) {
	require.Len(t, run(t, "1", "mode: set\nm/p/p.go:4.21,6.3 1 0\n", guard+negative), 1)
	require.Empty(t, run(t, "1", "mode: set\nm/p/p.go:4.21,6.3 1 1\n", guard+negative))
}

func TestAFunctionOfAnotherBuildIsCoveredThere(t *testing.T) {
	const function = "func p/p.go (*T).F | strict | not called here\n"
	require.Empty(t, run(t, "0", "", function))
	problems := run(t, "0", "mode: set\nm/p/p.go:4.21,6.3 1 1\nm/p/p.go:7.11,9.3 1 1\n", function)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0], "large")
}

func TestAMissingPackageIsAnError(t *testing.T) {
	dir := t.TempDir()
	profile := filepath.Join(dir, "cover.out")
	require.NoError(t, os.WriteFile(profile, []byte("mode: set\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list"), nil, 0o644))
	_, _, err := check(dir, profile, nil, filepath.Join(dir, "list"), []string{"p"})
	require.ErrorContains(t, err, "nothing of package p")
}

func TestAMalformedListIsAnError(t *testing.T) {
	for _, bad := range []string{"p.go | f | text", "if x", "p.go"} {
		_, _, err := parseList("list", strings.NewReader(bad))
		require.ErrorContains(t, err, "list:1", bad)
	}
}
