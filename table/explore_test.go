//go:build custody_explore

package table_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// searching is how much of a scenario is run.
func searching() []explore.Plan {
	return append(explore.Guarantees(), explore.Exhaustive(1, 20_000), explore.PCT(2, 1000), explore.PCT(3, 5000), explore.Random(5000))
}

// staging is a table of things, and all that its Applies have said.
type staging struct {
	t    *table.Table[thing]
	at   *table.Column[[3]int32]
	key  *table.Key[int]
	said table.Report
}

func newStaging(keys []int, opts ...table.Option) *staging {
	s := &staging{t: table.New[thing](opts...)}
	s.at = table.ColumnOf(s.t, func(r *thing) *[3]int32 { return &r.At })
	s.key = table.KeyOf(s.t, func(r *thing) *int { return &r.Key })
	for _, k := range keys {
		s.t.Add(thingOf(k))
	}
	s.t.Apply()
	return s
}

func (s *staging) id(key int) table.ID {
	id, _ := s.key.Find(key)
	return id
}

// apply applies what is staged, and remembers what is said.
func (s *staging) apply() {
	r := s.t.Apply()
	s.said.Added += r.Added
	s.said.Removed += r.Removed
	s.said.CalledOff += r.CalledOff
	s.said.Problems = append(s.said.Problems, r.Problems...)
}

// holds says whether the table has rows of these keys and no others, in all its parts, and has said this.
func (s *staging) holds(keys []int, added, removed, calledOff int, problems ...error) error {
	var have []int
	for row := range s.t.Len() {
		k := s.key.At(row)
		if id := s.id(k); id != s.t.ID(row) || s.at.At(row) != thingOf(k).At {
			return fmt.Errorf("row %d of key %d is in disorder", row, k)
		} else if at, ok := s.t.Row(id); !ok || at != row {
			return fmt.Errorf("%v is row %d, %t, and not %d", id, at, ok, row)
		}
		have = append(have, k)
	}
	slices.Sort(have)
	if !slices.Equal(have, keys) {
		return fmt.Errorf("keys are %v, not %v", have, keys)
	}
	if said := [3]int{s.said.Added, s.said.Removed, s.said.CalledOff}; said != [3]int{added, removed, calledOff} {
		return fmt.Errorf("it was said that %v were added, removed and called off", said)
	}
	if len(s.said.Problems) != len(problems) {
		return fmt.Errorf("problems: %v", s.said.Problems)
	}
	for i, p := range s.said.Problems {
		if problems[i] != nil && !errors.Is(p, problems[i]) {
			return fmt.Errorf("problem %v", p)
		}
	}
	return nil
}

// What is staged while others apply takes place once, in that Apply or the next.
func TestExploreStaging(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		s := newStaging([]int{1, 2})
		first := s.id(1)
		ids := make([]table.ID, 3)
		p.Go("stages", func() {
			ids[0] = s.t.Add(thingOf(3))
			s.t.Remove(first)
		})
		p.Go("by keys", func() {
			s.key.Remove(2)
			ids[1] = s.t.Add(thingOf(2))
		})
		p.Go("together", func() {
			ids[2] = s.t.AddAll([]thing{thingOf(4)}, nil)[0]
			s.t.RemoveAll(ids[2:])
		})
		p.Go("applies", func() { s.apply(); s.apply() })
		p.Then(s.apply)
		p.Judge(func() error {
			if ids[0] == ids[1] || ids[1] == ids[2] || ids[0] == ids[2] && s.said.CalledOff == 1 {
				return fmt.Errorf("names are %v", ids)
			}
			off := s.said.CalledOff // of key 4, which has come and gone if its two requests were apart
			if off > 1 {
				return fmt.Errorf("%d were called off", off)
			}
			return s.holds([]int{2, 3}, 2+1-off, 2+1-off, off)
		})
	}, searching()...)
}

// A row that two remove goes once, and one of them is told.
func TestExploreRemovingTwice(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		s := newStaging([]int{1, 2, 3})
		id := s.id(1)
		p.Go("by name", func() { s.t.Remove(id) })
		p.Go("by key", func() { s.key.Remove(1) })
		p.Go("applies", func() { s.apply(); s.t.Add(thingOf(4)); s.apply() })
		p.Then(s.apply)
		p.Judge(func() error {
			err := s.holds([]int{2, 3, 4}, 1, 1, 0, nil)
			if err == nil && !errors.Is(s.said.Problems[0], table.ErrTwice) && !errors.Is(s.said.Problems[0], table.ErrNoRow) {
				return s.said.Problems[0]
			}
			return err
		})
	}, searching()...)
}

// A row on its way to another table is in one of them, or staged, and arrives once under the name that it was promised.
func TestExploreTransfer(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		from, to := newStaging([]int{1, 2}), newStaging([]int{9})
		old := from.id(1)
		var id, added table.ID
		p.Go("sends", func() { id = table.Transfer(from.t, old, to.t) })
		p.Go("applies", from.apply)
		p.Go("applies there", to.apply)
		p.Go("adds there", func() { added = to.t.Add(thingOf(5)) })
		p.Then(func() { from.apply(); to.apply() })
		p.Judge(func() error {
			if id == added || to.id(1) != id || to.id(5) != added {
				return fmt.Errorf("names are %v and %v, and were to be %v and %v", to.id(1), to.id(5), id, added)
			}
			if err := from.holds([]int{2}, 0, 1, 0); err != nil {
				return err
			}
			return to.holds([]int{1, 5, 9}, 2, 0, 0)
		})
	}, searching()...)
}

// A table of fixed places gives each of them once, and tells who found none.
func TestExploreFixedPlaces(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		tab := table.New[thing](table.Fixed(1))
		at := table.ColumnOf(tab, func(r *thing) *[3]int32 { return &r.At })
		added, problems := 0, 0
		var ids [2]table.ID
		apply := func() {
			r := tab.Apply()
			added += r.Added
			for _, p := range r.Problems {
				if !errors.Is(p, table.ErrFull) {
					panic(p)
				}
				problems++
			}
		}
		for i := range 2 {
			p.Go(fmt.Sprint("adds ", i), func() { ids[i] = tab.Add(thingOf(i)) })
		}
		p.Go("applies", apply)
		p.Then(apply)
		p.Judge(func() error {
			if added != 1 || problems != 1 || tab.Count() != 1 || ids[0] == ids[1] {
				return fmt.Errorf("%d added, %d problems, %d rows, names %v", added, problems, tab.Count(), ids)
			}
			for i, id := range ids {
				if row, ok := tab.Row(id); ok && (row != 0 || at.At(0) != thingOf(i).At) {
					return fmt.Errorf("row %d is %v", row, at.At(0))
				}
			}
			return nil
		})
	}, searching()...)
}

// Whoever stages while the table ends has staged, or is told that it has ended; nothing else happens.
func TestExploreStagingWhileTheTableEnds(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		s := newStaging([]int{1})
		id := s.id(1)
		var failed [2]error
		attempt := func(f func()) error { return lawtest.Failure(func() error { f(); return nil }) }
		p.Go("adds", func() { failed[0] = attempt(func() { s.t.Add(thingOf(2)) }) })
		p.Go("removes", func() { failed[1] = attempt(func() { s.t.Remove(id); s.key.Remove(1) }) })
		p.Go("ends", s.t.Dispose)
		p.Judge(func() error {
			for _, err := range failed {
				if err != nil && !errors.Is(err, safety.ErrDisposed) {
					return err
				}
			}
			if err := attempt(func() { s.t.Add(thingOf(3)) }); !errors.Is(err, safety.ErrDisposed) {
				return fmt.Errorf("staged after the end: %v", err)
			}
			return nil
		})
	}, searching()...)
}
