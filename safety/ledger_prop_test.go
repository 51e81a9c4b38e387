package safety_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// modelGuards is how many containers the jobs of the model fight for: few, so that they do.
const modelGuards = 3

// modelJob is what the model knows of a job that was scheduled.
type modelJob struct {
	ticket   *safety.Ticket
	after    map[int]bool // all jobs that it runs after, at any distance
	modes    [modelGuards]safety.Mode
	returned bool
}

// model is the rules of custody, written down plainly: a job is refused when a job that was not
// returned, and that it does not run after, holds one of its containers in a mode that does not go
// together with its own; a job is returned when it is, or one that runs after it; an ordinary use
// is refused while a job that was not returned excludes it.
type model struct {
	stacks [modelGuards]*stack
	jobs   []*modelJob
}

func newModel() *model {
	m := new(model)
	for g := range m.stacks {
		m.stacks[g] = newStack(3, safety.Named(strconv.Itoa(g)))
	}
	return m
}

// rivals returns the jobs for which a new one with these modes, after these jobs, is refused.
func (m *model) rivals(modes [modelGuards]safety.Mode, after map[int]bool) (rivals []int) {
	for i, j := range m.jobs {
		for g, a := range modes {
			b := j.modes[g]
			together := a == b && (a == safety.Read || a == safety.Shared)
			if a != 0 && b != 0 && !together && !j.returned && !after[i] {
				rivals = append(rivals, i)
				break
			}
		}
	}
	return rivals
}

// reach adds job i, and what it runs after, to the set.
func (m *model) reach(set map[int]bool, i int) {
	set[i] = true
	for k := range m.jobs[i].after {
		set[k] = true
	}
}

// open schedules a random job and says where the ledger and the model differ.
func (m *model) open(r *rand.Rand) string {
	var want [modelGuards]safety.Mode
	for g := range want {
		if r.IntN(3) > 0 {
			want[g] = modes[r.IntN(len(modes))]
		}
	}
	var deps []int
	set := map[int]bool{}
	add := func(i int) {
		deps = append(deps, i)
		m.reach(set, i)
	}
	for range r.IntN(3) {
		if n := len(m.jobs); n > 0 {
			add(n - 1 - r.IntN(min(n, 6)))
		}
	}
	if r.IntN(3) > 0 { // try to be admitted
		for rivals := m.rivals(want, set); len(rivals) > 0 && r.IntN(8) > 0; rivals = m.rivals(want, set) {
			add(rivals[len(rivals)-1-r.IntN(min(len(rivals), 2))])
		}
	}
	name := strconv.Itoa(len(m.jobs))
	t := new(safety.Ticket)
	t.Reset(name, safety.Caller(0))
	twice := r.IntN(4) == 0
	aliased := false
	for _, g := range r.Perm(modelGuards) {
		if want[g] == 0 {
			continue
		}
		t.Claim(m.stacks[g].claim(want[g], "f"+strconv.Itoa(g)))
		if twice {
			t.Claim(m.stacks[g].claim(want[g], "f"+strconv.Itoa(g)))
			aliased = aliased || want[g] == safety.Write
		}
	}
	for _, d := range deps {
		t.After(m.jobs[d].ticket)
	}
	rivals := m.rivals(want, set)
	switch v := t.Open(safety.CurrentScope(), 0, true); {
	case aliased:
		if v == nil || !errors.Is(v, safety.ErrAliased) && !errors.Is(v, safety.ErrNoRange) {
			return fmt.Sprintf("job %s holds one container twice to write it, and got %v", name, v)
		}
	case v == nil && len(rivals) > 0:
		return fmt.Sprintf("job %s %v after %v was admitted beside %v", name, want, deps, rivals)
	case v != nil && len(rivals) == 0:
		return fmt.Sprintf("job %s %v after %v was refused: %v", name, want, deps, v)
	case v != nil:
		return m.judge(v, name, want, rivals)
	default:
		m.jobs = append(m.jobs, &modelJob{ticket: finished(t), after: set, modes: want})
	}
	return ""
}

// judge says what is wrong with the violation of a refused job.
func (m *model) judge(v *safety.Violation, name string, want [modelGuards]safety.Mode, rivals []int) string {
	other, err := strconv.Atoi(v.OtherJob)
	g := slices.Index([]string{"f0", "f1", "f2"}, v.Field)
	if !errors.Is(v, safety.ErrConflict) || err != nil || !slices.Contains(rivals, other) || g < 0 || v.OtherField != v.Field || v.Job != name ||
		v.Container != m.stacks[g].guard.Container() || want[g] == 0 || m.jobs[other].modes[g] == 0 {
		return fmt.Sprintf("job %s %v is refused for %v, and the violation says %+v", name, want, rivals, v)
	}
	return ""
}

// giveBack completes a random job.
func (m *model) giveBack(r *rand.Rand) {
	if len(m.jobs) == 0 {
		return
	}
	i := r.IntN(len(m.jobs))
	m.jobs[i].ticket.Return()
	m.jobs[i].returned = true
	for k := range m.jobs[i].after {
		m.jobs[k].returned = true
	}
}

// differs says where the state of the tickets, and of some containers, differs from the model's.
func (m *model) differs(containers ...int) string {
	for i, j := range m.jobs {
		if j.ticket.Returned() != j.returned {
			return fmt.Sprintf("job %d: returned is %v", i, j.ticket.Returned())
		}
	}
	checks := [...]func(*safety.Guard){
		(*safety.Guard).CheckRead, (*safety.Guard).CheckWrite, (*safety.Guard).CheckShared, (*safety.Guard).CheckAppend, (*safety.Guard).CheckExists,
	}
	for _, g := range containers {
		s := m.stacks[g]
		for k, check := range checks {
			var holders []string
			for i, j := range m.jobs {
				if !j.returned && slices.Contains(uses[k].excluded, j.modes[g]) {
					holders = append(holders, strconv.Itoa(i))
				}
			}
			err := lawtest.Failure(func() error { check(&s.guard); return nil })
			var v *safety.Violation
			switch {
			case err == nil && len(holders) > 0:
				return fmt.Sprintf("container %d may be %s, although jobs %v exclude it", g, uses[k].op, holders)
			case err == nil:
			case !errors.As(err, &v) || !errors.Is(v, safety.ErrInFlight) || !slices.Contains(holders, v.OtherJob):
				return fmt.Sprintf("container %d may not be %s: jobs %v exclude it, and %v is reported", g, uses[k].op, holders, err)
			}
		}
		may := func(f func()) bool { return lawtest.Failure(func() error { f(); return nil }) == nil }
		if want := may(s.guard.CheckRead) || may(s.guard.CheckShared); may(s.guard.CheckLook) != want {
			return fmt.Sprintf("container %d may be looked at: %v, and read or shared: %v", g, !want, want)
		}
	}
	return ""
}

// run carries out one command for each number, and returns the first difference.
func (m *model) run(commands []uint64) string {
	for step, c := range commands {
		r := rand.New(rand.NewPCG(c, 0))
		wrong := ""
		if r.IntN(5) < 4 {
			wrong = m.open(r)
		} else {
			m.giveBack(r)
		}
		if wrong == "" {
			wrong = m.differs(step % modelGuards)
		}
		if wrong != "" {
			return fmt.Sprintf("step %d: %s", step, wrong)
		}
	}
	for _, j := range m.jobs {
		j.ticket.Return()
		j.returned = true
	}
	return m.differs(0, 1, 2)
}

// For random jobs with random modes over a few containers, in random order after each other and
// completed in random order, the ledger admits and refuses what the model does, and so do the
// containers.
func TestLedgerEqualsTheModel(t *testing.T) {
	lawtest.CheckedOnly(t)
	parameters := lawtest.Parameters(t, 1500)
	parameters.MaxSize = 60
	properties := gopter.NewProperties(parameters)
	properties.Property("the ledger equals the model", prop.ForAll(
		func(commands []uint64) string { return newModel().run(commands) },
		gen.SliceOf(gen.UInt64())))
	properties.TestingRun(t)
}

// The model's rounds do what they are meant to: about as many jobs are refused as admitted, and
// chains form.
func TestModelMeetsTheCasesItIsFor(t *testing.T) {
	lawtest.CheckedOnly(t)
	r := lawtest.Rand(t)
	admitted, deep := 0, 0
	const tries = 300
	m := newModel()
	for i := range tries {
		if wrong := m.open(r); wrong != "" {
			t.Fatal(wrong)
		}
		if i%5 == 4 {
			m.giveBack(r)
		}
	}
	for _, j := range m.jobs {
		admitted++
		if len(j.after) > 5 {
			deep++
		}
	}
	if admitted < tries/10 || admitted > tries*9/10 || deep < admitted/10 {
		t.Errorf("of %d jobs %d were admitted, %d of them at the end of chains", tries, admitted, deep)
	}
}
