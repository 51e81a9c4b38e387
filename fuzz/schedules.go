package fuzz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/sched"
)

// tasksProgram is a small concurrent program: the operations of each task. Each number chooses an
// operation and its operands.
type tasksProgram [][]uint16

// Random programs have 2 or 3 tasks of 1 to 4 operations.
const (
	leastTasks = 2
	mostTasks  = 3
	mostOps    = 4
)

// The number of random programs, and the number of schedules of each program by the way in which
// they are chosen. The explorer scales the latter, and adds a few schedules that measure a program.
const (
	drawnPrograms = 300
	byPCT         = 130 // for each depth
	byWalk        = 120
	byPlain       = 15 // in which tasks also switch around plain accesses
)

// tasksPrograms draws programs. It has no sieve, because a sieve would keep programs from
// shrinking.
func tasksPrograms(most int) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		program := make(tasksProgram, leastTasks+p.Rng.Intn(most-leastTasks+1))
		for i := range program {
			program[i] = make([]uint16, 1+p.Rng.Intn(mostOps))
			for k := range program[i] {
				program[i][k] = uint16(p.Rng.Intn(1 << 10))
			}
		}
		return &gopter.GenResult{
			Result:     program,
			ResultType: reflect.TypeFor[tasksProgram](),
			Shrinker:   gen.SliceShrinker(gen.SliceShrinker(gopter.NoShrinker)),
		}
	}
}

// scheduled draws programs, runs each in many schedules, and judges the answers. A failure shows
// the smallest program that fails in one of them. It drives only containers that synchronize
// through the scheduler behind the library's own atomics. The operations of others run one after
// the other.
//
// sp returns the specification of a container of the given size. fresh returns an actor for the
// tasks of a program on a new container of that size.
func scheduled[S comparable, I, O any](s *settings, most int, sp func(size int) *linear.Spec[S, I, O], fresh func(size, tasks int) actor[I, O]) func(t testing.TB) {
	return func(t testing.TB) {
		t.Helper()
		random := s.random(t)
		seed := random.Uint64()
		runs, schedules, steps := 0, 0, 0
		try := func(size int, program tasksProgram) string {
			if len(program) == 0 {
				return ""
			}
			plans := []explore.Plan{explore.PCT(2, byPCT), explore.PCT(3, byPCT), explore.Random(byWalk)}
			if runs > 0 && steps == 0 {
				plans = []explore.Plan{explore.Random(1)} // there is only one schedule
			}
			checker := linear.NewChecker(sp(size))
			of := new(explore.History[I, O])
			setup := func(p *explore.Program) {
				of.Reset(len(program))
				h := &history[I, O]{explored: of}
				c := new(crew)
				act := fresh(size, len(program))
				for task, ops := range program {
					p.Go(fmt.Sprint("task ", task), func() {
						for _, op := range ops {
							act(c, h, task, rand.New(rand.NewPCG(uint64(op), 0)))
						}
					})
				}
				p.Judge(func() error {
					if wrong := c.first.Load(); wrong != nil {
						return errors.New(*wrong)
					}
					return checker.Check(of.Ops())
				})
			}
			finding, stats := explore.Find(explore.Options{Seed: seed}, setup, plans...)
			// Where plain accesses are apart, a race gives a wrong result.
			if finding == nil && stats.Steps > 0 && !sched.Race {
				finding, _ = explore.Find(explore.Options{Seed: seed, Plain: true}, setup, explore.PCT(3, byPlain), explore.Random(byPlain))
			}
			runs, schedules, steps = runs+1, schedules+stats.Schedules, steps+stats.Steps
			if finding == nil {
				return ""
			}
			return fmt.Sprintf("%v\n%s", finding, finding.Story)
		}
		s.property(t, drawnPrograms, prop.ForAll(try, gen.IntRange(0, 255), tasksPrograms(most)))
		t.Logf("%d programs in %d schedules", runs, schedules)
		if steps == 0 {
			t.Log("no operation synchronised through the scheduler, so each ran undisturbed: nothing was tried here")
		}
	}
}
