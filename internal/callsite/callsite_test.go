package callsite

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:noinline
func place() uintptr { return Return() }

//go:noinline
func generic[T any](_ T) (uintptr, []uintptr) {
	var pcs [1]uintptr
	runtime.Callers(2, pcs[:])
	return Return(), pcs[:]
}

var values = []func(string) (uintptr, []uintptr){generic[string]}

// lineOf returns the line of a place.
func lineOf(pc uintptr) int {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return f.Line
}

func small() uintptr { return Return() }

//go:noinline
func around() (at uintptr) {
	at = small() // inlined
	return at
}

//go:noinline
func via(f func() uintptr) uintptr {
	at := f()
	return at
}

// TestReturnInAFunctionThatIsAlsoInlined: a function that calls Return may be inlined into one that
// is called from a place where it is called itself.
func TestReturnInAFunctionThatIsAlsoInlined(t *testing.T) {
	inlined, direct := lineOf(via(around)), lineOf(via(place))
	require.NotEqual(t, inlined, direct)
	for range 3 {
		require.Equal(t, inlined, lineOf(via(around)))
		require.Equal(t, direct, lineOf(via(place)))
	}
}

func here() int {
	_, _, line, _ := runtime.Caller(1)
	return line
}

func inlined() (uintptr, int) { return place(), here() }

// deep calls f with n frames below it, which makes the runtime move the stack.
func deep(n int, f func()) {
	var room [256]byte
	if n > 0 {
		deep(n-1, f)
	} else {
		f()
	}
	runtime.KeepAlive(&room)
}

// TestReturnNamesTheCall: Return gives the address that a walk gives, on stacks of any depth.
func TestReturnNamesTheCall(t *testing.T) {
	if runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" {
		require.NotZero(t, distance, "each call walks the stack")
	}
	check := func() {
		at, line := place(), here()
		require.Equal(t, line, lineOf(at))
		at, line = inlined()
		require.Equal(t, line, lineOf(at))
		at, walked := generic(1)
		require.Equal(t, walked[0], at)
		at, walked = generic([100]string{})
		require.Equal(t, walked[0], at)
		for range 3 {
			at, walked = values[len(values)-1]("") // by a wrapper, which a walk skips
			require.Equal(t, walked[0], at)
		}
	}
	check()
	for _, n := range []int{1, 10, 100, 1000, 10000} {
		done := make(chan bool)
		go func() {
			defer close(done)
			deep(n, check)
		}()
		<-done
		runtime.GC() // shrinks stacks
		check()
	}
}

// TestReturnWhileStacksMove: Return is right while the collector shrinks the stacks of goroutines.
func TestReturnWhileStacksMove(t *testing.T) {
	stop, done := make(chan bool), make(chan bool)
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				deep(50, func() {})
				for range 100 {
					if at, line := place(), here(); line != lineOf(at) {
						t.Error("another line")
						return
					}
				}
			}
		}()
	}
	for range 50 {
		runtime.GC()
	}
	close(stop)
	for range 4 {
		<-done
	}
}

// TestReturnWalks: where the distance is unknown, Return walks the stack.
func TestReturnWalks(t *testing.T) {
	defer func(d int) { distance = d }(distance)
	distance = 0
	at, line := place(), here()
	require.Equal(t, line, lineOf(at))
	at, line = inlined()
	require.Equal(t, line, lineOf(at))
}

func BenchmarkReturn(b *testing.B) {
	for b.Loop() {
		place()
	}
}
