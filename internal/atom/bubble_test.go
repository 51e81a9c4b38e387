package atom_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/custody/internal/atom"
)

// InBubble returns true inside a bubble, whatever the bubble's clock shows, and false outside.
func TestABubbleIsKnownFromInside(t *testing.T) {
	assert.False(t, atom.InBubble())
	inside := make(chan bool, 1)
	synctest.Test(t, func(t *testing.T) {
		assert.True(t, atom.InBubble())
		time.Sleep(time.Until(time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)))
		assert.True(t, atom.InBubble())
		atom.Go(func() { inside <- atom.InBubble() })
		time.AfterFunc(time.Second, func() { assert.True(t, atom.InBubble()) })
		time.Sleep(2 * time.Second)
	})
	assert.True(t, <-inside)
	assert.False(t, atom.InBubble())
}

// A Spin in a bubble ends at once, because the bubble's clock would never end it.
func TestSpinIsFutileInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { assert.False(t, new(atom.Spin).More()) })
}

// mayTest recognises a test by the path of its main package, as the go command names it.
func TestAProgramThatMayBeATest(t *testing.T) {
	for path, is := range map[string]bool{
		"example.com/custody/queue.test": true, "command-line-arguments": true, "": true,
		"example.com/custody/bench/ratios": false, "example.com/test": false,
	} {
		assert.Equal(t, is, atom.MayTest(path), path)
	}
}
