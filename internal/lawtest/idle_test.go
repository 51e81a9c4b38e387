//go:build unix

package lawtest

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
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
	idle(s, idleWindow) // a shorter one may pass while other programs have the processors
	require.True(t, s.failed)
}
