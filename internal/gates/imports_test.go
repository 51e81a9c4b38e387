package gates

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSynchronisationGoesThroughAtom: containers and the driver take atomics, locks, sleeps, yields
// and goroutines from internal/atom, so that a controlled scheduler can stand behind all of them.
func TestSynchronisationGoesThroughAtom(t *testing.T) {
	hold(t, synchronises, sources(t, isDriver))
	for _, text := range []string{
		"package p\nimport \"sync\"\nvar _ sync.Mutex",
		"package p\nimport \"sync/atomic\"\nvar _ atomic.Int64",
		"package p\nimport a \"sync/atomic\"\nvar _ a.Int64",
		"package p\nimport \"runtime\"\nfunc f() { runtime.Gosched() }",
		"package p\nimport r \"runtime\"\nvar yield = r.Gosched",
		"package p\nimport \"runtime\"\nfunc f() { runtime.LockOSThread() }",
		"package p\nimport \"time\"\nfunc f() { time.Sleep(1) }",
		"package p\nimport \"time\"\nfunc f() { <-time.After(1) }",
		"package p\nfunc f() { go f() }",
	} {
		trip(t, synchronises, "array/sample.go", text)
	}
	require.Empty(t, synchronises(sample(t, "array/sample.go", "package p\nimport \"time\"\nvar _ = time.Now()")))
}

// bypasses are the functions that wait, yield or start something behind atom's back.
var bypasses = map[string][]string{
	"runtime": {"Gosched", "Goexit", "LockOSThread", "UnlockOSThread", "RaceDisable", "RaceEnable", "RaceAcquire", "RaceRelease",
		"RaceReleaseMerge", "RaceReadRange", "RaceWriteRange", "RaceRead", "RaceWrite"},
	"time": {"Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
}

// mayGoexit is where a Goexit that a body called is called again: that is no synchronisation.
const mayGoexit = "parallelfor"

func synchronises(s *source) (found []string) {
	named := map[string]string{} // what bypasses has, by the name the file gives it
	for _, i := range s.file.Imports {
		p := strings.Trim(i.Path.Value, `"`)
		if p == "sync" || p == "sync/atomic" {
			found = append(found, s.at(i)+" imports "+p+": take it from internal/atom")
		}
		if bypasses[p] != nil {
			named[path.Base(p)] = p
			if i.Name != nil {
				delete(named, path.Base(p))
				named[i.Name.Name] = p
			}
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, s.at(n)+" starts a goroutine: use atom.Go")
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok || !slices.Contains(bypasses[named[x.Name]], n.Sel.Name) {
				break
			}
			if n.Sel.Name == "Goexit" && s.dir() == mayGoexit {
				break
			}
			found = append(found, s.at(n)+" uses "+named[x.Name]+"."+n.Sel.Name+": go through internal/atom")
		}
		return true
	})
	return found
}

// mayUseUnsafe are the files outside internal/ that import unsafe, and what for.
var mayUseUnsafe = map[string]string{
	"array/core.go":               "has slices of elements of any type",
	"array/value.go":              "declares reads to the race detector",
	"internal/slide/slide.go":     "moves windows of elements of any type",
	"array/window.go":             "declares writes to the race detector",
	"hashmap/kind.go":             "does to keys and values what their types say",
	"hashmap/phase.go":            "finds the fields of entries",
	"queue/fetch.go":              "reads a byte of each cache line",
	"queue/stretch.go":            "declares reads and writes to the race detector",
	"parallelfor/context.go":      "shows the race detector the edge from the call that made the context of a batch",
	"parallelfor/failure.go":      "shows the race detector the edge from a failure to a context that it ends",
	"parallelfor/engine_batch.go": "shows the race detector the edges of a job",
	"parallelfor/engine_forks.go": "shows the race detector the edges of a recursion",
	"parallelfor/forks.go":        "tells a panic that is passed on by the words of its value",
	"parallelfor/recurse.go":      "knows the types of a recursion and its workers by its plan",
	"parallelfor/faces.go":        "finds what a face stands for",
	"parallelfor/exec.go":         "shows the race detector the edges of a job",
	"parallelfor/work.go":         "knows where a value of a job and its copies are, whatever their type, and makes their memory",
	"parallelfor/memory.go":       "knows a type, and the code of a function, by its word",
	"parallelfor/bindings.go":     "finds the views of a job where they lie",
	"parallelfor/plainfield.go":   "compares the plain fields of a job's copies",
	"parallelfor/progress.go":     "shows the race detector the edges of a job",
	"parallelfor/record.go":       "shows the race detector the edges of a job",
	"safety/copy.go":              "compares a guard with the address that Init stored in it",
	"safety/refusal.go":           "shows the race detector the edges of custody",
	"safety/leak.go":              "spreads tickets over lists by their address",
	"safety/walk.go":              "shows the race detector the edges of custody",
	"safety/order.go":             "shows the race detector the edges of custody",
	"safety/return.go":            "shows the race detector the edges of custody",
	"safety/ticket.go":            "shows the race detector the edges of custody",
	"safety/view.go":              "compares the kinds of views by their words",
}

// TestUnsafeStaysInItsFiles: unsafe is used inside internal/ and by the files listed.
func TestUnsafeStaysInItsFiles(t *testing.T) {
	files := sources(t, func(s *source) bool { return s.isGo() && !s.isTest() && s.inModule() })
	hold(t, usesUnsafe, files)
	trip(t, usesUnsafe, "array/sample.go", "package array\nimport \"unsafe\"\nvar _ unsafe.Pointer")
	require.Empty(t, usesUnsafe(sample(t, "internal/x/sample.go", "package x\nimport \"unsafe\"\nvar _ unsafe.Pointer")))
	for name := range mayUseUnsafe {
		i := slices.IndexFunc(files, func(s *source) bool { return s.path == name })
		if i < 0 || !slices.Contains(files[i].imports(), "unsafe") {
			t.Errorf("%s may use unsafe and does not: take it off the list", name)
		}
	}
}

func usesUnsafe(s *source) (found []string) {
	if under(s.path, "internal") || mayUseUnsafe[s.path] != "" {
		return nil
	}
	for _, i := range s.file.Imports {
		if i.Path.Value == `"unsafe"` {
			found = append(found, s.at(i)+" imports unsafe and is not on the list in internal/gates/imports_test.go")
		}
	}
	return found
}

// TestNoLayoutArithmetic: the sizes of types change with build tags and architectures, so no
// padding is computed from them. Package pad keeps words apart without.
func TestNoLayoutArithmetic(t *testing.T) {
	hold(t, computesLayout, sources(t, func(s *source) bool { return s.isGo() && !s.isTest() && s.inModule() }))
	trip(t, computesLayout, "a/a.go", "package a\nimport \"unsafe\"\ntype T struct { x int; _ [64 - unsafe.Sizeof(int(0))]byte }")
	trip(t, computesLayout, "a/a.go", "package a\nimport \"unsafe\"\ntype T struct { x int; _ [(64 - unsafe.Sizeof(int(0))%64) % 64]byte }")
	trip(t, computesLayout, "a/a.go", "package a\nimport u \"unsafe\"\ntype T struct { x int; _ [u.Sizeof(int(0))]byte }")
	trip(t, computesLayout, "a/a.go", "package a\nimport \"unsafe\"\nconst rest = 64 - unsafe.Sizeof(int(0))")
}

func computesLayout(s *source) (found []string) {
	name := "unsafe"
	for _, i := range s.file.Imports {
		if i.Path.Value == `"unsafe"` && i.Name != nil {
			name = i.Name.Name
		}
	}
	measures := func(n ast.Node) (yes bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Sizeof" {
				x, ok := sel.X.(*ast.Ident)
				yes = yes || ok && x.Name == name
			}
			return !yes
		})
		return yes
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayType:
			if n.Len != nil && measures(n.Len) {
				found = append(found, s.at(n)+" computes an array's length from a size: put pad.Bytes between the words instead")
				return false
			}
		case *ast.BinaryExpr:
			if (n.Op == token.SUB || n.Op == token.REM) && measures(n) {
				found = append(found, s.at(n)+" computes with a size: put pad.Bytes between the words instead")
				return false
			}
		}
		return true
	})
	return found
}

// arrows says what each kind of package may import of this module, besides itself and packages of
// internal/. Nothing points back.
var arrows = map[string][]string{
	".":           {},
	"safety":      {},
	"safety/atom": {},
	"lane":        {"safety"},
	"array":       {"safety", "lane"},
	"counter":     {"safety"},
	"queue":       {"safety", "lane"},
	"hashmap":     {"safety", "lane"},
	"parallelfor": {"safety"},
	"table":       {"safety", "lane", "array", "parallelfor"},
	"timeline":    {"parallelfor"},
	"custodytest": {"safety", "parallelfor"},
	"internal":    {"safety"}, // parts that several containers share; safety itself imports only what does not

	"internal/quiet": {"safety", "lane"}, // parts of views, which lane has none of
}

// TestArrows: containers know safety and not the driver, the driver knows safety and no container.
func TestArrows(t *testing.T) {
	hold(t, arrow, sources(t, isDriver))
	module := modulePath()
	trip(t, arrow, "array/a.go", fmt.Sprintf("package array\nimport _ %q", module+"/parallelfor"))
	trip(t, arrow, "parallelfor/a.go", fmt.Sprintf("package parallelfor\nimport _ %q", module+"/counter"))
	trip(t, arrow, "safety/a.go", fmt.Sprintf("package safety\nimport _ %q", module+"/array"))
	trip(t, arrow, "lane/a.go", fmt.Sprintf("package lane\nimport _ %q", module+"/array"))
	trip(t, arrow, "internal/lane/a.go", fmt.Sprintf("package lane\nimport _ %q", module+"/parallelfor"))
	trip(t, arrow, "internal/quiet/a.go", fmt.Sprintf("package quiet\nimport _ %q", module+"/array"))
	trip(t, arrow, "new/a.go", "package new")
	require.Empty(t, arrow(sample(t, "table/a.go", fmt.Sprintf("package table\nimport _ %q", module+"/array"))))
}

func arrow(s *source) (found []string) {
	from := s.dir()
	if _, own := arrows[from]; !own && under(from+"/", "internal") {
		from = "internal"
	}
	may, known := arrows[from]
	if !known {
		return []string{s.path + ": package " + from + " is not on the list of arrows in internal/gates/imports_test.go"}
	}
	for _, p := range s.imports() {
		to, ours := strings.CutPrefix(p, modulePath()+"/")
		if !ours || to == from || strings.HasPrefix(to, "internal/") || slices.Contains(may, to) {
			continue
		}
		found = append(found, s.path+" imports "+to+", which package "+from+" must not know")
	}
	return found
}

// TestNoDependencies: what users build of the library is the library and the standard library.
func TestNoDependencies(t *testing.T) {
	needsGo(t)
	packages := map[string]bool{}
	for _, s := range sources(t, isPublic) {
		packages[strings.TrimSuffix(modulePath()+"/"+s.dir(), "/.")] = true
	}
	names := slices.Sorted(maps.Keys(packages))
	for _, p := range []string{"safety", "lane", "array", "counter", "queue", "parallelfor"} {
		require.Contains(t, names, modulePath()+"/"+p)
	}
	for _, tags := range []string{"", "custody_unchecked", "custody_strict", "custody_explore"} {
		args := []string{"list", "-deps", "-tags", tags, "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}
		report(t, foreign(goTool(t, "", nil, append(args, names...)...)))
	}
	require.Len(t, foreign(modulePath()+"/safety\ngithub.com/stretchr/testify/require\n"), 1)
}

// foreign returns the packages of a list that are not of this module.
func foreign(list string) (found []string) {
	for p := range strings.FieldsSeq(list) {
		if p != modulePath() && !strings.HasPrefix(p, modulePath()+"/") {
			found = append(found, p+" is needed to build the library; only tests may use it")
		}
	}
	return found
}

// TestTestsUseTheirLibraries: safety, lane, counter and parallelfor have tests with testify's
// assertions and properties under gopter.
func TestTestsUseTheirLibraries(t *testing.T) {
	tests := sources(t, func(s *source) bool { return s.isGo() && s.isTest() && s.inModule() })
	for _, dir := range []string{"safety", "lane", "counter", "parallelfor"} {
		for _, library := range []string{"github.com/stretchr/testify", "github.com/leanovate/gopter"} {
			used := slices.ContainsFunc(tests, func(s *source) bool {
				return s.dir() == dir && slices.ContainsFunc(s.imports(), func(p string) bool {
					return p == library || strings.HasPrefix(p, library+"/")
				})
			})
			if !used {
				t.Errorf("no test of %s imports %s", dir, library)
			}
		}
	}
}
