package programtest_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color/palette"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
)

// dogs prints its first argument and says the others; it fails when they are any, or its output
// takes nothing.
var dogs = programtest.Program{Name: "dogs", Run: func(args []string, stdout, stderr io.Writer) int {
	_, err := io.WriteString(stdout, args[0])
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "dogs:", err)
		return program.Failed
	case len(args) > 1:
		fmt.Fprintln(stderr, "dogs:", strings.Join(args[1:], " "))
		return program.Failed
	}
	return 0
}}

func TestWhatAProgramDoesIsReturned(t *testing.T) {
	assert.Equal(t, "three", dogs.Ran(t, "three"))
	stdout, stderr := dogs.Exits(t, program.Failed, "two", "bark")
	assert.Equal(t, "two", stdout)
	assert.Equal(t, "dogs: bark\n", stderr)
	dogs.Says(t, program.Failed, "bark", "", "bark")
	dogs.Says(t, 0, "", "")
	dogs.FailsWhenFull(t, program.Failed, "one")
}

// failing is a test that notes that it fails.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.failed = true }
func (f *failing) FailNow()              { f.failed = true }

func TestWhatAProgramShouldNotDoIsAFailure(t *testing.T) {
	deaf := programtest.Program{Name: "dogs", Run: func([]string, io.Writer, io.Writer) int { return program.Failed }}
	other := programtest.Program{Name: "cats", Run: dogs.Run}
	loud := programtest.Program{Name: "dogs", Run: func(_ []string, _, stderr io.Writer) int { fmt.Fprint(stderr, "bark"); return 0 }}
	for name, test := range map[string]func(t testing.TB){
		"another status":      func(t testing.TB) { dogs.Exits(t, program.Usage, "two", "bark") },
		"no success":          func(t testing.TB) { deaf.Ran(t) },
		"a success that says": func(t testing.TB) { loud.Ran(t) },
		"says with a status":  func(t testing.TB) { dogs.Says(t, program.Usage, "bark", "", "bark") },
		"says something else": func(t testing.TB) { dogs.Says(t, program.Failed, "meow", "", "bark") },
		"says, and prints":    func(t testing.TB) { dogs.Says(t, program.Failed, "bark", "one", "bark") },
		"says, not nothing":   func(t testing.TB) { loud.Says(t, 0, "") },
		"full, and success":   func(t testing.TB) { loud.FailsWhenFull(t, program.Failed) },
		"full, and silent":    func(t testing.TB) { deaf.FailsWhenFull(t, program.Failed) },
		"full, another name":  func(t testing.TB) { other.FailsWhenFull(t, program.Failed, "one") },
	} {
		f := &failing{TB: t}
		test(f)
		assert.True(t, f.failed, name)
	}
}

// updating has tests write what they compare with, or not.
func updating(t *testing.T, yes bool) {
	was := *programtest.Update
	*programtest.Update = yes
	t.Cleanup(func() { *programtest.Update = was })
}

func TestTextsAreComparedOrWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "x.golden")
	updating(t, true)
	programtest.Golden(t, file, "one")
	updating(t, false)
	programtest.Golden(t, file, "one")
	f := &failing{TB: t}
	programtest.Golden(f, file, "two")
	assert.True(t, f.failed)
}

func TestPicturesAreComparedPixelByPixel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dot.png")
	draw := func(index uint8, level png.CompressionLevel) func(string) {
		return func(file string) {
			p := image.NewPaletted(image.Rect(0, 0, 30, 30), palette.Plan9)
			p.SetColorIndex(3, 4, index)
			var b bytes.Buffer
			require.NoError(t, (&png.Encoder{CompressionLevel: level}).Encode(&b, p))
			require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
		}
	}
	updating(t, true)
	programtest.Drawn(t, file, draw(5, png.NoCompression))
	updating(t, false)
	programtest.Drawn(t, file, draw(5, png.BestCompression))
	f := &failing{TB: t}
	programtest.Drawn(f, file, draw(6, png.NoCompression))
	assert.True(t, f.failed)
}
