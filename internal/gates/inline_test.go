package gates

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inlined are the accessors that a loop calls for every element, as the compiler names them. Their
// cost in the checked build stays within the compiler's budget.
var inlined = []string{
	"(*Writer[...]).At",
	"(*Writer[...]).Set",
	"(*Writer[...]).Ptr",
	"(*Reader[...]).At",
	"(*Reader[...]).Len",
	"(*ParallelWriter[...]).Append",
	"(*ParallelWriter).Add",
	"(*ParallelWriter).Inc",
	"(*HistogramParallelWriter).Add",
	"(*SumParallelWriter[...]).Add",
	"(*laneWriter[...]).Append", // as a program's view over a lane is written
}

// budget is the highest cost of a function that the compiler inlines.
const budget = 80

// TestAccessorsAreInlined: a guarded access costs what one of a slice costs only if it is no call.
// What counts is that the calls in a job's body are gone, so the program in testdata has one.
func TestAccessorsAreInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	needsGo(t)
	const program = "./internal/gates/testdata/inline"
	binary := filepath.Join(t.TempDir(), "inline")
	goTool(t, "", nil, "build", "-o", binary, program) // so that an error does not drown in what -m prints
	out := goTool(t, "", nil, "build", "-o", binary, "-gcflags="+modulePath()+"/...=-m=2", program)
	cost, refused, calls := judge(out)
	for _, name := range inlined {
		c, ok := cost[name]
		switch {
		case refused[name] != "":
			t.Errorf("%s: %s", name, refused[name])
		case !ok:
			t.Errorf("%s: the compiler says nothing about it; is it still called so, and used in testdata/inline?", name)
		case c > budget:
			t.Errorf("%s costs %d, more than %d", name, c, budget)
		case calls[name] == 0:
			t.Errorf("%s can be inlined and is not, where testdata/inline calls it", name)
		}
	}
}

func TestInlineGateReadsTheCompiler(t *testing.T) {
	cost, refused, calls := judge(`
./array/writer.go:80:6: can inline array.(*Writer[go.shape.float64]).At with cost 35 as: method(*array.Writer[go.shape.float64]) ...
counter/views.go:27:6: can inline (*ParallelWriter).Add with cost 22 as: ...
counter/views.go:40:6: cannot inline (*ParallelWriter).Inc: function too complex: cost 88 exceeds budget 80
internal/gates/testdata/inline/main.go:19:11: inlining call to array.(*Writer[go.shape.float64]).At
elsewhere/main.go:19:11: inlining call to counter.(*ParallelWriter).Add
`)
	require.Equal(t, map[string]int{"(*Writer[...]).At": 35, "(*ParallelWriter).Add": 22}, cost)
	require.Equal(t, map[string]string{"(*ParallelWriter).Inc": "function too complex: cost 88 exceeds budget 80"}, refused)
	require.Equal(t, map[string]int{"(*Writer[...]).At": 1}, calls)
}

var (
	canInline    = regexp.MustCompile(`: can inline (\S+) with cost (\d+) as: `)
	cannotInline = regexp.MustCompile(`: cannot inline (\S+): (.*)`)
	inlinesCall  = regexp.MustCompile(`testdata/inline/main\.go:\d+:\d+: inlining call to (\S+)`)
	shape        = regexp.MustCompile(`\[[^\]]*\]`)
	pkgName      = regexp.MustCompile(`^[a-z]\w*\.`)
)

// judge reads what -m=2 prints: the highest cost of each function, why some cannot be inlined, and
// how often each was inlined into the program.
func judge(out string) (cost map[string]int, refused map[string]string, calls map[string]int) {
	cost, refused, calls = map[string]int{}, map[string]string{}, map[string]int{}
	plain := func(name string) string { return pkgName.ReplaceAllString(shape.ReplaceAllString(name, "[...]"), "") }
	for line := range strings.Lines(strings.ReplaceAll(out, string(os.PathSeparator), "/")) {
		line = strings.TrimSpace(line)
		if m := canInline.FindStringSubmatch(line); m != nil {
			c, _ := strconv.Atoi(m[2])
			cost[plain(m[1])] = max(cost[plain(m[1])], c)
		} else if m := cannotInline.FindStringSubmatch(line); m != nil {
			refused[plain(m[1])] = m[2]
		} else if m := inlinesCall.FindStringSubmatch(line); m != nil {
			calls[plain(m[1])]++
		}
	}
	return cost, refused, calls
}
