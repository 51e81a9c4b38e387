package lawtest

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/amount"
	"example.com/custody/safety"
)

// Size is a function that takes a size.
type Size struct {
	// Container is the container in the violation, by type and name. It is empty for a size that
	// belongs to no container.
	Container string
	// Least is the smallest legal size.
	Least int
	// Most is the largest legal size. It is not tried, because the machine may lack the memory.
	Most int
	// Do calls the function with a size.
	Do func(n int)
}

// Sizes calls each function with illegal sizes, up to the ends of int. It asserts that the
// violation has the container, the size, and the smallest or the largest legal size.
func Sizes(t *testing.T, all map[string]Size) {
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			low := []int{math.MinInt, math.MinInt + 1, -1 << 20, -1, s.Least - 1}
			high := []int{s.Most + 1, s.Most + 2, s.Most + s.Most/8, math.MaxInt - 64, math.MaxInt - 1, math.MaxInt}
			for _, n := range append(low, high...) {
				if n >= s.Least && n <= s.Most || n > 0 && s.Most == math.MaxInt || n < 0 && slices.Contains(high, n) {
					continue // legal, or an overflow of the sums above
				}
				v := Violation(t, func() error { s.Do(n); return nil })
				require.ErrorIs(t, v, safety.ErrLength, "%d", n)
				assert.Equal(t, n, v.N)
				assert.Equal(t, s.Container, v.Container)
				assert.ErrorContains(t, v, strconv.Itoa(n))
				assert.ErrorContains(t, v, s.Container)
				if n > s.Most {
					assert.ErrorContains(t, v, strconv.Itoa(s.Most)+" ")
				} else {
					assert.ErrorContains(t, v, strconv.Itoa(s.Least)+" ")
				}
			}
		})
	}
}

// MostOf returns the largest length of a slice of T, minus less.
func MostOf[T any](less int) int { return amount.Most[T]() - less }
