// Codeindex looks at a source tree, by default that of the Go installation. It counts files, lines,
// words and bytes by extension; or searches lines as grep -rn does; or indexes the identifiers; or
// prints what is in the tree. Each mode is a parallel loop that leaves what a plain loop leaves:
// -verify proves it.
//
// A search exits as grep does: with 0 when something matched, 1 when nothing did, 2 when something
// could not be read. Otherwise the status is 1 after an error, 2 for arguments, 130 when
// interrupted.
package main
