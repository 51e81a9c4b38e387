package grep

// Finding is what a search has to say of a file, or of a directory that it could not list.
type Finding struct {
	// Path is the file's name in the tree.
	Path string
	// Line is the number of a line that matches, from 1 on; or 0 when it is a binary file that does.
	Line int
	// Text is that line, without the newline.
	Text string
	// Err says why the file could not be read to its end, or the directory not at all. Then nothing matched
	// here: what did before is a Finding of its own.
	Err error
}
