// Command custodyvet reports likely mistakes with jobs and containers at compile time: see package
// vet. It takes package patterns, as go vet does, or runs as go vet's tool.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"example.com/custody/vet"
)

func main() { multichecker.Main(vet.Analyzers...) }
