package main

import (
	"errors"
	"go/ast"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/custody/safety"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A violation that comes out of a loop names a line of the program's body: where it was broken, or,
// of what was found afterwards, where the body begins.
func TestAViolationFromABodyHasALineOfTheBody(t *testing.T) {
	needChecks(t)
	l, err := newListing()
	require.NoError(t, err)
	bodies := bodiesOf(l)
	outOfLoops := 0
	for _, m := range misuses {
		if !m.here() {
			continue
		}
		v, inBody := raised(m)
		require.NotNil(t, v, m.name())
		if !inBody {
			continue
		}
		outOfLoops++
		if m.name() == "idleKind" { // its Loop calls no body, so the line is that of RunKind
			continue
		}
		assert.True(t, bodies[v.At], "%s: %q is no line of a body\n%v", m.name(), v.At, v)
		assert.Contains(t, v.Error(), "\n\tIt happened at "+v.At+".", m.name())
	}
	assert.Greater(t, outOfLoops, 20)
}

// raised commits the misuse, and returns the violation and whether a loop that has failed panicked
// with it.
func raised(m misuse) (v *safety.Violation, inBody bool) {
	defer func() {
		err, _ := recover().(error)
		errors.As(err, &v)
		pcs := make([]uintptr, 256)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			inBody = inBody || strings.HasSuffix(f.Function, "parallelfor.(*failure).raise")
		}
	}()
	m.commit()
	return nil, false
}

// bodiesOf returns the lines, as file:line, of methods that jobs have and of function literals.
func bodiesOf(l *listing) map[string]bool {
	lines := map[string]bool{}
	add := func(n ast.Node) {
		from, to := l.files.Position(n.Pos()), l.files.Position(n.End())
		for line := from.Line; line <= to.Line; line++ {
			lines[filepath.Base(from.Filename)+":"+strconv.Itoa(line)] = true
		}
	}
	literals := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncLit); ok {
				add(f)
			}
			return true
		})
	}
	for _, f := range l.funcs {
		literals(f)
	}
	for _, nodes := range l.helpers {
		for _, n := range nodes {
			if f, ok := n.(*ast.FuncDecl); ok && f.Recv != nil {
				add(f)
			}
		}
	}
	return lines
}
