package lawtest

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// Vast calls each function with lengths near the largest int and near half of it, which only a
// slice of elements without a size can have. It asserts that the function succeeds, or refuses the
// length as TooLong demands.
func Vast(t *testing.T, all map[string]func(n int)) {
	for name, f := range all {
		for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt - 100, math.MaxInt/2 + 1} {
			t.Run(name+"/"+strconv.Itoa(n), func(t *testing.T) {
				if err := Failure(func() error { f(n); return nil }); err != nil {
					tooLong(t, err)
				}
			})
		}
	}
}

// TooLong asserts that each function refuses a length with a violation that has the length, the
// largest legal one and the container. The runtime must not fail first.
func TooLong(t *testing.T, all map[string]func()) {
	for name, f := range all {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, tooLong(t, Failure(func() error { f(); return nil })).Container)
		})
	}
}

func tooLong(t *testing.T, err error) *safety.Violation {
	var v *safety.Violation
	require.ErrorAs(t, err, &v)
	require.ErrorIs(t, v, safety.ErrLength)
	require.ErrorContains(t, v, strconv.Itoa(v.N)+" ")
	require.ErrorContains(t, v, " at most")
	require.ErrorContains(t, v, v.Container)
	return v
}

// Nothings returns a slice of n elements without a size.
func Nothings(n int) []struct{} { return make([]struct{}, n) }
