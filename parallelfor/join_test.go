package parallelfor

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Workers come and leave: each gets an index that no other ever had, and there are never more than
// may be.
func TestEachWorkerGetsAnIndexOfItsOwn(t *testing.T) {
	j := &exec{running: new(running)}
	_, ok := j.join(nil)
	require.False(t, ok, "nobody may join yet")
	j.workers, j.pool = 4, &defaultPool
	j.admitWorkers(j.workers, 1)
	for want := 1; want < 3; want++ {
		w, ok := j.join(nil)
		require.True(t, ok)
		require.Equal(t, want, w)
	}
	j.quit()
	j.quit() // one is left
	w, ok := j.join(nil)
	require.True(t, ok)
	require.Equal(t, 3, w)
	_, ok = j.join(nil)
	require.False(t, ok, "all places were taken once")
}
