// Brightness stretches the contrast of a picture: the first loop finds its darkest and brightest
// pixel (counter.Min, counter.Max), the second one spreads the pixels of an array.Array between 0
// and 255 and counts them by brightness (counter.Histogram).
package main

import (
	"fmt"
	"strings"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// measure finds the extremes.
type measure struct {
	Pixels   array.Reader[uint8]
	Min, Max counter.ExtremumParallelWriter[uint8]
}

func (m *measure) Execute(i int) {
	m.Min.Observe(m.Pixels.At(i))
	m.Max.Observe(m.Pixels.At(i))
}

// stretch writes each pixel anew.
type stretch struct {
	Pixels array.Writer[uint8]
	Bins   counter.HistogramParallelWriter // 32 levels of brightness each
	Lo, Hi uint8
}

func (s *stretch) Execute(i int) {
	v := uint8(int(s.Pixels.At(i)-s.Lo) * 255 / int(s.Hi-s.Lo))
	s.Pixels.Set(i, v)
	s.Bins.Add(int(v)/32, 1)
}

func main() {
	const width, height = 320, 200
	pixels := array.New[uint8](width*height, safety.Named("pixels"))
	for i := range pixels.Len() {
		x, y := i%width, i/width
		pixels.Set(i, uint8(60+(x*x+y*y)/1600)) // dull: 60 to 148
	}
	darkest, brightest := counter.NewMin[uint8](), counter.NewMax[uint8]()
	parallelfor.For(pixels.Len(), measure{
		Pixels: pixels.Reader(),
		Min:    darkest.ParallelWriter(),
		Max:    brightest.ParallelWriter(),
	}, (*measure).Execute)
	lo, _ := darkest.Value()
	hi, _ := brightest.Value()
	fmt.Println("before: from", lo, "to", hi)

	bins := counter.NewHistogram(8)
	parallelfor.For(pixels.Len(), stretch{
		Pixels: pixels.Writer(),
		Bins:   bins.ParallelWriter(),
		Lo:     lo,
		Hi:     hi,
	}, (*stretch).Execute)
	for bin, n := range bins.All() {
		fmt.Printf("%3d to %3d: %6d %s\n", 32*bin, 32*bin+31, n, strings.Repeat("#", int(n+999)/1000))
	}
}
