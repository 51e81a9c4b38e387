// Package files finds the files of a source tree and reads them.
//
//	source.go  which tree to take: a directory, the Go source tree, or a small embedded one
//	walk.go    its regular files, in order
//	ext.go     the extensions by which they are chosen
//	read.go    one file, block by block
//
// All works on any io/fs file system. A directory or a file that cannot be read is something to report,
// not the end of the work.
package files
