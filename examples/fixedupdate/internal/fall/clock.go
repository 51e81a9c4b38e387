package fall

import "time"

// The stages of a step.
const (
	Apply = iota
	Gather
	Schedule
	Meanwhile
	Complete
	HandBack
	Stages
)

// StageNames are theirs.
var StageNames = [Stages]string{"apply", "gather", "schedule", "meanwhile", "complete", "hand back"}

// clock measures the stages of steps.
type clock struct {
	last time.Time
	took [][Stages]time.Duration
}

func (c *clock) begin() {
	c.took = append(c.took, [Stages]time.Duration{})
	c.last = time.Now()
}

// stamp says that a stage has ended.
func (c *clock) stamp(stage int) {
	now := time.Now()
	c.took[len(c.took)-1][stage] = now.Sub(c.last)
	c.last = now
}
