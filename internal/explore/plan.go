package explore

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.com/custody/internal/sched"
)

// Plan tells which schedules to run, and how many. Random, PCT, PCTTo and Exhaustive return plans
// that search, and ParsePlan returns a plan that repeats one schedule.
//
// The environment variable CUSTODY_EXPLORE is a factor for the numbers of schedules of Random and
// PCT. CUSTODY_SEARCH limits the schedules of Exhaustive: a search that has more is cut there, and
// as many random schedules are run in addition.
type Plan struct {
	kind  string // walk, pct, all; walk-seed, pct-seed, trace: made by ParsePlan
	runs  int
	depth int     // of PCT; the interruptions of Exhaustive
	delta float64 // of PCTTo, with runs 0
	picks int     // of a PCT execution to repeat
	seed  uint64
	trace []byte
}

// Random returns a plan of n schedules in which every pick is random.
func Random(n int) Plan { return Plan{kind: "walk", runs: some(n)} }

// PCT returns a plan of n schedules for faults that depend on the order of depth events.
func PCT(depth, n int) Plan { return Plan{kind: "pct", depth: checked(depth), runs: some(n)} }

// PCTTo returns a plan of as many PCT schedules as it takes to miss a fault of the given depth with
// a probability of at most delta. The number follows from PCT's guarantee and from the numbers of
// tasks and picks that were observed.
func PCTTo(depth int, delta float64) Plan {
	if !(delta > 0 && delta < 1) {
		panic(fmt.Sprintf("explore: the probability %v is not in (0, 1)", delta))
	}
	return Plan{kind: "pct", depth: checked(depth), delta: delta}
}

// Guarantees returns plans that miss a fault with a probability of at most 1e-9. The plans are for
// the depths from 2 to the value of the environment variable CUSTODY_PCT. Without the variable
// there are none.
func Guarantees() (plans []Plan) {
	depth, _ := strconv.Atoi(os.Getenv("CUSTODY_PCT"))
	for d := 2; d <= depth; d++ {
		plans = append(plans, PCTTo(d, 1e-9))
	}
	return plans
}

// some returns n, and panics if n is below 1: a plan without schedules proves nothing.
func some(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("explore: a plan of %d schedules", n))
	}
	return n
}

func checked(depth int) int {
	if depth < 1 || depth > maxDepth {
		panic(fmt.Sprintf("explore: the depth is %d, which is not in [1, %d]", depth, maxDepth))
	}
	return depth
}

// Exhaustive returns a plan of all schedules in which a task that could go on is interrupted at
// most bound times. If there are more than n of them, the test fails. Exhaustive panics if bound is
// negative or n is not positive.
func Exhaustive(bound, n int) Plan {
	if bound < 0 {
		panic(fmt.Sprintf("explore: the bound is %d interruptions, which is below 0", bound))
	}
	return Plan{kind: "all", depth: bound, runs: some(n)}
}

func (p Plan) String() string {
	switch p.kind {
	case "pct":
		return fmt.Sprintf("PCT of depth %d", p.depth)
	case "all":
		return fmt.Sprintf("all with at most %d interruptions", p.depth)
	case "walk":
		return "random walk"
	}
	return "replay"
}

// ParsePlan parses the text that a failure printed for repeating it. The plan runs that one
// schedule, by its trace or by its seed. The error describes what is wrong with the text.
func ParsePlan(text string) (Plan, error) {
	kind, rest, _ := strings.Cut(text, ",")
	p := Plan{kind: kind, runs: 1}
	bad := fmt.Errorf("explore: %q is not of the form trace,0120… or walk,SEED or pct,DEPTH,PICKS,SEED", text)
	var err error
	switch kind {
	case "trace":
		p.trace, err = parseTrace(rest)
		return p, err
	case "walk":
		p.seed, err = strconv.ParseUint(rest, 0, 64)
	case "pct":
		part := strings.Split(rest, ",")
		if len(part) != 3 {
			return p, bad
		}
		p.depth, err = strconv.Atoi(part[0])
		if err == nil {
			p.picks, err = strconv.Atoi(part[1])
		}
		if err == nil {
			p.seed, err = strconv.ParseUint(part[2], 0, 64)
		}
		if p.depth < 1 || p.depth > maxDepth {
			return p, bad
		}
	default:
		return p, bad
	}
	if err != nil {
		return p, bad
	}
	p.kind += "-seed"
	return p, nil
}

// size is the size of a program as observed in some executions.
type size struct{ tasks, picks int }

// strategy returns the strategy of a plan other than Exhaustive. base is the start of its random
// numbers, known the observed size of the program, and scale a factor for the number of schedules.
func (p Plan) strategy(base uint64, known size, scale float64) sched.Strategy {
	n := max(int(float64(p.runs)*scale), min(p.runs, 1))
	switch p.kind {
	case "walk":
		return &walk{from(base, n)}
	case "walk-seed":
		return &walk{only(p.seed)}
	case "pct":
		if p.runs == 0 {
			n = Runs(known.tasks, known.picks, p.depth, p.delta)
		}
		return &pct{seeded: from(base, n), depth: p.depth, picks: known.picks}
	case "pct-seed":
		return &pct{seeded: only(p.seed), depth: p.depth, picks: p.picks}
	}
	return &repeat{trace: p.trace}
}

// again returns the text of a plan that repeats the last execution of s.
func again(s sched.Strategy, trace []byte) string {
	switch s := s.(type) {
	case *walk:
		return fmt.Sprintf("walk,%#x", s.seed)
	case *pct:
		return fmt.Sprintf("pct,%d,%d,%#x", s.depth, s.picks, s.seed)
	}
	return "trace," + traceText(trace)
}
