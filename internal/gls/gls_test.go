package gls

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type runFunc func()

func (f runFunc) Run() { f() }

func all(uint32) bool { return true }

func deep(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	deep(n-1, f)
}

func TestNumberIsReadBackAtAnyDepth(t *testing.T) {
	_, ok := Current(all)
	require.False(t, ok, "outside every call")
	for _, n := range []uint32{0, 1, 9, 15, 16, 17, 255, 256, 4095, 65536, 0xdeadbeef, 1<<32 - 1} {
		for _, depth := range []int{0, 1, 3, 61, 62, 63, 64, 65, 200, 1000} {
			Call(n, runFunc(func() {
				deep(depth, func() {
					got, ok := Current(all)
					require.True(t, ok)
					require.Equal(t, n, got)
				})
			}))
		}
	}
	_, ok = Current(all)
	require.False(t, ok, "after every call")
}

func TestInnermostCallCounts(t *testing.T) {
	Call(0x123, runFunc(func() {
		Call(0x45, runFunc(func() {
			got, ok := Current(all)
			require.True(t, ok)
			require.Equal(t, uint32(0x45), got)
		}))
		got, ok := Current(all)
		require.True(t, ok)
		require.Equal(t, uint32(0x123), got)
	}))
}

func TestGoroutineStartedInsideIsOutside(t *testing.T) {
	Call(7, runFunc(func() {
		found := make(chan bool)
		go func() {
			_, ok := Current(all)
			found <- ok
		}()
		require.False(t, <-found)
	}))
}

func TestDeadCallsArePassedOver(t *testing.T) {
	Call(1, runFunc(func() {
		Call(0x22, runFunc(func() {
			Call(0x333, runFunc(func() {
				got, ok := Current(func(n uint32) bool { return n == 1 })
				require.True(t, ok)
				require.Equal(t, uint32(1), got)
				_, ok = Current(func(n uint32) bool { return false })
				require.False(t, ok)
			}))
		}))
	}))
}

func BenchmarkCall(b *testing.B) {
	r := runFunc(func() {})
	for b.Loop() {
		Call(0x123, r)
	}
}

func BenchmarkCurrent(b *testing.B) {
	Call(0x123, runFunc(func() {
		deep(10, func() {
			for b.Loop() {
				Current(all)
			}
		})
	}))
}
