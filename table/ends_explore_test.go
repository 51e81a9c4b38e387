//go:build custody_explore

package table_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// A request beside Dispose is staged before it or is refused. After Dispose every request is
// refused.
func TestExploreTheEndOfATable(t *testing.T) {
	ends := map[string]func(s *stall){
		"Dispose": func(s *stall) { s.a.t.Dispose() },
		"Close": func(s *stall) {
			table.NewPipeline(s.a.t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }}).Close()
		},
	}
	back := func(s *stall, task int) { table.Transfer(s.b.t, table.ID{}, s.a.t) }
	tasks := [][]act{{add(10), removeKey(1), transfer(0)}, {back, addAll(20), removeKey(3)}}
	for name, end := range ends {
		for _, of := range stalls {
			if !of.keyed {
				continue
			}
			t.Run(name+", "+of.name, func(t *testing.T) {
				k := staging{tasks: tasks}
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					s := k.fresh(true, of.opts)
					errs := make([][]error, len(tasks))
					for task, acts := range tasks {
						p.Go(fmt.Sprint("task ", task), func() {
							for _, do := range acts {
								errs[task] = append(errs[task], lawtest.Failure(func() error { do(s, task); return nil }))
							}
						})
					}
					p.Go("end", func() { end(s) })
					var late []error
					p.Then(func() {
						for _, do := range slices.Concat(tasks...) {
							late = append(late, lawtest.Failure(func() error { do(s, 0); return nil }))
						}
						s.b.t.Apply()
					})
					p.Judge(func() error {
						for _, told := range append(errs, late) {
							ended := false
							for _, err := range told {
								if err != nil && !errors.Is(err, safety.ErrDisposed) || err == nil && ended {
									return fmt.Errorf("the tasks were told %v, and then %v", errs, late)
								}
								ended = err != nil
							}
						}
						if late[0] == nil {
							return errors.New("a table that has ended takes requests")
						}
						return nil
					})
				}, explore.Exhaustive(1, 50_000), explore.PCT(3, 2000), explore.Random(2000))
			})
		}
	}
}
