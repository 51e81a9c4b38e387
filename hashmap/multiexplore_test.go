//go:build custody_explore

package hashmap

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
)

// smallest are the sizes of multimaps in the explorer: two locks, so that keys come between.
var smallest = multiSizes{stripes: 2, part: 1, few: 0, gone: 0}

// A job changes all values in place while goroutines add, delete and look. Their operations come
// before the job or after it, or are refused. So none sees half of the job, and all of it is done.
func TestExploreMultiMapWriterBesideOrdinaryUse(t *testing.T) {
	const changed = 100
	explore.Run(t, explore.Options{}, func(x *explore.Program) {
		m := multi[int, int](smallest, nil)
		m.AddAll(1, []int{1, 2, 3}) // there is no room for another one: it moves them
		w := m.Writer()
		var wrong [4]error
		var turns atom.Uint32
		changes, added := 0, 0
		x.Go("job", func() {
			wrong[0] = lawtest.Held(&w, 1, func() {
				for _, x := range m.in.order.keys {
					_, at := m.in.at(x.ref)
					vals := *(*[]int)(ref(at))
					for i := range vals {
						turns.Add(1) // others may go on here
						vals[i] += changed
						changes++
					}
				}
			})
		})
		x.Go("adds", func() {
			wrong[1] = attempt(func() { m.Add(1, 4); added++ })
			wrong[1] = errors.Join(wrong[1], attempt(func() { m.Add(2, 5); added++ }))
		})
		x.Go("looks", func() {
			wrong[2] = attempt(func() {
				vals := m.Values(1)
				if len(vals) > 1 && vals[0]/changed != vals[1]/changed {
					wrong[3] = fmt.Errorf("half of a change: %v", vals)
				}
				for k, vals := range m.Groups() {
					if k == 1 && len(vals) > 1 && vals[0]/changed != vals[1]/changed {
						wrong[3] = fmt.Errorf("half of a change: %v", vals)
					}
				}
			})
		})
		x.Judge(func() error {
			if err := errors.Join(wrong[:]...); err != nil {
				return err
			}
			times := 0
			for _, v := range m.All() {
				times += v / changed
			}
			if times != changes || m.Len() != 3+added {
				return fmt.Errorf("%d values say that they were changed %d times, of %d; %d were added", m.Len(), times, changes, added)
			}
			return nil
		})
	}, searching(3000)...)
}

// Iterations beside keys that come and go: a key that stays comes once, no other twice, in order,
// whatever is purged meanwhile.
func TestExploreMultiMapIteration(t *testing.T) {
	explore.Run(t, explore.Options{}, func(x *explore.Program) {
		m := multi[int, int](smallest, nil)
		for k := range 4 {
			m.Add(k, k)
		}
		m.Delete(1)
		var got []int
		x.Go("iterates", func() {
			for k, vals := range m.Groups() {
				if len(vals) == 0 {
					panic("a key without values")
				}
				got = append(got, k)
			}
		})
		x.Go("deletes", func() {
			m.Delete(2)
			m.Add(5, 5)
			m.Delete(5)
		})
		x.Go("adds", func() {
			m.Add(1, 1)
			m.Add(0, 9)
		})
		x.Judge(func() error {
			at0, at3 := slices.Index(got, 0), slices.Index(got, 3)
			if at0 != 0 || at3 < 1 {
				return fmt.Errorf("keys 0 and 3 stay, and the keys came as %v", got)
			}
			sorted := slices.Clone(got)
			slices.Sort(sorted)
			if len(slices.Compact(sorted)) != len(got) {
				return fmt.Errorf("a key came twice: %v", got)
			}
			got = got[:0]
			for k := range m.Groups() {
				got = append(got, k)
			}
			if !slices.Equal(got, []int{0, 3, 1}) {
				return fmt.Errorf("the keys are %v", got)
			}
			return nil
		})
	}, searching(3000)...)
}

// All values of a key are replaced, deleted or added to at one moment.
func TestExploreMultiMapMoments(t *testing.T) {
	explore.Run(t, explore.Options{}, func(x *explore.Program) {
		m := multi[int, int](smallest, same{})
		m.AddAll(1, []int{1, 1})
		m.Add(2, 0)
		var wrong error
		had := 0
		x.Go("replaces", func() { m.Replace(1, []int{2, 2, 2}) })
		x.Go("adds", func() { m.AddAll(1, []int{3, 3}) })
		x.Go("deletes", func() {
			had = m.Delete(1)
			m.Clear()
		})
		x.Go("looks", func() {
			vals := m.Values(1)
			seen := map[int]int{}
			for _, v := range vals {
				seen[v]++
			}
			if n := m.Len(); n < 0 || seen[1]%2 != 0 || seen[2]%3 != 0 || seen[3]%2 != 0 {
				wrong = fmt.Errorf("half of an operation: %v", vals)
			}
		})
		x.Judge(func() error {
			if n := m.Count(1); had > 5 || n > 5 || m.Len() != n {
				return fmt.Errorf("%d values were deleted, %d are there", had, n)
			}
			return wrong
		})
	}, searching(3000)...)
}
