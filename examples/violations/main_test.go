package main

import (
	"bytes"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/custody/safety"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the program prints to its golden file")

func needChecks(t *testing.T) {
	t.Helper()
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
}

func TestOutputIsGoldenAtEveryLevelAndNumberOfProcessors(t *testing.T) {
	needChecks(t)
	golden := filepath.Join("testdata", "violations.golden")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		var out bytes.Buffer
		require.NoError(t, run(&out))
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
			require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), out.String(), "with %d processors; go test -update writes the golden file anew", procs)
	}
}

func TestEachMisuseIsReportedEveryTime(t *testing.T) {
	needChecks(t)
	for _, m := range misuses {
		t.Run(m.name(), func(t *testing.T) {
			first, err := m.catch()
			require.NoError(t, err)
			for range 20 {
				v, err := m.catch()
				require.NoError(t, err)
				assert.Equal(t, first.Error(), v.Error())
			}
		})
	}
}

func TestEveryKindOfViolationIsCommitted(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "safety", "kinds.go"), nil, 0)
	require.NoError(t, err)
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			texts = append(texts, strings.Trim(call.Args[0].(*ast.BasicLit).Value, `"`))
		}
		return true
	})
	require.NotEmpty(t, texts)
	committed := map[string]bool{}
	for _, m := range misuses {
		committed[m.kind.Error()] = true
	}
	for _, text := range texts {
		assert.True(t, committed[text], "nothing commits %q", text)
	}
}

func TestCatchFailsWhenTheMisuseIsNotReportedAsItself(t *testing.T) {
	for name, commit := range map[string]func(){
		"nothing":        func() {},
		"no violation":   func() { panic("other") },
		"another error":  func() { panic(errors.New("other")) },
		"another misuse": func() { panic(safety.NewViolation(safety.ErrIndex, "x", "")) },
	} {
		_, err := misuse{kind: safety.ErrLength, commit: commit}.catch()
		assert.Error(t, err, name)
	}
}

func TestUncheckedBuildsCommitNothing(t *testing.T) {
	if safety.Enabled {
		t.Skip("this build checks")
	}
	var out bytes.Buffer
	require.NoError(t, run(&out))
	assert.Contains(t, out.String(), "checks nothing")
}

func TestListingShowsTypesBeforeTheCodeThatUsesThem(t *testing.T) {
	l, err := newListing()
	require.NoError(t, err)
	code, err := l.code("writeRange")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(code, "type shift struct {\n\tOut array.Writer[int]\n}\n\nfunc (j *shift) ExecuteBatch("), code)
	assert.True(t, strings.HasSuffix(code, "parallelfor.RunBatch(100, shift{a.Writer()})"), code)
	_, err = l.code("nowhere")
	assert.Error(t, err)
	_, err = l.comment("clone")
	assert.Error(t, err)
}
