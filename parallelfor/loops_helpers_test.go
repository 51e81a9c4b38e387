package parallelfor_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

// shape is a generated loop with a result.
type shape struct {
	n, batch, workers int
	seed              uint64
	failAt            int    // the index that fails
	how               manner // how it does
	crew              *crew
}

type manner int

const (
	never manner = iota
	returning
	panicking
	exiting
)

func (s shape) String() string {
	return fmt.Sprintf("n %d, batch %d, workers %d, seed %d, index %d fails in way %d", s.n, s.batch, s.workers, s.seed, s.failAt, s.how)
}

// x is the data of index i: small numbers, in no order, some of them equal.
func (s *shape) x(i int) int { return int((s.seed>>(i%50) + uint64(i)*7919) % 97) }

// f is a float whose sums depend on the order.
func (s *shape) f(i int) float64 { return 1/float64(s.x(i)+1) - 0.1 }

// visit is what the body of the loop does for index i, which the worker executes.
func (s *shape) visit(w parallelfor.Worker, i int) error { return s.visitBy(w.Index(), i) }

// visitByGoroutine is visit for bodies that have no Worker.
func (s *shape) visitByGoroutine(i int) error {
	var text [64]byte
	id := 0
	_, _ = fmt.Sscanf(string(text[:runtime.Stack(text[:], false)]), "goroutine %d", &id)
	return s.visitBy(id%len(s.crew), i)
}

func (s *shape) visitBy(member, i int) error {
	s.crew[member].Add(1)
	if i != s.failAt {
		return nil
	}
	switch s.how {
	case returning:
		return fmt.Errorf("%w: %d", errIndex, i)
	case panicking:
		panic(fmt.Sprint("no ", i))
	case exiting:
		runtime.Goexit()
	}
	return nil
}

// must is visit for bodies that cannot return an error.
func (s *shape) must(w parallelfor.Worker, i int) {
	if err := s.visit(w, i); err != nil {
		panic(err)
	}
}

// fails reports whether an index fails.
func (s *shape) fails() bool { return s.how != never && s.failAt >= 0 && s.failAt < s.n }

func genShape() gopter.Gen {
	return gopter.CombineGens(gen.IntRange(0, 200), gen.IntRange(0, 200), gen.IntRange(1, 8), gen.UInt64(), gen.IntRange(0, 1000), gen.IntRange(0, 3)).
		Map(func(v []any) shape {
			s := shape{n: v[0].(int), batch: v[1].(int), workers: v[2].(int), seed: v[3].(uint64), failAt: v[4].(int), how: manner(v[5].(int))}
			s.batch %= s.n/2 + 2
			s.failAt %= 2*s.n + 1
			return s
		})
}

// outcome is how a loop ended, as its caller sees it.
type outcome struct {
	result any
	err    string
	panics string
	goexit bool
}

func (s shape) outcome(run func(s *shape, opts ...parallelfor.Option) (any, error), opts ...parallelfor.Option) (o outcome) {
	s.crew = new(crew)
	e := endingOf(func() {
		result, err := run(&s, append(opts, parallelfor.Batch(s.batch))...)
		o.result = result
		if err != nil {
			o.err = err.Error()
		}
	})
	o.goexit = e.goexit
	var p *parallelfor.Panic
	if err, ok := e.value.(error); ok && errors.As(err, &p) {
		o.panics = fmt.Sprint(p.Value, p.Begin, p.End)
	} else if e.value != nil {
		o.panics = fmt.Sprint(e.value)
	}
	return o
}

// equalsSequential checks that a loop gives what it gives under Sequential, bit for bit, whichever
// workers execute its batches, and fails like it; and that of ten of the loops that were looked at,
// so many ran on several workers.
func equalsSequential(t *testing.T, normal, ofTen int, run func(s *shape, opts ...parallelfor.Option) (any, error)) {
	t.Helper()
	watchdog(t)
	parallel, two, failed := 0, 0, 0
	p := gopter.NewProperties(parameters(normal))
	p.Property("equals the sequential loop", prop.ForAll(func(s shape) bool {
		want := s.outcome(run, parallelfor.Sequential())
		defer handout.Force(s.seed)()
		many := new(crew)
		got := s.outcome(func(s *shape, opts ...parallelfor.Option) (any, error) {
			s.crew = many
			return run(s, opts...)
		}, parallelfor.Workers(s.workers))
		if s.fails() && (got.err != "" || got.panics != "" || got.goexit) {
			failed++
		}
		if _, batches := parallelfor.Grid(s.n, s.batch); batches > 1 && s.workers > 1 && !s.fails() {
			two++
			if many.size() > 1 {
				parallel++
			}
		}
		return assert.Equal(t, want, got, "%v", s)
	}, genShape()))
	p.TestingRun(t)
	if rounds(normal) < normal {
		return // too few for shares
	}
	require.GreaterOrEqual(t, parallel*10, two*ofTen, "of %d loops with two batches only %d ran on two workers", two, parallel)
	require.Positive(t, two)
	require.Positive(t, failed, "no loop failed")
}
