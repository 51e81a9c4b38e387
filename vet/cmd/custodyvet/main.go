// Command custodyvet reports what is wrong with jobs and containers at compile time: see package vet. It takes package
// patterns, as go vet does, or is go vet's tool.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"example.com/custody/vet"
)

func main() { multichecker.Main(vet.Analyzers...) }
