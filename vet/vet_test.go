package vet_test

import (
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"example.com/custody/vet"
)

var byFolder = map[string]*analysis.Analyzer{
	"capture": vet.Capture, "copied": vet.Copied, "handle": vet.Handle, "jobfield": vet.JobField,
	"kept": vet.Kept, "local": vet.Local, "plainfield": vet.PlainField, "rawslice": vet.RawSlice,
	"readonly": vet.ReadOnly, "adopted": vet.Adopted,
}

func TestAnalyzers(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex // packages are analysed side by side
	run := map[string]bool{}
	analysistest.Run(t, dir, &analysis.Analyzer{ // all in one, so that what the packages import is loaded once
		Name: "custody",
		Doc:  "the analyzer of the package's name",
		Run: func(pass *analysis.Pass) (any, error) {
			a := byFolder[pass.Pkg.Name()]
			mu.Lock()
			run[a.Name] = true
			mu.Unlock()
			return a.Run(pass)
		},
	}, "./...")
	for _, a := range vet.Analyzers {
		if !run[a.Name] {
			t.Errorf("%s has no package in testdata", a.Name)
		}
	}
}

func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(vet.Analyzers); err != nil {
		t.Fatal(err)
	}
}
