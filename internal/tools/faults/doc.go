// Command faults tests the tests: it breaks the library in one place at a time and expects the
// tests to notice. The faults come from a handwritten catalogue, internal/faults, or with -mutants
// from operators that are applied wherever they fit.
//
// The command never edits the source tree. It writes the broken file to a temporary folder, and the
// build reads it by go's -overlay. A fault is killed if a test of the broken build fails, and
// survives if all tests pass. It hangs if no test fails before the time limit. A fault that hangs
// counts as not noticed, because tests that wait have watchdogs, whose patience is a small part of
// the limit. The command first runs all tests once without a fault, and they must pass.
//
// Usage, in the module's directory:
//
//	go run ./internal/tools/faults -all
//		the whole catalogue
//	go run ./internal/tools/faults -changed REF -n 15
//		the faults of files changed since REF, and 15 others
//	go run ./internal/tools/faults -changed REF -most 30
//		at most 30 of the faults of files changed since REF
//	go run ./internal/tools/faults -mutants [file...]
//		mutants of the files, or of a default set of files
//
// -run selects faults whose names match, -list only prints their names, and -j runs several at a
// time. -n and -most choose faults by -seed, which is printed. The exit status is 1 if a fault
// survives or hangs, or if the list of survivors is wrong. It is 2 if something cannot be run, in
// particular if a fault of the catalogue no longer fits its file.
package main
