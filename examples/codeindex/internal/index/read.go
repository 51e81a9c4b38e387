package index

import (
	"io/fs"
	"sync"

	"example.com/custody/examples/codeindex/internal/files"
)

// scanners are kept from file to file, whoever reads them.
var scanners = sync.Pool{New: func() any { return new(scanner) }}

// readFile counts one file of fsys and hands the counts to use. When the file cannot be read to its
// end, nothing of it counts: use is not called and the error says why.
func readFile(fsys fs.FS, name string, use func(Tally, *[256]int64)) error {
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.reset()
	err := files.Read(fsys, name, func(p []byte) bool {
		s.scan(p)
		return true
	})
	if err != nil {
		return err
	}
	use(s.finish())
	return nil
}
