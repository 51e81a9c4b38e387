package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/sched"
)

// history is of operations that are letters.
type history = explore.History[byte, int]

// An operation lasts from its first scheduling point to its last, so what others do between two
// operations of a task can come after the one and before the other.
func TestOperationsAreShort(t *testing.T) {
	var h history
	between, apart := 0, 0
	f, _ := find(func(p *explore.Program) {
		h.Reset(2)
		w := new(word)
		p.Go("two", func() {
			for range 2 {
				h.Do(0, 'a', func() int { return int(w.Load()) })
			}
		})
		p.Go("one", func() { h.Do(1, 'b', func() int { w.Store(1); return 0 }) })
		p.Judge(func() error {
			ops := h.Ops()
			for i := range ops[1:] {
				if ops[i].Call > ops[i+1].Call {
					return errorFound
				}
			}
			if ops[1].In == 'b' {
				between++
				if ops[0].Before(&ops[1]) && ops[1].Before(&ops[2]) {
					apart++
				}
			}
			return nil
		})
	}, explore.Exhaustive(9, 1000))
	require.NoError(t, errorOf(f))
	require.Positive(t, between)
	require.Equal(t, between, apart, "operations of one step do not overlap")
}

// staleReader remembers what it read first: wrong, but only for a check that knows that the write
// came before the read.
type staleReader struct {
	w    word
	seen int64
	has  bool
}

func (s *staleReader) read() int {
	v := s.w.Load()
	if !s.has {
		s.seen, s.has = v, true
	}
	return int(s.seen)
}

// register is the specification of a word: 'w' writes 1, 'r' reads.
var register = &linear.Spec[int, byte, int]{Step: func(s int, in byte, out int) (int, bool) {
	if in == 'w' {
		return 1, true
	}
	return s, out == s
}}

func TestAStaleSecondAnswerIsFound(t *testing.T) {
	for name, plan := range plans(10_000) {
		if name == "pct 1" {
			continue // the write has to come between two reads
		}
		var h history
		c := linear.NewChecker(register)
		f, _ := find(func(p *explore.Program) {
			h.Reset(2)
			s := new(staleReader)
			p.Go("reads", func() {
				for range 2 {
					h.Do(0, 'r', s.read)
				}
			})
			p.Go("writes", func() { h.Do(1, 'w', func() int { s.w.Store(1); return 0 }) })
			p.Judge(func() error { return c.Check(h.Ops()) })
		}, plan)
		require.NotNil(t, f, name)
		require.ErrorContains(t, f, "not linearizable")
		require.Less(t, f.Schedule, 1000)
	}
}

// An operation without a scheduling point is at a time of its own.
func TestOperationsWithoutAPoint(t *testing.T) {
	var h history
	f, _ := find(func(p *explore.Program) {
		h.Reset(1)
		h.Do(0, 'a', func() int { return 1 }) // in setup
		p.Go("", func() {
			h.Do(0, 'b', func() int { return 2 })
			sched.Point(sched.OpLoad, nil)
			h.Do(0, 'c', func() int { return 3 })
		})
		p.Judge(func() error {
			ops := h.Ops()
			for i, op := range ops {
				if int(op.In) != 'a'+i || op.Out != i+1 || op.Call == 0 || op.Return <= op.Call || i > 0 && !ops[i-1].Before(&ops[i]) {
					return errorFound
				}
			}
			return nil
		})
	}, explore.Random(1))
	require.NoError(t, errorOf(f))
}

// An operation whose task ended in it is pending.
func TestPendingOperations(t *testing.T) {
	var h history
	f, _ := explore.Find(explore.Options{Goroutines: true}, func(p *explore.Program) {
		h.Reset(1)
		p.Go("", func() {
			defer func() { recover() }()
			h.Do(0, 'a', func() int { panic("in the middle") })
		})
		p.Judge(func() error {
			if ops := h.Ops(); len(ops) != 1 || !ops[0].Pending() {
				return errorFound
			}
			return nil
		})
	}, explore.Random(1))
	require.NoError(t, errorOf(f))
}
