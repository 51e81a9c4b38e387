package files

import (
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// BlockSize is how much of a file is read at a time.
const BlockSize = 128 << 10

// blocks are kept from file to file, whoever reads them.
var blocks = sync.Pool{New: func() any { return new([BlockSize]byte) }}

// Read calls use with the contents of a file of fsys, block by block, until it says false. A block is
// good until use returns. The error says why the file could not be read to its end; what came before it
// was used.
func Read(fsys fs.FS, name string, use func(p []byte) (more bool)) (err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("close %s: %w", name, e)
		}
	}()
	block := blocks.Get().(*[BlockSize]byte)
	defer blocks.Put(block)
	for {
		n, err := f.Read(block[:])
		if n > 0 && !use(block[:n]) {
			return nil
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}
