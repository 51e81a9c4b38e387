package zerocount_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/custody/array"
	"example.com/custody/examples/internal/zerocount"
	"example.com/custody/parallelfor"
)

func TestEachWayIsMeasuredAndOneThatCountsWronglyIsAnError(t *testing.T) {
	runs := 0
	as := func(wrong int64) (string, zerocount.Count) {
		return "that way", func(in *array.Array[int32], _ ...parallelfor.Option) int64 {
			runs++
			for _, x := range in.Slice() {
				if x == 0 {
					wrong++
				}
			}
			return wrong
		}
	}
	o := zerocount.Options{N: 10, Every: 3, Workers: 1, Repeat: 4}
	medians, err := zerocount.Measure(o, []int64{0, 0}, as)
	assert.NoError(t, err)
	assert.Len(t, medians, 2)
	assert.Equal(t, 2*(4+1), runs)
	_, err = zerocount.Measure(o, []int64{0, 1}, as)
	assert.EqualError(t, err, "that way: counted 5 zeros of 4")
}
