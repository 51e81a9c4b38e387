// Command coverage demands full statement coverage of the library. It reads a profile of the
// checked build, taken over all tests of the module, and fails on
//
//   - a block without coverage that the list does not have, and that the profile of the build named
//     explored, if given, does not cover. That build runs under the explorer and covers code for
//     rare schedules on every run.
//   - an entry of the list that fits no block without coverage.
//
// Blocks are named by file, function and the source text of their first line, so an entry stays
// valid while lines shift. An entry of the list
//
//	file | function | first line of the block | why no test can reach it
//
// stands for one block. Blocks with the same text in one function need an entry each. An entry
//
//	if condition | build | why
//
// stands for all blocks guarded by a condition that is constant in the checked build, such as "if
// safety.Strict", also as an operand of &&. Another build compiles these blocks. If -build gives
// the profile of that build, they must be covered there. An entry
//
//	func file function | build | why
//
// stands in the same way for all blocks of a function that only another build calls.
//
// A block whose reason is "by chance" may be covered, and need not be.
//
// Usage, in the module's directory:
//
//	go run ./internal/tools/coverage [-list file] [-build name=profile]... profile package...
package main
