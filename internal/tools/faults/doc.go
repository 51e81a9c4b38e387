// Command faults tests the tests: it breaks the library in one place at a time and expects that the
// tests notice. What it breaks comes from a catalogue that people wrote, internal/faults, or with
// -mutants from operators that are applied wherever they fit.
//
// The tree is never edited. The broken file goes into a temporary folder and the build sees it by
// go's -overlay. A fault is killed when a test of the broken build fails, and survives when all
// tests pass. It hangs when no test fails before the time limit. A fault that hangs counts as one
// that was not noticed, because tests that wait have watchdogs, and CUSTODY_PATIENCE makes the
// patience of these a small part of the limit. All tests are first run once without a fault, and
// must pass.
//
// Usage, in the module's directory:
//
//	go run ./internal/tools/faults -all                     the whole catalogue
//	go run ./internal/tools/faults -changed REF -n 15       what touches files changed since REF, and 15 others
//	go run ./internal/tools/faults -changed REF -most 30    of what touches them 30, where there are more
//	go run ./internal/tools/faults -mutants [file...]       mutants of the files, or of those that matter most
//
// -run takes the faults whose names match, -list only prints their names, -j runs several at a
// time. -n and -most choose faults by -seed, which is printed. The exit status is 1 when a fault
// survives or hangs, when the list of survivors is not true, or when -cap ended the run before all
// faults were run. It is 2 when something cannot be run, in particular when a fault of the
// catalogue no longer fits its file.
package main
