package safety_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// The race detector learns of the use of a lane by two goroutines of a batch, and of nothing that
// goes from batch to batch; and that a job which inherits comes after those that had returned what
// it holds.
func TestWhatTheRaceDetectorIsShown(t *testing.T) {
	if runtime.GOARCH == "386" {
		t.Skip("there is no race detector")
	}
	if safety.Strict || !safety.Enabled || atom.Explored {
		t.Skip("the program is built in one way, whatever this is")
	}
	path := filepath.Join(t.TempDir(), "shown")
	text, err := exec.Command("go", "build", "-race", "-o", path, "./testdata/shown").CombinedOutput()
	require.NoError(t, err, "%s", text)
	c := exec.Command(path)
	c.Env = append(os.Environ(), "GORACE=exitcode=0 atexit_sleep_ms=0 suppress_equal_stacks=0")
	out, err := c.Output()
	require.NoError(t, err)
	require.Equal(t, `two goroutines of a batch use its lane: race
two goroutines of a batch use its lane one after the other: right
two batches use the lane of their worker: right
a job inherits: right
a job does not inherit: race
a job inherits that is not Ordered: race
`, string(out))
}

// Lanes are checked like windows: in the batch that the view was bound for, and while nothing
// excludes it that was lent on.
func TestLanesAreCheckedLikeWindows(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(2)
	out := s.view(safety.Append)
	require.ErrorIs(t, broken(t, out.Hold.CheckLane), safety.ErrStaleView, "outside a job")
	b := enter(t, "J", s.view(safety.Append))
	b.next()
	b.views[0].Hold.CheckLane()
	kept := *b.views[0]
	b.next()
	b.views[0].Hold.CheckLane()
	require.ErrorIs(t, broken(t, kept.Hold.CheckLane), safety.ErrStaleView, "in the next batch")
	b.do(func() {
		nested := opened(t, "nested", nil, held(b.views[0], "Inner"))
		v := broken(t, b.views[0].Hold.CheckLane)
		require.ErrorIs(t, v, safety.ErrInFlight)
		require.Equal(t, []string{"J", "nested"}, []string{v.Job, v.OtherJob})
		completed(nested)
		b.views[0].Hold.CheckLane()
	})
	b.leave()
}
