package fuzz_test

import (
	"slices"

	"example.com/custody/safety"
)

// together is the table of modes that need no order.
func together(a, b safety.Mode) bool {
	return a == safety.Read && b == safety.Read || a == safety.Shared && b == safety.Shared
}

// chain returns the jobs that are before one that runs after the given ones.
func chain(after []*ledgerJob) map[*ledgerJob]bool {
	in := map[*ledgerJob]bool{}
	todo := slices.Clone(after)
	for len(todo) > 0 {
		j := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !in[j] {
			in[j] = true
			todo = append(todo, j.after...)
		}
	}
	return in
}

// excluded returns the jobs that hold the container in a mode that does not go together with m.
func (l *ledger) excluded(on *held, goes func(m safety.Mode) bool) (by []*ledgerJob) {
	for _, j := range l.jobs {
		for _, c := range j.claims {
			if !j.returned && c.on == on && !goes(c.mode) {
				by = append(by, j)
				break
			}
		}
	}
	return by
}

// broken returns the rules that a schedule breaks, and the jobs it conflicts with.
func (l *ledger) broken(claims []claim, after []*ledgerJob, loop bool) (broken kinds, others []*ledgerJob) {
	before := chain(after)
	for k, c := range claims {
		if c.on.disposed {
			broken.add(safety.ErrDisposed)
		}
		if c.mode == safety.Write && loop && c.on.array == nil {
			broken.add(safety.ErrNoRange)
		}
		for _, d := range claims[:k] {
			if d.on == c.on && (d.mode != c.mode || c.mode == safety.Write) {
				broken.add(safety.ErrAliased)
			}
		}
		for _, j := range l.excluded(c.on, func(m safety.Mode) bool { return together(m, c.mode) }) {
			if !before[j] {
				others = append(others, j)
			}
		}
	}
	if len(others) > 0 {
		broken.add(safety.ErrConflict)
	}
	return broken, others
}

func named(jobs []*ledgerJob, name string) bool {
	return slices.ContainsFunc(jobs, func(j *ledgerJob) bool { return j.name == name })
}
