package parallelfor_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// brighten adds to each pixel, or to those of a mask only.
type brighten struct {
	By     int
	Pixels array.Writer[int]
	Mask   safety.Optional[array.Reader[int]]
}

func (j *brighten) Execute(i int) {
	if mask, ok := j.Mask.View(); ok && mask.At(i) == 0 {
		return
	}
	j.Pixels.Set(i, j.Pixels.At(i)+j.By)
}

// A job with a container that it can do without.
func ExampleSchedule_optional() {
	pixels := array.New[int](4)
	mask := array.Of([]int{0, 1, 1, 0})
	parallelfor.For(4, brighten{By: 1, Pixels: pixels.Writer()}, (*brighten).Execute)
	parallelfor.For(4, brighten{By: 10, Pixels: pixels.Writer(), Mask: safety.Some(mask.Reader())}, (*brighten).Execute)
	fmt.Println(pixels.Slice())
	// Output: [1 11 11 1]
}
