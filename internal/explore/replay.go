package explore

import (
	"fmt"
	"math/bits"
	"strings"
)

// repeat picks what a trace says. Where the trace does not fit, because the program has changed since, it goes
// on with whoever can run.
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
	// The next one in turn, so that tasks that yield to each other leave none out.
	if above := enabled &^ (1<<(cur+1) - 1); above != 0 {
		enabled = above
	}
	return bits.TrailingZeros64(enabled)
}

// digits are the numbers of tasks in a trace's text.
const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"

// traceText returns the text of a trace.
func traceText(trace []byte) string {
	var b strings.Builder
	for _, id := range trace {
		b.WriteByte(digits[id])
	}
	return b.String()
}

// parseTrace reads what traceText wrote.
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
