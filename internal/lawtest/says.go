package lawtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Says has the texts that the String method of a container must return.
type Says struct {
	// Of is the container. Check calls Dispose at the end, unless it is nil.
	Of      fmt.Stringer
	Dispose func()
	// Free is the text while no job holds the container, and Ended the text after Dispose.
	Free, Ended string
	// Held are the texts while a job named "job" holds the container by a view.
	Held map[string]safety.View
	// Zero are zero values, by text.
	Zero map[string]fmt.Stringer
}

// Check asserts the texts, and that the container may be printed while jobs come and go.
func (s *Says) Check(t *testing.T) {
	t.Helper()
	assert.Equal(t, s.Free, s.Of.String())
	assert.Equal(t, s.Free, fmt.Sprintf("%v", s.Of))
	for want, view := range s.Held {
		require.NoError(t, Held(view, 2, func() {
			if safety.Enabled {
				assert.Equal(t, want, s.Of.String())
			} else {
				assert.NotEmpty(t, s.Of.String())
			}
		}))
	}
	assert.Equal(t, s.Free, s.Of.String())
	Printed(s.Of, func() {
		for range Rounds(200) {
			for _, view := range s.Held {
				require.NoError(t, Held(view, 2, func() {}))
			}
		}
	})
	if s.Dispose != nil {
		s.Dispose()
		assert.Equal(t, s.Ended, s.Of.String())
	}
	for want, of := range s.Zero {
		assert.Equal(t, want, of.String())
	}
}

// Printed calls meanwhile while another goroutine, which is not ordered with it, prints of again
// and again.
func Printed(of fmt.Stringer, meanwhile func()) {
	var over atom.HiddenUint32
	done := make(chan struct{})
	atom.Go(func() {
		defer close(done)
		for over.Load() == 0 {
			_ = of.String()
		}
	})
	meanwhile()
	over.Store(1)
	<-done
}
