//go:build custody_explore

package table_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// Of two owners' calls that are not ordered, each takes effect as if it were alone, or is refused.
// Afterwards the table is whole, or disposed.
func TestExploreCallsBesideEachOther(t *testing.T) {
	type owner struct {
		name string
		do   func(p *purse, frames *table.Pipeline)
	}
	apply := owner{"Apply", func(p *purse, _ *table.Pipeline) { p.t.Apply() }}
	dispose := owner{"Dispose", func(p *purse, _ *table.Pipeline) { p.t.Dispose() }}
	closes := owner{"Close", func(_ *purse, frames *table.Pipeline) { frames.Close() }}
	loop := owner{"a loop", func(p *purse, _ *table.Pipeline) {
		l := p.t.Lookup()
		if err := lawtest.Held(&l, 1, func() { each2(p.t.All()) }); err != nil {
			panic(err)
		}
	}}
	tag := owner{"Tag", func(p *purse, _ *table.Pipeline) { p.t.Tag(table.NewTag("x")) }}
	for _, pair := range [][2]owner{{dispose, dispose}, {dispose, apply}, {dispose, loop}, {closes, closes}, {closes, dispose}, {apply, apply}, {apply, loop}, {apply, tag}} {
		for _, opts := range [][]table.Option{nil, {table.Fixed(4)}} {
			t.Run(fmt.Sprint(pair[0].name, ", ", pair[1].name, ", ", len(opts)), func(t *testing.T) {
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					s := newPurse(true, opts...)
					frames := table.NewPipeline(s.t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }})
					s.t.AddAll([]coin{{0, 0}, {1, 1}, {2, 2}}, nil)
					s.t.Apply()
					s.t.Remove(s.t.ID(0))
					s.t.Add(coin{3, 3})
					told := make([]error, 2)
					for k, o := range pair {
						p.Go(o.name, func() { told[k] = lawtest.Failure(func() error { o.do(s, frames); return nil }) })
					}
					var left error
					count := 3
					p.Then(func() {
						if s.t.Disposed() || pair[1].name == "a loop" && told[1] != nil { // the refused job still holds it
							return
						}
						left = lawtest.Failure(func() error {
							s.t.Apply()
							count = 0
							for id, c := range s.t.All() {
								if found, ok := s.keys.Find(c.Key); !ok || found != id || c.Key != c.Number {
									return fmt.Errorf("row %v is %v, and its key that of %v", id, c, found)
								}
								count++
							}
							return nil
						})
					})
					p.Judge(func() error {
						if told[0] != nil && told[1] != nil && pair[1].name != "a loop" {
							return fmt.Errorf("both are refused: %v", told)
						}
						for _, err := range told {
							if err != nil && !errors.Is(err, safety.ErrConflict) && !errors.Is(err, safety.ErrDisposed) && !errors.Is(err, safety.ErrInFlight) {
								return err
							}
						}
						if pair[0].name == "Dispose" && pair[1].name == "Dispose" && (told[0] == nil) == (told[1] == nil) {
							return fmt.Errorf("the two are told %v", told)
						}
						if !s.t.Disposed() && left == nil && count != 3 {
							return fmt.Errorf("%d rows are left", count)
						}
						return left
					})
				}, explore.Exhaustive(2, 20_000), explore.PCT(3, 500), explore.Random(500))
			})
		}
	}
}

// A loop runs if it was scheduled before a call of the owner, also if it begins while that call is
// refused, or waits for the loop.
func TestExploreALoopThatBeginsLate(t *testing.T) {
	for name, do := range map[string]func(p *purse, frames *table.Pipeline){
		"Apply":   func(p *purse, _ *table.Pipeline) { p.t.Apply() },
		"Dispose": func(p *purse, _ *table.Pipeline) { p.t.Dispose() },
		"Tag":     func(p *purse, _ *table.Pipeline) { p.t.Tag(table.NewTag("x")) },
		"Finish":  func(_ *purse, frames *table.Pipeline) { frames.Finish() },
		"Step":    func(_ *purse, frames *table.Pipeline) { frames.Step() },
	} {
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				s := newPurse(true)
				s.t.Add(coin{})
				frames := table.NewPipeline(s.t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }})
				frames.Start()
				l := s.t.Lookup()
				job := new(safety.Ticket)
				job.Reset("job", 0)
				job.ClaimOf(safety.FieldOf(&l, ""))
				var refused error
				if v := job.Open(safety.CurrentScope(), 0, true); v != nil {
					refused = v
				}
				p.Go("a loop", func() {
					if err := lawtest.Failure(func() error { job.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1}); return nil }); err != nil {
						refused = err
						return
					}
					job.Seal(1, false, func(n int, f func(int)) { f(0) })
				})
				p.Go(name, func() { _ = lawtest.Failure(func() error { do(s, frames); return nil }) })
				p.Then(func() { job.Return() })
				p.Judge(func() error { return refused })
			}, explore.Exhaustive(2, 20_000), explore.PCT(3, 500))
		})
	}
}

// A Key that is made beside additions has the keys of all rows that were staged, or is refused.
func TestExploreAKeyThatIsMadeBesideAdditions(t *testing.T) {
	adds := map[string]func(s *purse){
		"Add":    func(s *purse) { s.t.Add(coin{7, 8}) },
		"AddAll": func(s *purse) { s.t.AddAll([]coin{{7, 8}}, nil) },
	}
	for name, add := range adds {
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				s := newPurse(false)
				var refused error
				p.Go("KeyOf", func() {
					refused = lawtest.Failure(func() error {
						s.keys = table.KeyOf(s.t, func(c *coin) *int { return &c.Key })
						return nil
					})
				})
				p.Go(name, func() { add(s) })
				p.Judge(func() error {
					if refused != nil && !errors.Is(refused, safety.ErrArgument) {
						return refused
					}
					if s.t.Apply(); s.t.Len() != 1 {
						return fmt.Errorf("%d rows are there", s.t.Len())
					}
					if refused == nil {
						if row, ok := s.keys.RowOf(8); !ok || row != 0 {
							return fmt.Errorf("key 8 is that of row %d, %t", row, ok)
						}
					}
					return nil
				})
			}, explore.Exhaustive(3, 20_000), explore.Random(500))
		})
	}
}
