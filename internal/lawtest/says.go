package lawtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Says is what the String method of a container must say.
type Says struct {
	// Of is the container, which is disposed in the end by Dispose, if that is not nil.
	Of      fmt.Stringer
	Dispose func()
	// Free is the text while nobody holds it, and Ended the one after Dispose.
	Free, Ended string
	// Held are the texts while a job of that name, "job", holds it by views.
	Held map[string]safety.View
	// Zero are containers that nobody has made.
	Zero map[string]fmt.Stringer
}

// Check asserts all that, and that the container may be printed while jobs come and go.
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

// Printed prints something all the time, on a goroutine that is ordered with nobody, while something else is done.
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
