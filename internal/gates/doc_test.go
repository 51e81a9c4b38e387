// Package gates holds what must stay true of the source itself, as tests: which package may import
// which, which files may use unsafe, that every exported name is documented and shown, that
// accessors are inlined, and that a stranger's module can use the library without its test
// dependencies.
//
// A gate is a function from sources to findings. Every gate is also run over a source that breaks
// its rule, so that a gate that sees nothing fails.
//
// The gates read the whole tree once (tree_test.go). They look at the module, and where the rule is
// about every file, at the modules examples, bench and vet, too.
package gates
