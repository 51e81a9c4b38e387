package origin

import (
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Module is the prefix of the import paths of the library's packages.
var Module = strings.TrimSuffix(reflect.TypeFor[entry]().PkgPath(), "internal/origin")

// packages are the library's packages outside of internal. Every other package below Module is a
// program that uses the library.
var packages = []string{"array", "counter", "custodytest", "fuzz", "hashmap", "lane", "parallelfor", "queue", "safety", "table", "timeline"}

// between are the packages of the standard library through which a program calls the library, or
// the library a program. Builds with -trimpath need the list: their file names do not tell the
// standard library from a module without a dot in its path.
var between = []string{"cmp", "iter", "maps", "reflect", "runtime", "slices", "sort", "sync"}

// ours and standard are the prefixes of the source files of the library and of the standard
// library. Files tell to which a function belongs; names do not, because the compiler gives a
// function literal that it inlines the name of the function around it.
var ours, standard = roots()

func roots() (ours, standard string) {
	_, file, _, _ := runtime.Caller(0)
	ours = strings.TrimSuffix(file, "internal/origin/library.go")
	file, _ = runtime.FuncForPC(reflect.ValueOf(strings.Compare).Pointer()).FileLine(0)
	return ours, strings.TrimSuffix(file, "strings/compare.go")
}

// Library reports whether a source file belongs to the library, or to the standard library, whose
// frames can lie between the library and a program.
func Library(file string) bool {
	if Between(file) {
		return true
	}
	rest, below := strings.CutPrefix(file, ours)
	dir := path.Dir(rest)
	return below && !strings.HasSuffix(file, "_test.go") && (slices.Contains(packages, dir) || strings.HasPrefix(dir, "internal/"))
}

// Between reports whether a source file belongs to the standard library.
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
