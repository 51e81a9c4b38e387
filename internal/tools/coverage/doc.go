// Command coverage holds the library to full statement coverage. It reads a profile of the checked
// build, taken over all tests of the module, and fails on
//
//   - a block without coverage that the list does not have, unless the profile of a build named explored covers it,
//     which is the checked one under the explorer: what takes two goroutines that meet in a certain way is covered there
//     on every run, and
//   - an entry of the list that fits no such block any more.
//
// Blocks are named by file, function and the source text of their first line, so that a list stays
// true while lines shift. An entry of the list is
//
//	file | function | first line of the block | why no test can reach it
//
// and stands for one block; blocks with the same text in one function need an entry each. An entry
//
//	if condition | build | why
//
// stands for all blocks guarded by a condition that is constant in the checked build, as in "if
// safety.Strict", also as a part of an &&. They are compiled into another build, and when -build
// gives that build's profile they must be covered there.
//
// A block whose reason is "by chance" may be covered, and need not be.
//
// The same goes for all blocks of a function that only another build calls:
//
//	func file function | build | why
//
// Usage, in the module's directory: go run ./internal/tools/coverage [-list file] [-build name=profile]... profile package...
package main
