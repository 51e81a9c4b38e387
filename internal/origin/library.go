package origin

import (
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Module is what the import paths of the library's packages begin with.
var Module = strings.TrimSuffix(reflect.TypeFor[entry]().PkgPath(), "internal/origin")

// packages are the library's, except those in internal. Everything else below Module is a program
// that uses it.
var packages = []string{"array", "counter", "custodytest", "fuzz", "hashmap", "lane", "parallelfor", "queue", "safety", "table", "timeline"}

// between are the packages of the standard library through which a program calls the library, or
// the library a program: in builds with -trimpath, whose file names do not tell the standard
// library from a module without a dot in its path.
var between = []string{"cmp", "iter", "maps", "reflect", "runtime", "slices", "sort", "sync"}

// ours and standard are what the names of source files begin with, of the library and of the
// standard library. The compiler gives a function literal that it inlines the name of the function
// around it, so files tell whose a function is.
var ours, standard = roots()

func roots() (ours, standard string) {
	_, file, _, _ := runtime.Caller(0)
	ours = strings.TrimSuffix(file, "internal/origin/library.go")
	file, _ = runtime.FuncForPC(reflect.ValueOf(strings.Compare).Pointer()).FileLine(0)
	return ours, strings.TrimSuffix(file, "strings/compare.go")
}

// Library reports whether a source file is the library's, or the standard library's, which may be
// between it and a program.
func Library(file string) bool {
	if Between(file) {
		return true
	}
	rest, below := strings.CutPrefix(file, ours)
	dir := path.Dir(rest)
	return below && !strings.HasSuffix(file, "_test.go") && (slices.Contains(packages, dir) || strings.HasPrefix(dir, "internal/"))
}

// Between reports whether a source file is the standard library's.
func Between(file string) bool {
	if standard != "" {
		return strings.HasPrefix(file, standard)
	}
	rest, below := strings.CutPrefix(file, standard)
	dir, _, _ := strings.Cut(rest, "/")
	return below && slices.Contains(between, dir)
}

// Package returns the import path in the full name of a function.
func Package(function string) string {
	dir := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[dir:], ".")
	return function[:dir] + name
}
