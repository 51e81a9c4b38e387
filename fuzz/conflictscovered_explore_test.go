//go:build custody_explore && !race

package fuzz_test

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// apart are exported types of which no subject is made, and why.
var apart = map[string]string{
	"array.Stats": "It is numbers.", "hashmap.Stats": "It is numbers.", "queue.Stats": "It is numbers.", "table.Stats": "It is numbers.",
	"hashmap.MergerOption": "It is an argument.", "table.Option": "It is an argument.", "table.Frame": "It is an argument.",
	"table.Problem": "It is an answer.", "table.Report": "It is an answer.", "table.ID": "It is an answer.",
	"queue.Producer":    "It is an end of SPSC, and its operations are those of SPSC.",
	"queue.Consumer":    "It is an end of SPSC, and its operations are those of SPSC.",
	"queue.Window":      "One goroutine has it. Reserve and Look of SPSC make it.",
	"array.StreamRow":   "Workers of a job within a job append to lanes by it. Row of Stream.ParallelWriter makes it.",
	"array.ValueWriter": "One worker has it.",
	"table.Changes":     "One loop at a time uses it.", "table.Rows": "It is what a loop runs over.",
	"table.Pipeline": "One goroutine uses it, and all of its methods except Running change it.",
	"table.Tag":      "It is a constant. The tables are tagged by their owner.", "table.Query": "It is a value that lists tables.",
}

var structType = regexp.MustCompile(`(?m)^type ([A-Z]\w*)(?:\[.*\])? struct ?\{`)

// Each exported type of the packages of containers is in a subject, or apart with a reason.
func covered(t *testing.T, all []meeting) {
	t.Helper()
	used, seen := map[string]bool{}, map[reflect.Type]bool{}
	for _, m := range all {
		uses(used, seen, m.of)
	}
	there := map[string]bool{}
	for _, pkg := range []string{"array", "counter", "hashmap", "queue", "table"} {
		files, err := filepath.Glob("../" + pkg + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range structType.FindAllStringSubmatch(string(text), -1) {
				if name := pkg + "." + m[1]; !strings.HasSuffix(file, "_test.go") {
					there[name] = true
					require.NotEqual(t, used[name], apart[name] != "", "%s is to be in a subject, or apart", name)
				}
			}
		}
	}
	for name := range apart {
		require.True(t, there[name], "there is no %s", name)
	}
	require.True(t, there["queue.Ring"])
}

// uses notes the types of the library that are in a type of a test.
func uses(used map[string]bool, seen map[reflect.Type]bool, of reflect.Type) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	name, _, _ := strings.Cut(of.Name(), "[")
	switch pkg := path.Base(of.PkgPath()); {
	case seen[of]:
	case pkg != "fuzz_test":
		used[pkg+"."+name] = true
	case of.Kind() == reflect.Struct:
		seen[of] = true
		for f := range of.Fields() {
			uses(used, seen, f.Type)
		}
	}
}
