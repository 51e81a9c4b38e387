package parallelfor_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

// seeking is a job that looks for its target, notes where it was, and fails at one index.
type seeking struct {
	Worker parallelfor.Worker
	Log    appender[int]
	Sum    adder
	S      *shape `custody:"unguarded"`
}

// target is an index that is found: there are none, one, or several.
func (s *shape) target(i int) bool { return s.x(i) == int(s.seed%151) }

func (j *seeking) Execute(i int) bool {
	j.S.must(j.Worker, i)
	j.Log.Append(i)
	j.Sum.Add(j.S.f(i))
	return j.S.target(i)
}

type seekingErr struct{ Of seeking }

func (j *seekingErr) Execute(i int) (bool, error) {
	if err := j.Of.S.visit(j.Of.Worker, i); err != nil {
		return true, err
	}
	j.Of.Log.Append(i)
	j.Of.Sum.Add(j.Of.S.f(i))
	return j.Of.S.target(i), nil
}

// wanted returns what the plain loop finds, and the index that it ends before.
func (s *shape) wanted() (index, end int) {
	for i := range s.n {
		if s.fails() && i == s.failAt {
			return -1, i
		}
		if s.target(i) {
			return i, i + 1
		}
	}
	return -1, s.n
}

func TestFindEqualsThePlainLoop(t *testing.T) {
	ctx := context.Background()
	for name, find := range map[string]func(s *shape, j seeking, opts ...parallelfor.Option) (int, error){
		"Find": func(s *shape, j seeking, opts ...parallelfor.Option) (int, error) {
			return parallelfor.Find(s.n, j, (*seeking).Execute, opts...), nil
		},
		"FindErr": func(s *shape, j seeking, opts ...parallelfor.Option) (int, error) {
			return parallelfor.FindErr(ctx, s.n, seekingErr{j}, (*seekingErr).Execute, opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 200, 6, func(s *shape, opts ...parallelfor.Option) (any, error) { // those that find early begin few batches
				if s.how == exiting {
					s.how = panicking // see Find: it may happen above what is found, on the caller's goroutine
				}
				log, sum := newJournal[int](), newFolded()
				found, err := -2, error(nil)
				e := endingOf(func() {
					found, err = find(s, seeking{Log: log.Appender(), Sum: sum.Adder(), S: s}, opts...)
				})
				at, end := s.wanted()
				items := log.Items()
				require.Len(t, items, end, "%v", s)
				for i, v := range items {
					require.Equal(t, i, v)
				}
				if end < s.n && at < 0 { // it failed before it found anything
					require.True(t, err != nil || e.value != nil || e.goexit, "%v", s)
				} else {
					require.True(t, err == nil && e.value == nil && !e.goexit, "%v: %v %v", s, err, e)
					require.Equal(t, at, found, "%v", s)
				}
				if e.value != nil {
					panic(e.value)
				}
				if e.goexit {
					return sum.Value(), errSwap
				}
				return []any{found, sum.Value()}, err
			})
		})
	}
}

func TestFindBeginsNoBatchAboveTheOneItFound(t *testing.T) {
	var calls atomic.Int32
	i := parallelfor.Find(1000, none{}, func(_ *none, i int) bool {
		calls.Add(1)
		return i >= 17
	}, parallelfor.Batch(10), parallelfor.Sequential())
	require.Equal(t, 17, i)
	require.EqualValues(t, 18, calls.Load())
}

// Several batches find at a time; the lowest wins whether it is the first or the last.
func TestTheLowestOfSeveralThatAreFoundWins(t *testing.T) {
	watchdog(t)
	defer handout.Force(1)()
	for k := range rounds(50) {
		b := newBarrier(4)
		var before atomic.Int32
		require.Equal(t, 1, parallelfor.Find(4, none{}, func(_ *none, i int) bool {
			b.wait()
			others := int32(2)
			if k%2 == 0 {
				others = 1
			}
			if i > 0 && (i == 1) == (others == 2) {
				for before.Load() < others {
					runtime.Gosched()
				}
				time.Sleep(time.Millisecond)
			}
			if i > 0 {
				before.Add(1)
			}
			return i > 0
		}, parallelfor.Batch(1), parallelfor.Workers(4)))
	}
}
