package queue

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// A view converts neither to a view of other items, nor to another view: what it may do is decided
// when it is made.
func TestViewsDoNotConvert(t *testing.T) {
	views := []reflect.Type{
		reflect.TypeFor[Reader[int]](), reflect.TypeFor[Writer[int]](), reflect.TypeFor[ParallelWriter[int]](),
		reflect.TypeFor[Shared[int]](), reflect.TypeFor[RingShared[int]](),
		reflect.TypeFor[Reader[string]](), reflect.TypeFor[Writer[string]](), reflect.TypeFor[ParallelWriter[string]](),
		reflect.TypeFor[Shared[string]](), reflect.TypeFor[RingShared[string]](),
	}
	for i, from := range views {
		for k, to := range views {
			require.Equal(t, i == k, from.ConvertibleTo(to), "%v to %v", from, to)
		}
	}
}

// A queue that a job adds to has no items by position, in unchecked builds as well, where another
// job may ask for them.
func TestNoStretchesHaveNoParts(t *testing.T) {
	var none *stretches
	require.Zero(t, none.cut(0, 5).len())
	none.each(0, 5, func(stretch) bool { panic("there is none") })
}
