package lawtest

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
)

func TestWhatIsKeptIsMeasured(t *testing.T) {
	var kept []byte
	require.Less(t, Kept(func() { kept = make([]byte, 1<<22); kept = nil }), 1<<20)
	require.Greater(t, Kept(func() { kept = make([]byte, 1<<22) }), 1<<21)
	runtime.KeepAlive(kept)
}

func TestWhatIsKeptIsNotCollected(t *testing.T) {
	v := new([100]int)
	fails := func(do func(s *spy)) bool {
		s := &spy{TB: t}
		func() {
			defer func() { _ = recover() }()
			do(s)
		}()
		return s.failed
	}
	require.True(t, fails(func(s *spy) { Collected(s, weak.Make(v)) }))
	require.True(t, fails(func(s *spy) { Happens(s, "nothing", func() bool { return false }) }))
	runtime.KeepAlive(v)
	require.False(t, fails(func(s *spy) { Collected(s, weak.Make(new([100]int))) }))
	require.False(t, fails(func(s *spy) { Happens(s, "something", func() bool { return true }) }))
}
