// Command faults tests the tests: it breaks the library in one place at a time and expects that the tests
// notice. What it breaks comes from a catalogue that people wrote, internal/faults, or with -mutants from
// operators that are applied wherever they fit.
//
// The tree is never edited. The broken file goes into a temporary folder and the build sees it by go's
// -overlay. A fault is killed when a test of a binary that was built so fails. It survives when all pass.
// One that only has a binary run until the time limit hangs, and was not noticed either: tests that wait
// have watchdogs, whose patience CUSTODY_PATIENCE makes much shorter than the limit. What is to be run is first run
// without a fault, once, and must pass.
//
// Usage, in the module's directory:
//
//	go run ./.ci/faults -all                     the whole catalogue
//	go run ./.ci/faults -changed REF -n 15       what touches files changed since REF, and 15 others
//	go run ./.ci/faults -changed REF -most 30    of what touches them 30, where there are more
//	go run ./.ci/faults -mutants [file...]       mutants of the files, or of those that matter most
//
// -run takes those whose name fits, -list only names them, -j runs several beside each other. -n and -most pick by
// -seed, which is printed. The status is 1 when a fault survives or hangs, when the list of survivors is not true,
// or when -cap ended the run before all had their turn; it is 2 when something cannot be run, above all
// when a fault of the catalogue does not fit its file any more.
package main
