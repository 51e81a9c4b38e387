package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/safety"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func needChecks(t *testing.T) {
	t.Helper()
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
}

// printed returns what the func prints.
func printed(t *testing.T, print func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, print(&out))
	return out.String()
}

func TestOutputIsGoldenAtEveryLevelAndNumberOfProcessors(t *testing.T) {
	needChecks(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		programtest.Golden(t, filepath.Join("testdata", "violations.golden"), printed(t, run))
	}
}

func TestTheCatalogueIsWhatTheProgramPrints(t *testing.T) {
	needChecks(t)
	docs := filepath.Join("..", "..", "docs")
	all, err := pages(docs)
	require.NoError(t, err)
	for path, text := range all {
		programtest.Golden(t, filepath.Join(docs, filepath.FromSlash(path)), text)
	}
	files, err := os.ReadDir(filepath.Join(docs, "violations"))
	require.NoError(t, err)
	require.Len(t, files, len(kinds), "a page is of no kind")
}

// Builds that are not strict show what strict ones have said, which -update writes with -tags
// custody_strict.
func TestWhatStrictBuildsSayIsRecorded(t *testing.T) {
	known := map[string]bool{}
	for _, m := range misuses {
		if m.only() == "" {
			continue
		}
		known[path.Base(m.record())] = true
		if m.here() {
			v, err := m.catch()
			require.NoError(t, err)
			programtest.Golden(t, filepath.FromSlash(m.record()), v.Error()+"\n")
		}
	}
	entries, err := records.ReadDir("testdata/strict")
	require.NoError(t, err)
	for _, e := range entries {
		assert.True(t, known[e.Name()], "%s is of no misuse", e.Name())
	}
}

// It is reported as what it is, in every field, at once and again.
func TestEachMisuseIsReportedEveryTime(t *testing.T) {
	for _, m := range misuses {
		if !m.here() {
			continue
		}
		t.Run(m.name(), func(t *testing.T) {
			first, err := m.catch()
			require.NoError(t, err)
			for range 20 {
				v, err := m.catch()
				require.NoError(t, err)
				require.Equal(t, first.Error(), v.Error())
			}
		})
	}
}

// A text names what the fields name: both jobs, both fields, the container, the places, the index
// and the range.
func TestTextsSayWhatTheFieldsSay(t *testing.T) {
	needChecks(t)
	for _, m := range misuses {
		if !m.here() {
			continue
		}
		v, err := m.catch()
		require.NoError(t, err)
		for _, part := range []string{v.Job, v.Field, v.OtherJob, v.OtherField, v.Container, v.At, v.Made, v.Scheduled} {
			assert.Contains(t, v.Error(), part, m.name())
		}
		advice := strings.Split(v.Error(), "\n\t")
		assert.Greater(t, len(advice), 1, "%s: what is to be done?", m.name())
	}
}

func TestEveryKindOfViolationIsCommitted(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "safety", "kinds.go"), nil, parser.ParseComments)
	require.NoError(t, err)
	said := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok {
			said[s.Names[0].Name] = strings.Join(strings.Fields(s.Doc.Text()), " ")
		}
		return true
	})
	require.NotEmpty(t, said)
	committed := map[string]bool{}
	for _, m := range misuses {
		require.GreaterOrEqual(t, m.kind(), 0, "%s is of a kind that kinds.go does not have", m.name())
		committed[kinds[m.kind()].name] = true
	}
	for _, k := range kinds {
		assert.Equal(t, said[k.name], k.name+": "+k.when)
		assert.True(t, committed[k.name], "nothing commits %s", k.name)
		delete(said, k.name)
	}
	assert.Empty(t, said, "kinds.go does not have them")
}

// The repairs break no rule, at any level.
func TestFixesAreLegal(t *testing.T) {
	for _, k := range kinds {
		require.NotPanics(t, k.fix, k.name)
	}
}

func TestAFixIsShownByWhatItAdds(t *testing.T) {
	l, err := newListing()
	require.NoError(t, err)
	require.Equal(t, "second := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.After(first))\nsecond.Complete() // and first",
		added(l.parts("conflict"), l.parts("ordered")))
	require.True(t, strings.HasPrefix(added(l.parts("index"), l.parts("lastIndex")), "type lastOf struct {\n\tIn  array.Reader[int]\n"))
}

func TestTitlesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range misuses {
		for _, id := range []string{m.title, m.name()} {
			assert.False(t, seen[id], id)
			seen[id] = true
		}
	}
}

func TestCatchFailsWhenTheMisuseIsNotReportedAsItself(t *testing.T) {
	for name, commit := range map[string]func(){
		"nothing":        func() {},
		"no violation":   func() { panic("other") },
		"another error":  func() { panic(errors.New("other")) },
		"another misuse": func() { panic(safety.NewViolation(safety.ErrIndex, "x", "")) },
	} {
		_, err := misuse{want: safety.Violation{Kind: safety.ErrLength}, commit: commit}.catch()
		assert.Error(t, err, name)
	}
}

func TestEveryFieldMustBeAsWanted(t *testing.T) {
	m := misuse{want: safety.Violation{Kind: safety.ErrLength, Job: "j", N: 3, Made: somewhere}}
	v := safety.NewViolation(safety.ErrLength, "x", "")
	v.Job, v.N, v.Made, v.At = "j", 3, "lengths.go:12", "lengths.go:14"
	assert.Empty(t, m.differences(v))
	v.Made = "elsewhere.go:12"
	assert.Len(t, m.differences(v), 1)
	v.Made = ""
	assert.Len(t, m.differences(v), 1)
	v.At = ""
	assert.Len(t, m.differences(v), 2)
	v.At = "lengths.go:14"
	v.Scheduled = "lengths.go:12"
	v.Job = "k"
	v.Length = 1
	assert.Len(t, m.differences(v), 4)
}

func TestUncheckedBuildsPrintNothing(t *testing.T) {
	if safety.Enabled {
		t.Skip("this build checks")
	}
	assert.Equal(t, nothing, printed(t, run))
	_, err := pages(filepath.Join("..", "..", "docs"))
	assert.Error(t, err)
}

func TestListingShowsTypesBeforeTheCodeThatUsesThem(t *testing.T) {
	l, err := newListing()
	require.NoError(t, err)
	code, err := l.code("writeRange")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(code, "type shift struct {\n\tOut array.Writer[int]\n}\n\nfunc (j *shift) ExecuteBatch("), code)
	assert.True(t, strings.HasSuffix(code, "parallelfor.ForBatch(100, shift{Out: a.Writer()}, (*shift).ExecuteBatch)"), code)
	code, err = l.code("aliasedWriters")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(code, "type goal struct {\n"), code)
	code, err = l.code("copied")
	require.NoError(t, err)
	assert.Contains(t, code, "func clone[T any](p *T) T { return *p }\n")
	_, err = l.code("nowhere")
	assert.Error(t, err)
	_, err = l.comment("clone")
	assert.Error(t, err)
}
