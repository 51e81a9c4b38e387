package origin

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesOfTheLibraryAreTold(t *testing.T) {
	require.True(t, filepath.IsAbs(ours) || ours != "")
	for file, is := range map[string]bool{
		ours + "safety/guard.go":                      true,
		ours + "internal/origin/name.go":              true,
		ours + "safety/guard_test.go":                 false,
		ours + "examples/stack/stack.go":              false,
		ours + "examples/internal/program/program.go": false,
		ours + "docs/internal/guarantees/x.go":        false,
		ours + "bench/internal/groups/groups.go":      false,
		ours + "table.go":                             false,
		standard + "slices/sort.go":                   true,
		standard + "runtime/panic.go":                 true,
		standard + "net/http/server.go":               standard != "",
		"/somewhere/array/array.go":                   false,
		"/somewhere/custody/hashmap/map.go":           false,
	} {
		require.Equal(t, is, Library(file), file)
	}
}

func TestPackagesOfFunctions(t *testing.T) {
	for function, pkg := range map[string]string{
		"main.main":                              "main",
		"example.com/a/b.(*List[...]).All.func1": "example.com/a/b",
		"gopkg.in/yaml%2ev2.F":                   "gopkg.in/yaml%2ev2",
	} {
		require.Equal(t, pkg, Package(function))
	}
}

type list struct{}

func (list) method(int) {}

func TestNamesSayWhereFunctionsStand(t *testing.T) {
	body := func(int) {}
	name := Name("loop", Code(body))
	require.True(t, strings.HasPrefix(name, "loop at origin_test.go:"), name)
	require.Equal(t, name, Name("loop", Code(body)))
	require.Equal(t, strings.Replace(name, "loop", "each", 1), Name("each", Code(body)))
	require.Equal(t, "loop at origin.list.method", Name("loop", Code(list{}.method)))
	require.Equal(t, "loop at strings.(*Builder).Grow", Name("loop", Code((*strings.Builder).Grow)))
	require.Equal(t, "sort", Name("sort", Code(reflect.DeepEqual)))
	require.Empty(t, Of(Code(Between)), "the library's")
	require.Empty(t, Of(0))
}
