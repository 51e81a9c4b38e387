//go:build linux

package compiled

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A package with maps of 110 pairs of types is compiled within 1 GB.
func TestManyPairsOfTypesAreCompiledWithinAGigabyte(t *testing.T) {
	flags := strings.Fields(os.Getenv("GOFLAGS"))
	// A -toolexec may give the compiler more memory.
	flags = slices.DeleteFunc(flags, func(f string) bool { return strings.HasPrefix(f, "-toolexec=") })
	state, _ := built(t, sides["custody"].program(110), "GOMAXPROCS=2", "GOGC=100", "GOFLAGS="+strings.Join(flags, " "))
	// The largest of the processes that go build has waited for.
	most := state.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%.3f GB", float64(most)/1e9)
	require.Greater(t, most, int64(100<<20), "nothing was compiled")
	require.Less(t, most, int64(1_000_000_000))
}
