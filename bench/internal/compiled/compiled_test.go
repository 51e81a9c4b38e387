package compiled

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A side is a kind of map: what it imports, and how a map is made and used.
type side struct{ path, fresh, store, load string }

var sides = map[string]side{
	"custody":            {"example.com/custody/hashmap", "hashmap.New[%s, %s]()", "m.Store(k, v)", "v, _ = m.Load(k)"},
	"custody's MultiMap": {"example.com/custody/hashmap", "hashmap.NewMulti[%s, %s]()", "m.Add(k, v)", "v = m.Values(k)[0]"},
	"xsync":              {"github.com/puzpuzpuz/xsync/v4", "xsync.NewMap[%s, %s]()", "m.Store(k, v)", "v, _ = m.Load(k)"},
	"Go":                 {"maps", "maps.Clone(map[%s]%s{})", "m[k] = v", "v = m[k]"},
}

// program returns a program with a map for each of some pairs of types. All types differ.
func (s side) program(pairs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"fmt\"\n\n\t%q\n)\n\n", s.path)
	for i := range pairs {
		value := [...]string{"x, y float32", "x [3]int", "s string; n int", "p *int"}[i%4]
		key := [...]string{"a int32; b uint16", "s string; n int", "a, b string", "a int"}[i/2%4]
		fmt.Fprintf(&b, "type K%d struct { %s; _ [%d]int }\ntype V%d struct { %s; _ [%d]int }\n\n", i, key, i, i, value, i)
		fmt.Fprintf(&b, "func use%d() {\n\tm := %s\n\tvar k K%d\n\tvar v V%d\n\t%s\n\t%s\n\tfmt.Println(v)\n}\n\n",
			i, fmt.Sprintf(s.fresh, fmt.Sprint("K", i), fmt.Sprint("V", i)), i, i, s.store, s.load)
	}
	b.WriteString("func main() {\n")
	for i := range pairs {
		fmt.Fprintf(&b, "\tuse%d()\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}

// build builds a program anew, and returns the processor time and the size of the binary.
func build(t *testing.T, text string) (time.Duration, int64) {
	state, size := built(t, text)
	return state.UserTime() + state.SystemTime(), size
}

// built builds a program anew, and returns the state of go build and the size of the binary.
func built(t *testing.T, text string, env ...string) (*os.ProcessState, int64) {
	binary := filepath.Join(t.TempDir(), "program")
	cmd := of(t, text, "build", "-o", binary)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	info, err := os.Stat(binary)
	require.NoError(t, err)
	return cmd.ProcessState, info.Size()
}

// of returns a go command on a program that was never built before.
func of(t *testing.T, text, command string, args ...string) *exec.Cmd {
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "%s\n// %s\n", text, dir), 0o644))
	paths, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(here, "program", "main.go"): file}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, paths, 0o644))
	return exec.Command("go", append(append([]string{command, "-overlay", overlay}, args...), "./program")...)
}

// A further pair of types of a Map or a MultiMap costs a bounded number of bytes of a binary, and a
// bounded multiple of the processor time that one of xsync costs; a program with eight pairs costs
// a bounded multiple of one with Go's map. The bars are 60 kB, and 0.25 s for a Map and 0.2 s for a
// MultiMap.
func TestWhatAPairOfTypesCosts(t *testing.T) {
	each, eight := map[string]time.Duration{}, map[string]time.Duration{}
	for name, s := range sides {
		build(t, s.program(1)) // also builds what it imports
		var times [3]time.Duration
		var sizes [3]int64
		for i, pairs := range []int{1, 4, 8} {
			times[i], sizes[i] = build(t, s.program(pairs))
		}
		each[name], eight[name] = (times[2]-times[0])/7, times[2]
		bytes := (sizes[2] - sizes[0]) / 7
		t.Logf("%-18s programs with 1, 4 and 8 pairs: %v, %v bytes; a pair: %v, %d bytes", name, times, sizes, each[name], bytes)
		if strings.HasPrefix(name, "custody") {
			require.Less(t, bytes, int64(60_000))
		}
	}
	peer := max(each["xsync"], 60*time.Millisecond)
	require.Less(t, each["custody"], 5*peer/2)
	require.Less(t, each["custody's MultiMap"], 2*peer)
	require.Less(t, eight["custody"], 8*eight["Go"])
	require.Less(t, eight["custody's MultiMap"], 6*eight["Go"])
}

// tableProgram returns a program with a table of some columns, all of different types, and some
// loops over them, all with jobs of different types. Without columns there is no table.
func tableProgram(columns, loops int) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"fmt\"\n")
	if columns > 0 {
		b.WriteString("\n\t\"example.com/custody/array\"\n\t\"example.com/custody/table\"\n")
	}
	b.WriteString(")\n\ntype row struct {\n")
	for i := range columns {
		fmt.Fprintf(&b, "\tf%d V%d\n", i, i)
	}
	b.WriteString("}\n\n")
	for i := range columns {
		value := [...]string{"x, y float32", "x [3]int", "s string; n int", "p *int; n int"}[i%4]
		fmt.Fprintf(&b, "type V%d struct { %s; _ [%d]int }\n\n", i, value, i)
	}
	for i := range loops {
		fmt.Fprintf(&b, "type J%d struct { Out array.Writer[V%d]; In array.Reader[V%d]; _ [%d]int }\n\n", i, i%columns, (i+1)%columns, i)
	}
	b.WriteString("func main() {\n")
	if columns > 0 {
		b.WriteString("\tt := table.New[row]()\n")
	}
	for i := range columns {
		fmt.Fprintf(&b, "\tc%d := table.ColumnOf(t, func(r *row) *V%d { return &r.f%d })\n\tfmt.Println(c%d)\n", i, i, i, i)
	}
	for i := range loops {
		fmt.Fprintf(&b, "\ttable.For(t.Rows(), J%d{Out: c%d.Writer(), In: c%d.Reader()}, func(j *J%d, i int) { j.Out.Ptr(i); j.In.At(i) })\n",
			i, i%columns, (i+1)%columns, i)
	}
	b.WriteString("\tfmt.Println(row{})\n}\n")
	return b.String()
}

// A further column of a table costs a bounded number of bytes of a binary, and so does a further
// loop. The bar for the processor time of a table of four columns and one loop is 0.4 s more than
// the same program without the library, and 0.1 s for each further loop. With columns of four types
// the first may be missed.
func TestWhatATableCosts(t *testing.T) {
	build(t, tableProgram(2, 1)) // also builds what it imports
	build(t, tableProgram(0, 0))
	bare, _ := build(t, tableProgram(0, 0))
	_, two := build(t, tableProgram(2, 1))
	four, size := build(t, tableProgram(4, 1))
	loops, long := build(t, tableProgram(4, 5))
	column, loop := (size-two)/2, (long-size)/4
	t.Logf("four columns: %v more; a column: %d bytes; a loop: %v, %d bytes", four-bare, column, (loops-four)/4, loop)
	require.Less(t, column, int64(16_000))
	require.Less(t, loop, int64(30_000))
	require.Less(t, (loops-four)/4, max(bare/2, 100*time.Millisecond))
	require.Less(t, four-bare, 5*max(bare, 200*time.Millisecond)/2)
}

// A program compiles the functions that it uses, and few others. Generic types are compiled in the
// program's package, with the methods of all generic types that their fields lead to.
func TestWhatAProgramCompiles(t *testing.T) {
	for _, c := range []struct {
		name, imports, body string
		most                int
	}{
		{"a loop", "parallelfor", "parallelfor.For(len(s), job{s}, func(j *job, i int) { j.S[i]++ })", 28},
		{"a scheduled loop", "parallelfor", "parallelfor.Schedule(len(s), job{s}, func(j *job, i int) { j.S[i]++ }).Complete()", 38},
		{"loops over slices", "parallelfor", "parallelfor.Indices(len(s), func(i int) { s[i]++ })", 10},
		{"an array", "array", "array.New[int](1).Set(0, 1)", 108},
		{"a list", "array", "array.NewList[int]().Append(1)", 218},
		{"rows", "array", "array.NewStream[int]().Resize(1)", 362},
		{"a counter", "counter", "counter.New().Inc()", 55},
		{"a map", "hashmap", "hashmap.New[string, int]().Delete(\"\")", 263},
		{"a multimap", "hashmap", "hashmap.NewMulti[string, int]().Add(\"\", 1)", 207},
		{"a queue", "queue", "queue.New[int]().Enqueue(1)", 300},
		{"a table", "table", "table.New[job]().Dispose()", 98},
	} {
		text := fmt.Sprintf("package main\n\nimport \"example.com/custody/%s\"\n\ntype job struct{ S []int `custody:\"unguarded\"` }\n\nvar s []int\n\nfunc main() { %s }\n", c.imports, c.body)
		archive, err := of(t, text, "list", "-export", "-f", "{{.Export}}").Output()
		require.NoError(t, err, c.name)
		symbols, err := exec.Command("go", "tool", "nm", strings.TrimSpace(string(archive))).Output()
		require.NoError(t, err, c.name)
		// Debugging information has functions made that compare.
		n := strings.Count(string(symbols), " T ") - strings.Count(string(symbols), " T type:.eq.")
		t.Logf("%-20s %4d functions", c.name, n)
		require.Positive(t, n, c.name)
		require.LessOrEqual(t, n, c.most, c.name)
	}
}

// The linker leaves out methods that a program does not call, because the library looks up none by
// its name.
func TestProgramsHaveNoMethodsThatAreNotCalled(t *testing.T) {
	text := "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/custody/parallelfor\"\n)\n\ntype unused struct{}\n\nfunc (unused) Uncalled() {}\n\n" +
		"func main() {\n\tfmt.Println(unused{})\n\tparallelfor.Indices(1, func(int) {})\n}\n"
	binary := filepath.Join(t.TempDir(), "program")
	out, err := of(t, text, "build", "-o", binary).CombinedOutput()
	require.NoError(t, err, string(out))
	symbols, err := exec.Command("go", "tool", "nm", binary).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), " main.main")
	require.NotContains(t, string(symbols), "Uncalled")
}
