//go:build unix

package lawtest

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

func TestWhoLooksAllTheTimeIsNotIdle(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	go func() {
		for !over.Load() {
			runtime.Gosched()
		}
	}()
	s := &spy{TB: t}
	idle(s, func() { // other programs may have the processors for longer than a window
		for before := computed(t); computed(t)-before < idleWindow/10; {
			atom.Sleep(time.Millisecond)
		}
	})
	require.True(t, s.failed)
}
