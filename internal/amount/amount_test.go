package amount_test

import (
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/amount"
	"example.com/custody/safety"
)

// The runtime panics for sizes above the bound, so a bound is needed. The bound is at most twice
// the runtime's own on the usual machines. Sizes below it are not tried, because the memory may be
// there.
func TestWhatIsAboveIsNoSlice(t *testing.T) {
	refused := func(f func()) (yes bool) {
		defer func() { _, yes = recover().(runtime.Error) }()
		f()
		return false
	}
	assert.True(t, refused(func() { _ = make([]int64, min(4*amount.Most[int64](), math.MaxInt)) }))
	assert.True(t, refused(func() { _ = make([][100]byte, min(4*amount.Most[[100]byte](), math.MaxInt)) }))
	assert.Equal(t, amount.Most[byte](), amount.Most[struct{}](), "a value without a size counts as a byte")
	assert.Less(t, amount.Most[byte](), math.MaxInt)
	assert.Equal(t, amount.Most[byte]()/8, amount.Most[int64]())
}

func TestSumsDoNotOverflow(t *testing.T) {
	assert.Equal(t, 5, amount.Sum(2, 3))
	for _, n := range []int{0, 1, 2, math.MaxInt/2 + 1, math.MaxInt - 1, math.MaxInt} {
		assert.Equal(t, math.MaxInt, amount.Sum(math.MaxInt-n, n))
		assert.Equal(t, math.MaxInt, amount.Sum(math.MaxInt, n))
		assert.Equal(t, math.MaxInt, amount.Sum(n, math.MaxInt))
	}
}

func TestWrongSizesAreRefused(t *testing.T) {
	var g safety.Guard
	g.Init(new(int), 0, safety.Named("g"))
	for n, do := range map[int]string{0: "There can be 1 bin or more.", -3: "1 bin or more", 6: "There can be 5 bins at most", math.MaxInt: "5 bins at most"} {
		v := amount.Refusal(&g, "was to have", n, 1, 5, "bin")
		require.ErrorIs(t, v, safety.ErrLength)
		require.Equal(t, n, v.N)
		require.Contains(t, v.Error(), do)
		require.Contains(t, v.Error(), `int "g" was to have `+strconv.Itoa(n)+" bins")
		u := amount.Unowned("scratch was to have", n, 1, 5, "bin")
		require.Equal(t, n, u.N)
		require.Contains(t, u.Error(), "scratch was to have "+strconv.Itoa(n)+" bins")
		require.Contains(t, u.Error(), do)
	}
}
