// Package vet finds likely mistakes in programs that use custody, without running them.
//
// Its analyzers are those of golang.org/x/tools/go/analysis, so they run alone, with other
// analyzers, in editors and by go vet:
//
//	go -C vet install ./cmd/custodyvet
//	go vet -vettool=$(which custodyvet) ./...
//
// An analyzer looks at the text of one function at a time, so it can be mistaken about anything
// that the text does not show, and it does not find every mistake. The checks at run time do: see
// package safety. A container is any type that holds a safety.Guard, and a view any type that
// implements safety.View, so those of other packages are known as well.
package vet

import "golang.org/x/tools/go/analysis"

// Analyzers are all analyzers of this package.
var Analyzers = []*analysis.Analyzer{Adopted, Capture, Copied, Handle, JobField, Kept, Local, PlainField, RawSlice, ReadOnly}
