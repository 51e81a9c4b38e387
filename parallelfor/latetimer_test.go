package parallelfor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// brief is a type of short jobs.
type brief struct{}

func (*brief) Execute() {}

// The timer's function begins a job that is put off at once if no job was taken out of the list
// since the timer was started, and otherwise when it sees the job again.
func TestTheTimerLeavesJobsThatAreAboutToBeCompleted(t *testing.T) {
	if !keeps || atom.Exploring() {
		t.Skip("no job is put off")
	}
	p := NewPool(1)
	defer p.Close()
	p.timer.Call = func() {} // the test calls beginLate
	put := func() Handle { return ScheduleDo(brief{}, (*brief).Execute, On(p)) }
	put().Complete()
	for costs, i := &planFor(planOf((*brief)(nil))).costs, 0; i < len(costs); i++ {
		costs[i].cost.perIndex.Store(1024)
	}
	p.beginLate() // the first job may have been put off
	isLate := func(want *exec) {
		p.mu.Lock()
		defer p.mu.Unlock()
		require.True(t, want == p.late)
	}

	lone := put()
	isLate(execOf(lone))
	p.beginLate()
	isLate(nil)
	lone.Complete()

	first, second := put(), put()
	first.Complete()
	p.beginLate()
	isLate(execOf(second))
	p.beginLate()
	isLate(nil)
	second.Complete()
}
