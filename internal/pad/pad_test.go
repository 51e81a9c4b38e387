package pad_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/pad"
)

// lines is internal/cpu's CacheLinePadSize of each architecture in this version of Go.
var lines = map[string]int{
	"386": 64, "amd64": 64, "arm": 32, "arm64": 128, "loong64": 64, "mips": 32, "mipsle": 32, "mips64": 32, "mips64le": 32,
	"ppc64": 128, "ppc64le": 128, "riscv64": 64, "s390x": 256, "wasm": 64,
}

// chosen is what this package takes: internal/cpu's, but never below 64.
func chosen(arch string) int { return max(lines[arch], 64) }

// The padding is a line, on whatever the package is compiled for.
var _ [pad.Line]byte = pad.Bytes{}

func TestLineOfThisArchitecture(t *testing.T) {
	require.Contains(t, lines, runtime.GOARCH)
	require.Equal(t, chosen(runtime.GOARCH), pad.Line)
	require.EqualValues(t, pad.Line, unsafe.Sizeof(pad.Bytes{}))
	require.EqualValues(t, 1, unsafe.Alignof(pad.Bytes{}), "padding must not move the field behind it")
}

// The build constraints of the files pick the right constant for every architecture, and one only.
func TestLineOfEveryArchitecture(t *testing.T) {
	files, err := filepath.Glob("line_*.go")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("there are no sources here")
	}
	for arch := range lines {
		var found []int
		for _, f := range files {
			ctx := build.Default
			ctx.GOARCH = arch
			match, err := ctx.MatchFile(".", f)
			require.NoError(t, err)
			if match {
				found = append(found, constant(t, f, "Line"))
			}
		}
		require.Equal(t, []int{chosen(arch)}, found, arch)
	}
}

// The table here is that of the Go that runs the test.
func TestTableIsThatOfTheRuntime(t *testing.T) {
	dir := filepath.Join(build.Default.GOROOT, "src", "internal", "cpu")
	for arch, want := range lines {
		var found []int
		files, err := filepath.Glob(filepath.Join(dir, "cpu_*.go"))
		require.NoError(t, err)
		if len(files) == 0 {
			t.Skip("the sources of Go are not here")
		}
		for _, f := range files {
			ctx := build.Default
			ctx.GOARCH = arch
			match, err := ctx.MatchFile(dir, filepath.Base(f))
			require.NoError(t, err)
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			if match && regexp.MustCompile(`(?m)^const CacheLinePadSize = \d+$`).Match(text) {
				found = append(found, constant(t, f, "CacheLinePadSize"))
			}
		}
		require.Equal(t, []int{want}, found, arch)
	}
}

func constant(t *testing.T, file, name string) (value int) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && spec.Names[0].Name == name {
			value, err = strconv.Atoi(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
		}
		return true
	})
	require.NotZero(t, value, "%s has no constant %s", file, name)
	return value
}

type word struct {
	n uint64
	_ pad.Bytes
}

type odd struct {
	n [3]byte
	_ pad.Bytes
}

type between struct {
	a uint64
	_ pad.Bytes
	b uint64
	_ pad.Bytes
	c [5]uint32
	_ pad.Bytes
	d byte
}

// Two padded words lie on different lines wherever the allocator puts the block: at every offset of
// its first byte from the start of a line.
func TestPaddedWordsNeverShareALine(t *testing.T) {
	var words [4]word
	var odds [4]odd
	var one between
	cases := []struct {
		name  string
		spans [][2]uintptr // first and last byte of each padded value, from the start of the block
	}{
		{"array of words", [][2]uintptr{
			span(&words, &words[0].n), span(&words, &words[1].n), span(&words, &words[2].n), span(&words, &words[3].n)}},
		{"array of odd sizes", [][2]uintptr{
			span(&odds, &odds[0].n), span(&odds, &odds[1].n), span(&odds, &odds[2].n), span(&odds, &odds[3].n)}},
		{"fields", [][2]uintptr{
			span(&one, &one.a), span(&one, &one.b), span(&one, &one.c), span(&one, &one.d)}},
	}
	for _, c := range cases {
		for base := range uintptr(pad.Line) {
			for i := 1; i < len(c.spans); i++ {
				last, first := (base+c.spans[i-1][1])/pad.Line, (base+c.spans[i][0])/pad.Line
				require.Less(t, last, first, "%s: values %d and %d, block at %d of a line", c.name, i-1, i, base)
			}
		}
	}
}

// span returns where part lies in block.
func span[B, P any](block *B, part *P) [2]uintptr {
	at := uintptr(unsafe.Pointer(part)) - uintptr(unsafe.Pointer(block))
	return [2]uintptr{at, at + unsafe.Sizeof(*part) - 1}
}

// The same of what the allocator really gives.
func TestAllocatedWordsNeverShareALine(t *testing.T) {
	for n := 1; n < 20; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			cells := make([]word, n)
			seen := map[uintptr]bool{}
			for i := range cells {
				line := uintptr(unsafe.Pointer(&cells[i].n)) / pad.Line
				require.False(t, seen[line], "cell %d", i)
				seen[line] = true
			}
		})
	}
}
