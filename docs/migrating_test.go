package docs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// codeless returns what a text says outside its blocks of code.
func codeless(text string) string {
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
}

// pageTable is a table of a text's: the titles of its columns, and its rows.
type pageTable struct {
	titles []string
	rows   [][]string
}

// tables returns the tables of a text.
func tables(text string) (found []pageTable) {
	inside := false
	for line := range strings.Lines(codeless(text)) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if !ok {
			inside = inside && strings.HasPrefix(line, "|---")
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if !inside {
			found = append(found, pageTable{titles: cells})
			inside = true
			continue
		}
		last := &found[len(found)-1]
		last.rows = append(last.rows, cells)
	}
	return found
}

func TestTables(t *testing.T) {
	require.Empty(t, tables("no | table\n```\n| a | b |\n|---|---|\n```\n"))
	require.Equal(t, []pageTable{
		{[]string{"a", "b", ""}, [][]string{{"x, y", "-", ""}, {"z", "w", "v"}}},
		{[]string{"c", "d"}, nil},
	}, tables("text\n\n| a | b | |\n|---|---|---|\n| x, y | - | |\n| z | w | v |\n\n| c | d |\n|---|---|\n"))
}

// spans returns what a text has in code quotes.
func spans(text string) (found []string) {
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// exported returns the packages of the module by their names, as compiled.
func exported(t *testing.T) map[string]*types.Package {
	t.Helper()
	needsGo(t)
	out, err := goTool(t, "list", "-export", "-deps", "-json=ImportPath,Export,Module", "../...")
	require.NoError(t, err, "%s", out)
	files, paths := map[string]string{}, []string{}
	for d := json.NewDecoder(bytes.NewBufferString(out)); ; {
		var p struct {
			ImportPath, Export string
			Module             *struct{ Main bool }
		}
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		files[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main && p.Export != "" && !strings.Contains(p.ImportPath, "/internal/") {
			paths = append(paths, p.ImportPath)
		}
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(p string) (io.ReadCloser, error) { return os.Open(files[p]) })
	found := map[string]*types.Package{}
	for _, p := range paths {
		found[path.Base(p)], err = imports.Import(p)
		require.NoError(t, err, p)
	}
	return found
}

// exists reports whether pkg.Name or pkg.Type.Name is exported: a method that an embedded type has
// counts, and so does a field.
func exists(packages map[string]*types.Package, name string) bool {
	parts := strings.Split(name, ".")
	if len(parts) < 2 || len(parts) > 3 || packages[parts[0]] == nil {
		return false
	}
	of := packages[parts[0]]
	object := of.Scope().Lookup(parts[1])
	if object == nil || !object.Exported() {
		return false
	}
	if len(parts) == 2 {
		return true
	}
	member, _, _ := types.LookupFieldOrMethod(object.Type(), true, of, parts[2])
	return member != nil && member.Exported()
}

// library returns the packages, loaded once.
var library = func() func(t *testing.T) map[string]*types.Package {
	var once sync.Once
	var found map[string]*types.Package
	return func(t *testing.T) map[string]*types.Package {
		once.Do(func() { found = exported(t) })
		if found == nil {
			t.Skip("the packages could not be loaded")
		}
		return found
	}
}()

func TestExists(t *testing.T) {
	packages := library(t)
	for _, name := range []string{"array.New", "array.Writer.At", "array.Array.Split", "counter.Max.Observe", "parallelfor.Kind.Loop", "table.Report.Removed", "hashmap.Keep", "queue.ErrClosed"} {
		require.True(t, exists(packages, name), name)
	}
	for _, name := range []string{"array", "array.Nothing", "array.hold", "array.Array.Push", "array.Array.guard", "array.New.Len", "arrays.New", "array.Array.At.x"} {
		require.False(t, exists(packages, name), name)
	}
}

// Every name of the library that the page on coming from elsewhere mentions is one, and its tables
// give names in full.
func TestNamesOfMigratingExist(t *testing.T) {
	packages := library(t)
	text, err := os.ReadFile("migrating.md")
	require.NoError(t, err)
	for _, name := range spans(codeless(string(text))) {
		first, _, qualified := strings.Cut(name, ".")
		if qualified && packages[first] != nil {
			require.True(t, exists(packages, name), "there is no %s", name)
		}
	}
	all := tables(string(text))
	require.Equal(t, 6, len(all), "tables")
	for _, of := range all {
		here := len(of.titles) - 2
		require.Equal(t, "here", of.titles[here])
		require.NotEmpty(t, of.rows)
		for _, row := range of.rows {
			require.Len(t, row, len(of.titles), "%q", row)
			names := spans(row[here])
			if row[here] == "-" {
				require.NotEmpty(t, row[here+1], "%q has no counterpart, nor a word on why", row)
				continue
			}
			require.NotEmpty(t, names, "%q", row)
			for _, name := range names {
				require.True(t, exists(packages, name), "there is no %s", name)
			}
		}
	}
}

// Every method of sync.Map has a row.
func TestMigratingHasAllOfSyncMap(t *testing.T) {
	text, err := os.ReadFile("migrating.md")
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, of := range tables(string(text)) {
		if of.titles[0] == "sync.Map, xsync v4" {
			for _, row := range of.rows {
				for _, name := range spans(row[0]) {
					shown[name] = true
				}
			}
		}
	}
	for m := range reflect.TypeFor[*sync.Map]().Methods() {
		require.True(t, shown[m.Name], "sync.Map.%s is not in the table", m.Name)
	}
}
