// Package vet finds, without running anything, what is most likely wrong in a program that uses custody.
//
// Its analyzers are in the form of golang.org/x/tools/go/analysis, so they run alone, with others, in editors and
// by go vet:
//
//	go -C vet install ./cmd/custodyvet
//	go vet -vettool=$(which custodyvet) ./...
//
// They look at the text of one function at a time, so they can be mistaken about what it cannot show, and what they do
// not report may be wrong too. That is for the checks at run time: see package safety. A container is whatever holds a
// safety.Guard, and a view whatever implements safety.View, so those of other packages are known as well.
package vet

import "golang.org/x/tools/go/analysis"

// Analyzers are all of them.
var Analyzers = []*analysis.Analyzer{Adopted, Capture, Copied, Handle, JobField, Kept, PlainField, RawSlice, ReadOnly}
