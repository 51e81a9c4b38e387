package explore

import (
	"fmt"
	"math/bits"
	"strings"
)

// repeat picks the tasks of a trace. Where the trace does not fit, because the program has changed
// since, and after its end, repeat picks the task that has just run or the next enabled one.
type repeat struct {
	trace []byte
	at    int
	done  bool
	amiss bool // the trace did not fit
}

func (s *repeat) Start() bool {
	if s.done {
		return false
	}
	s.done = true
	s.at = 0
	return true
}

func (s *repeat) Spawned(int) {}

func (s *repeat) Yielded(int, uint64) {}

//go:norace
func (s *repeat) Pick(enabled uint64, cur int) int {
	if s.at < len(s.trace) {
		id := int(s.trace[s.at])
		s.at++
		if enabled&(1<<id) != 0 {
			return id
		}
	}
	s.amiss = true
	if cur >= 0 && enabled&(1<<cur) != 0 {
		return cur
	}
	// Picking the next one in turn leaves none out if tasks yield to each other.
	if above := enabled &^ (1<<(cur+1) - 1); above != 0 {
		enabled = above
	}
	return bits.TrailingZeros64(enabled)
}

// digits are the numbers of tasks in the text of a trace.
const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"

// traceText returns the text of a trace.
func traceText(trace []byte) string {
	var b strings.Builder
	for _, id := range trace {
		b.WriteByte(digits[id])
	}
	return b.String()
}

// parseTrace parses the text that traceText returned.
func parseTrace(text string) ([]byte, error) {
	trace := make([]byte, len(text))
	for i := range text {
		k := strings.IndexByte(digits, text[i])
		if k < 0 {
			return nil, fmt.Errorf("explore: %q is no trace: %q is no task", text, text[i])
		}
		trace[i] = byte(k)
	}
	return trace, nil
}
