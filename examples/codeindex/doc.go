// Codeindex counts lines, words, bytes and zero bytes of a source tree, by extension, in a parallel
// loop, and says how much faster that is than the sequential loop. Or it finds the lines that match a
// pattern, and prints them as grep -rn does, in the order of the files and lines. Or it makes an index of the
// identifiers: which lines of which files they stand in; and prints the lines that have some of them,
// or lists the most frequent identifiers. Or it says what is in the tree, from its size to its longest line.
//
//	go -C examples run ./codeindex                        the Go source tree
//	go -C examples run ./codeindex -dir ~/src -verify     that tree, and prove both loops equal
//	go -C examples run ./codeindex -grep 'func Sort'      what is called so in the Go source tree
//	go -C examples run ./codeindex -query 'Context Err*'  lines with that identifier, and one that begins so
//	go -C examples run ./codeindex -words -verify         the most frequent ones, and prove both indexes equal
//	go -C examples run ./codeindex -stats                 sizes, the largest files, the most frequent identifiers
//	go -C examples run ./codeindex -timeline run.svg      which worker counted what when, as a picture
//
// It exits with 1 when the tree cannot be walked, or with -verify when the loops differ; with 2 when
// its arguments make no sense; with 130 when interrupted. A search, by pattern or identifiers, exits as grep does: with 0
// when something matched, with 1 when nothing did, and with 2 when something could not be read, or with -verify when the
// sequential search prints something else.
package main
