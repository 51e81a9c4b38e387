package index

import (
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// blockSize is how much of a file is read at a time.
const blockSize = 128 << 10

// desk is what reading a file takes besides the file.
type desk struct {
	block   [blockSize]byte
	scanner scanner
}

// desks are kept from file to file, whoever reads them.
var desks = sync.Pool{New: func() any { return new(desk) }}

// readFile counts one file of fsys and hands the counts to use. When the file cannot be read to its
// end, nothing of it counts: use is not called and the error says why.
func readFile(fsys fs.FS, name string, use func(Tally, *[256]int64)) error {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	d.scanner.reset()
	if err := d.readAll(fsys, name); err != nil {
		return err
	}
	use(d.scanner.finish())
	return nil
}

func (d *desk) readAll(fsys fs.FS, name string) (err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("close %s: %w", name, e)
		}
	}()
	for {
		n, err := f.Read(d.block[:])
		d.scanner.scan(d.block[:n])
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}
