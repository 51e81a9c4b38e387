package gates

import (
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// free are functions of testdata/free that do one access each, and how many conditional jumps their
// machine code has, beside the one that grows the stack: in checked builds and in unchecked ones.
// One is the bounds test, or the test whether there is data at all. Where checked builds make a
// call of it there is no figure.
var free = []struct {
	name               string
	checked, unchecked int
}{
	{"writerAt", 1, 1},
	{"writerSet", 1, 1},
	{"writerPtr", 1, 1},
	{"readerAt", 1, 1},
	{"laneInc", 1, 1},
	{"ownerAt", -1, 1},
	{"ownerSet", -1, 1},
	{"ownerLen", -1, 0},
	{"ownerSlice", -1, 0},
}

// TestAccessorsHaveNoCheckButTheBounds: what a view does for each element is what a slice does, in
// checked builds too; and in unchecked builds nothing is left of custody anywhere.
func TestAccessorsHaveNoCheckButTheBounds(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("reads the machine code of amd64")
	}
	if testing.Short() {
		t.Skip("builds two programs")
	}
	needsGo(t)
	for _, tag := range []string{"", "custody_unchecked"} {
		binary := filepath.Join(t.TempDir(), "free")
		goTool(t, "", nil, "build", "-tags", tag, "-o", binary, "./internal/gates/testdata/free")
		texts := map[string]string{}
		for text := range strings.SplitSeq(goTool(t, "", nil, "tool", "objdump", "-s", `^main\.`, binary), "TEXT main.") {
			name, _, _ := strings.Cut(text, "(SB)")
			texts[name] = text
		}
		for _, f := range free {
			want := f.checked
			if tag != "" {
				want = f.unchecked
			}
			if want < 0 {
				continue
			}
			code := texts[f.name]
			jumps, calls := effort(t, code)
			assert.Equal(t, want, jumps, "conditional jumps of %s, with tags %q:\n%s", f.name, tag, code)
			assert.Zero(t, calls, "calls of %s before it returns, with tags %q:\n%s", f.name, tag, code)
		}
	}
}

var instruction = regexp.MustCompile(`(?m)^\s+\S+:\d+\s+0x[0-9a-f]+\s+[0-9a-f]+\s+([A-Z]\w*)(.*)$`)

// effort counts the conditional jumps of a function and the calls before it returns, beside what
// grows the stack.
func effort(t *testing.T, code string) (jumps, calls int) {
	all := instruction.FindAllStringSubmatch(code, -1)
	require.NotEmpty(t, all, code)
	returned := false
	for i, m := range all {
		switch op := m[1]; {
		case op == "RET":
			returned = true
		case strings.HasPrefix(op, "CALL") && !returned:
			calls++
		case strings.HasPrefix(op, "J") && op != "JMP":
			if i == 0 || !strings.Contains(all[i-1][2], "SP, 0x10(R14)") {
				jumps++
			}
		}
	}
	return jumps, calls
}

func TestEffortReadsMachineCode(t *testing.T) {
	jumps, calls := effort(t, `TEXT main.f(SB) main.go
  main.go:11	0x4b2d20	493b6610	CMPQ SP, 0x10(R14)
  main.go:11	0x4b2d24	764c	JBE 0x4b2d72
  main.go:11	0x4b2d26	55	PUSHQ BP
  main.go:12	0x4b2d2e	48395848	CMPQ 0x48(AX), BX
  main.go:12	0x4b2d32	7626	JBE 0x4b2d5a
  main.go:12	0x4b2d34	e8	CALL main.g(SB)
  main.go:12	0x4b2d50	c3	RET
  main.go:12	0x4b2d55	e8	CALL runtime.panicBounds(SB)
  main.go:12	0x4b2d66	eb	JMP main.f(SB)
`)
	require.Equal(t, 1, jumps)
	require.Equal(t, 1, calls)
}
