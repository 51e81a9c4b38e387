package brokenfs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"
)

// Forest returns n files of identifiers, w0 to w399, some of which are rare and some in most lines: always the same. Some files are empty, binary, or broken.
func Forest(n int) FS {
	r := rand.New(rand.NewPCG(1, 2))
	exts := []string{".go", ".s", ".txt", ".go", ".noread", ".noopen", ".bin"}
	m := fstest.MapFS{}
	for k := range n {
		var b strings.Builder
		for range r.IntN(30) {
			for range r.IntN(8) {
				fmt.Fprintf(&b, "w%d ", r.IntN(1+r.IntN(400)))
			}
			b.WriteString("\n")
		}
		ext := exts[r.IntN(len(exts))]
		if ext == ".bin" {
			b.WriteByte(0)
		}
		m[fmt.Sprintf("d%d/f%d%s", k%5, k, ext)] = &fstest.MapFile{Data: []byte(b.String()), Mode: 0o644}
	}
	return FS{MapFS: m}
}
