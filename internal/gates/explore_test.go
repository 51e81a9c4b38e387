package gates

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrdinaryBuildsCarryNoExplorer: without the tag nothing of the explorer is linked into a
// program, and an access through package atom is the machine code of one through sync/atomic.
func TestOrdinaryBuildsCarryNoExplorer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	needsGo(t)
	const program = "./internal/gates/testdata/plain"
	packages := func(args ...string) []string {
		var found []string
		for p := range strings.FieldsSeq(goTool(t, "", nil, append(append([]string{"list", "-deps"}, args...), program)...)) {
			if strings.HasSuffix(p, "/internal/sched") || strings.HasSuffix(p, "/internal/explore") {
				found = append(found, p)
			}
		}
		return found
	}
	require.Empty(t, packages())
	require.NotEmpty(t, packages("-tags", "custody_explore"), "the tag does not put the scheduler behind package atom any more")

	binary := filepath.Join(t.TempDir(), "plain")
	goTool(t, "", nil, "build", "-o", binary, program)
	code := func(name string) []string {
		return instructions(goTool(t, "", nil, "tool", "objdump", "-s", `^main\.`+name+`$`, binary))
	}
	want := code("standardAccess")
	require.Greater(t, len(want), 10)
	require.Equal(t, want, code("oursAccess"))

	goTool(t, "", nil, "build", "-tags", "custody_explore", "-o", binary, program)
	require.NotEqual(t, code("standardAccess"), code("oursAccess"), "the comparison cannot tell a call from an instruction")
}

var (
	address = regexp.MustCompile(`0x[0-9a-f]{5,}`)
	symbol  = regexp.MustCompile(`main\.(ours|standard)Access`)
)

// instructions returns the instructions of a disassembly, without where they lie.
func instructions(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.Contains(f[0], ".go:") {
			continue
		}
		s := strings.Join(f[3:], " ")
		list = append(list, symbol.ReplaceAllString(address.ReplaceAllString(s, "ADDRESS"), "ITSELF"))
	}
	return list
}
