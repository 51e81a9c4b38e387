//go:build custody_explore && !race

package fuzz_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// subject is a container in some states, and its operations. An operation that would wait in a
// state commutes with none there.
type subject[C any] struct {
	name   string
	states map[string]func() C
	ops    []operation[C]
	dump   func(c C) string // what is in the container
	dense  []string         // states in which keys lie close together
	roles  map[string]role  // the role of a goroutine that calls an operation; anyone if not named
	other  func(c C) C      // what the second goroutine has of the container; nil: the same
	end    func(c C)        // called when c is not used any more, outside of executions; may be nil
	model  sequential[C]    // decides what commutes; nil: what the container does decides
	finer  bool             // the container keeps more than the model does, so that dump decides, too
}

// operation does something to a container and returns its answer.
type operation[C any] struct {
	name string
	do   func(c C) any
}

// answer does the operation, and returns its answer. A violation is one.
func (o operation[C]) answer(c C) (answer any) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *safety.Violation:
			answer = r
		default:
			panic(r)
		}
	}()
	return o.do(c)
}

// disposed is the operation that ends a container.
func disposed[C interface{ Dispose() }]() operation[C] {
	return operation[C]{"Dispose", func(c C) any { c.Dispose(); return nil }}
}

// called are operations that call a method without arguments. The view that it returns is no
// answer.
func called[C any](methods ...string) (ops []operation[C]) {
	for _, name := range methods {
		ops = append(ops, operation[C]{name, func(c C) any { reflect.ValueOf(c).MethodByName(name).Call(nil); return nil }})
	}
	return ops
}

// errWaits is the answer of an operation that would wait.
var errWaits = errors.New("the operation waits")

// role says which goroutine may call an operation.
type role int

const (
	anyone   role = iota // any goroutine at any time
	producer             // one goroutine at a time, at this end
	consumer
	reader // the owner, several goroutines at a time
	owner  // the owner, one goroutine at a time
)

// beside reports whether one goroutine may be in one role while another one is in the other.
func (r role) beside(o role) bool {
	switch {
	case r == anyone || o == anyone || r == reader && o == reader:
		return true
	}
	return r != o && max(r, o) < reader
}

// Operations conflict if they meet in each of so many containers: two keys may lie side by side by
// chance, which is likely in a dense state.
const tries, triesIfDense = 25, 50

// meeting is two operations that commute in a state of a container, and where they conflict.
type meeting struct {
	of                     reflect.Type // of the container, and what goes with it
	container, state, a, b string
	at                     []explore.Conflict
}

func (m meeting) String() string {
	return strings.Join([]string{m.container, m.state, m.a, m.b}, "\t")
}

// second returns what the second of two goroutines has.
func (s *subject[C]) second(c C) C {
	if s.other == nil {
		return c
	}
	return s.other(c)
}

// commute reports whether two operations give the same answers in either order, and leave the same.
// A model decides what is the same, and refuses answers that it would not give.
func (s *subject[C]) commute(t *testing.T, state string, a, b operation[C]) bool {
	t.Helper()
	one, other := s.states[state](), s.states[state]()
	after := func(...answered[C]) (string, error) { return "", nil }
	if s.model != nil {
		after = s.model(one)
	}
	a1 := answered[C]{one, a.name, a.answer(one)}
	b1 := answered[C]{s.second(one), b.name, b.answer(s.second(one))}
	b2 := answered[C]{s.second(other), b.name, b.answer(s.second(other))}
	a2 := answered[C]{other, a.name, a.answer(other)}
	answers := fmt.Sprint(a1.answer, b1.answer)
	same := answers == fmt.Sprint(a2.answer, b2.answer) && !strings.Contains(answers, errWaits.Error())
	alike := s.left(one) == s.left(other)
	x, err := after(a1, b1)
	require.NoError(t, err, "%s, %s: %s, %s", s.name, state, a.name, b.name)
	y, err := after(b2, a2)
	require.NoError(t, err, "%s, %s: %s, %s", s.name, state, b.name, a.name)
	if same && x != "" && !(s.finer && !alike) {
		require.Equal(t, x == y, alike, "%s, %s: %s, %s: the orders leave %s and %s", s.name, state, a.name, b.name, x, y)
	}
	return same && alike
}

// left returns what is in a container that operations have left, or why that cannot be read.
func (s *subject[C]) left(c C) string {
	return fmt.Sprint(operation[C]{do: func(c C) any { return s.dump(c) }}.answer(c))
}

// meetings returns the pairs of operations that commute.
func (s *subject[C]) meetings(t *testing.T) (all []meeting) {
	t.Helper()
	for _, state := range slices.Sorted(maps.Keys(s.states)) {
		all = append(all, s.meetingsIn(t, state)...)
	}
	return all
}

func (s *subject[C]) meetingsIn(t *testing.T, state string) (all []meeting) {
	t.Helper()
	fresh := s.states[state]
	of := reflect.TypeOf(fresh())
	var pairs [][2]operation[C]
	for i, a := range s.ops {
		for _, b := range s.ops[i:] {
			if s.roles[a.name].beside(s.roles[b.name]) && s.commute(t, state, a, b) {
				pairs = append(pairs, [2]operation[C]{a, b})
				all = append(all, meeting{of: of, container: s.name, state: state, a: min(a.name, b.name), b: max(a.name, b.name)})
			}
		}
	}
	n := tries
	if slices.Contains(s.dense, state) {
		n = triesIfDense
	}
	var used []C
	found, err := explore.Conflicts(len(pairs), n, func(i int) (a, b func()) {
		c := fresh()
		if s.end != nil {
			used = append(used, c)
		}
		return func() { pairs[i][0].answer(c) }, func() { pairs[i][1].answer(s.second(c)) }
	})
	for _, c := range used {
		s.end(c)
	}
	require.NoError(t, err, s.name)
	for i := range all {
		all[i].at = found[i]
	}
	return all
}

// conflictsFile lists operations that commute and meet all the same, with the reason. A line is
// about containers in states, or in all, and about operations: each of the third column with each
// of the fourth. Where two of these commute they conflict. Of others the line says nothing.
const conflictsFile = "testdata/conflicts.tsv"

// known returns the meetings for which a reason is listed. A line of which a part is about none of
// the meetings is an error.
func known(t *testing.T, all []meeting) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(conflictsFile)
	require.NoError(t, err)
	commute := map[string]bool{}
	states := map[string][]string{}
	for _, m := range all {
		commute[m.String()] = true
		if !slices.Contains(states[m.container], m.state) {
			states[m.container] = append(states[m.container], m.state)
		}
	}
	reasons := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		field := strings.Split(line, "\t")
		require.Len(t, field, 5, line)
		require.NotEmpty(t, field[4], line)
		parts := [4][]string{}
		about := [4]map[string]bool{}
		for i := range parts {
			parts[i], about[i] = strings.Split(field[i], ", "), map[string]bool{}
		}
		for _, container := range parts[0] {
			in := parts[1]
			if field[1] == "*" {
				in = states[container]
			}
			for _, state := range in {
				for _, x := range parts[2] {
					for _, y := range parts[3] {
						m := meeting{container: container, state: state, a: min(x, y), b: max(x, y)}.String()
						if !commute[m] {
							continue
						}
						reasons[m] = true
						about[0][container], about[1][state], about[2][x], about[3][y] = true, true, true, true
					}
				}
			}
		}
		for i, part := range parts {
			for _, p := range part {
				if p != "*" && !about[i][p] {
					t.Errorf("a line about %s has no two operations that commute: %s", p, line)
				}
			}
		}
	}
	return reasons
}

// Operations that commute use no cache line together that one of them changes, except for those
// that are listed with a reason.
func TestCommutingOperationsDoNotConflict(t *testing.T) {
	machine(t)
	all := slices.Concat(ofQueues(t), ofCounters(t), ofMaps(t), ofOwners(t), ofJobs(t))
	covered(t, all)
	reasons := known(t, all)
	containers := map[string]bool{}
	free := 0
	for _, m := range all {
		containers[m.container] = true
		if len(m.at) == 0 {
			free++
		}
		switch {
		case len(m.at) > 0 && !reasons[m.String()]:
			t.Errorf("operations that commute meet at a cache line, and no reason is listed: %v: %v", m, m.at)
		case len(m.at) == 0 && reasons[m.String()]:
			t.Errorf("a conflict is listed that there is none of any more: %v", m)
		}
	}
	t.Logf("%d pairs of operations of %d containers and views commute, %d of them without a conflict", len(all), len(containers), free)
	page, err := os.ReadFile("../docs/scaling.md")
	require.NoError(t, err)
	require.Contains(t, strings.Join(strings.Fields(string(page)), " "), fmt.Sprintf("of %d containers and views. Of those that commute %d have none, and %d one that is", len(containers), free, len(all)-free))
}
