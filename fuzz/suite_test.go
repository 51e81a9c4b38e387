package fuzz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

func TestFailureIsTheSmallestProgram(t *testing.T) {
	all := recorded(t, queueSuiteOf(plainQueues(true, "one too many"), Bounded, Seed(1)))
	text := strings.Join(strings.Fields(all["model"].text()), " ")
	require.Contains(t, text, "size 0; TryEnqueue(0); TryEnqueue(0): TryEnqueue(#2) is true, expected false with 1 items from [#1] on in a queue of capacity 1")
	require.NotContains(t, text, "replay", "a seed that is given needs no line to replay it")
	all = recorded(t, queueSuiteOf(plainQueues(true, "one too many"), Bounded))
	require.Contains(t, all["model"].text(), "CUSTODY_SEED=")
	require.Contains(t, all[""].text(), "Peek")
}

func TestSuiteNeedsTheLeast(t *testing.T) {
	for _, of := range []QueueOf{{}, {TryDequeue: func() (*Item, bool) { return nil, false }}} {
		catches(t, queueSuiteOf(func(int) QueueOf { return of }), "")
	}
	catches(t, func(h host) { runCounter(h, func() CounterOf { return CounterOf{} }, impatient()) }, "")
	catches(t, func(h host) { runMap(h, func() MapOf { return MapOf{} }, impatient()) }, "")
	catches(t, func(h host) { runMultiMap(h, func() MultiMapOf { return MultiMapOf{} }, impatient()) }, "")
	catches(t, func(h host) { runLoop(h, LoopOf{}, impatient()) }, "")
}

func TestMisusesOfUsersAreRun(t *testing.T) {
	misuse := func(table ...Misuse) func(h host) {
		s := settingsOf([]Option{Misuses(table...)})
		return func(h host) { h.sub("misuse", s.misuse(func(testing.TB) {})) }
	}
	broken := func() { panic(safety.NewViolation(safety.ErrIndex, "it broke", "Mend it.")) }
	passes(t, misuse(Misuse{"breaks", broken, safety.ErrIndex}, Misuse{"does not", func() {}, nil}))
	catches(t, misuse(Misuse{"panics", broken, nil}), "misuse")
	catches(t, misuse(Misuse{"panics with no error", func() { panic("toy") }, nil}), "misuse")
	if safety.Enabled {
		catches(t, misuse(Misuse{"another kind", broken, safety.ErrLength}), "misuse")
		catches(t, misuse(Misuse{"nothing", func() {}, safety.ErrIndex}), "misuse")
	}
}

func TestBytesAreProgramsOfTheModel(t *testing.T) {
	q := newQueueSuite(t, plainQueues(true, "one too many"), settingsOf([]Option{Bounded}))
	s := q.script()
	for _, c := range []struct {
		input []byte
		fails bool
	}{
		{nil, false},
		{[]byte{0}, false},
		{[]byte{0, 0}, false},
		{[]byte{0, 0, 1}, false},
		{[]byte{0, 0, 1, 0}, true},        // two items at capacity 1, the operand of the second is missing
		{[]byte{1, 0, 1, 0, 1}, false},    // at capacity 2
		{[]byte{0, 0, 1, 4, 0, 1}, false}, // one is taken in between
	} {
		r := &recorder{TB: t}
		r.run(func() { s.bytes(r, c.input) })
		require.Equal(t, c.fails, r.failed, "%v: %s", c.input, r.text())
	}
}
