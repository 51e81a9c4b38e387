//go:build custody_explore

package hashmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// attempt returns the violation that f panics with, as an error, unless it is one that a user of a
// map beside a job must expect.
func attempt(f func()) error {
	err := lawtest.Failure(func() error { f(); return nil })
	if errors.Is(err, safety.ErrInFlight) || errors.Is(err, safety.ErrBorrowed) {
		return nil
	}
	return err
}

// adding has a job add 10 to key 1, set key 0 to 20 and merge some numbers into key 1.
func adding[K comparable, V any](m *Map[K, V], merges []int, key func(k int) K, val func(v int) V, sum func(old, v V) V) error {
	w := m.ParallelWriter()
	return lawtest.Held(&w, 1, func() {
		op := opMerge + m.in.number(&merging{fold: func(old, v, to ref) { *(*V)(to) = sum(*(*V)(old), *(*V)(v)) }})
		l := m.in.lanes.Lane(0)
		l.BeginSpan(0)
		lanes.Append(l, nil, entry[K, V]{key: key(1), val: val(10), op: opAdd})
		lanes.Append(l, nil, entry[K, V]{key: key(0), val: val(20), op: opSet})
		for _, v := range merges {
			lanes.Append(l, nil, entry[K, V]{key: key(1), val: val(v), op: op})
		}
	})
}

// add is adding for a kind of map.
func add(m subject, few int, merges []int) error {
	sum := func(old, v int) int { return old + v }
	switch m := m.(type) {
	case *Map[int, int]:
		m.in.few = few
		return adding(m, merges, number, number, sum)
	case texts:
		m.Map.in.few = few
		return adding(m.Map, merges, strconv.Itoa, number, sum)
	case pairs:
		m.Map.in.few = few
		return adding(m.Map, merges, number, twin, func(old, v [3]int) [3]int { return twin(old[0] + v[0]) })
	}
	panic("another kind")
}

// arrange gives a map an order.
func arrange(m subject) {
	switch m := m.(type) {
	case *Map[int, int]:
		m.in.arrange()
	case texts:
		m.Map.in.arrange()
	case pairs:
		m.Map.in.arrange()
	}
}

// twice says that a key comes twice, or not at all, where it should come once.
func twice(m subject, keys ...int) error {
	var all []int
	for k := range m.All() {
		all = append(all, k)
	}
	got := slices.Clone(all)
	slices.Sort(got)
	slices.Sort(keys)
	if !slices.Equal(got, keys) || m.Len() != len(keys) {
		return fmt.Errorf("All gives %v, %d keys, not %v", all, m.Len(), keys)
	}
	return nil
}

// What slips in beside a job that adds takes effect at one moment: each key has a value that some
// order of all that was done to it gives, and is counted once.
func TestExploreMapAddedToBesideOrdinaryUse(t *testing.T) {
	many := append([]int{2, 2, 1}, make([]int, 11)...)
	for _, k := range kinds {
		// In parts, key by key (twice), and one after the other.
		for few, merges := range map[int][]int{1: {5}, 2: many, 3: many, 100: {5}} {
			for _, s := range []sizes{one, four} {
				t.Run(fmt.Sprint(k.name, ", in parts above ", few, ", tables from ", s.least), func(t *testing.T) {
					later := []int{100} // what key 1 may have if 100 was stored
					for _, v := range slices.Backward(merges) {
						later = append(later, later[len(later)-1]+v)
					}
					explore.Run(t, explore.Options{}, func(p *explore.Program) {
						m := k.fresh(s)
						m.Store(0, 1)
						want := 15
						if few == 2 {
							m.Store(1, 40)
							want = 45
						}
						var wrong [3]error
						stored, grew, deleted := false, false, 0
						p.Go("job", func() { wrong[0] = add(m, few, merges) })
						p.Go("stores", func() {
							wrong[1] = errors.Join(
								attempt(func() { m.Store(1, 100); stored = true }),
								attempt(func() { m.Store(2, 7); grew = true }))
						})
						p.Go("deletes", func() {
							wrong[2] = attempt(func() { deleted, _ = m.LoadAndDelete(0) })
						})
						p.Judge(func() error {
							zero, _ := m.Load(0)
							one, _ := m.Load(1)
							two, _ := m.Load(2)
							keys := []int{1}
							if zero != 0 {
								keys = append(keys, 0)
							}
							if grew {
								keys = append(keys, 2)
							}
							ok := one == want && !stored || stored && slices.Contains(later, one)
							ok = ok && (zero == 20) == (deleted != 20) && (deleted == 0 || deleted == 1 || deleted == 20) && grew == (two == 7)
							if !ok {
								return fmt.Errorf("0: %d, deleted as %d; 1: %d, stored %t; 2: %d", zero, deleted, one, stored, two)
							}
							return errors.Join(append(wrong[:], twice(m, keys...))...)
						})
					}, searching(800)...)
				})
			}
		}
	}
}

// A list that is made while a key is deleted does not keep the key.
func TestExploreAListKeepsNoDeletedKey(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		m := initialised[any, any](one, constants{})
		for k := range 2 {
			m.Store(k, k)
		}
		p.Go("lists", func() { m.in.index() })
		p.Go("deletes", func() { m.Delete(0) })
		p.Judge(func() error {
			o := m.in.root.Load().order.Load()
			if l := o.list.Load(); l != nil {
				for _, b := range l.boxes {
					if m.in.says(m.in.read(m.in.cellOf(b))) == gone {
						return errors.New("the list keeps a key that was deleted")
					}
				}
			}
			return nil
		})
	}, searching(800)...)
}

// An order that is looked at while keys come and go is right afterwards, and meanwhile a key that
// stays comes once.
func TestExploreMapOrderWhileKeysComeAndGo(t *testing.T) {
	for _, k := range kinds {
		for _, s := range []sizes{one, four} {
			t.Run(fmt.Sprint(k.name, ", tables from ", s.least), func(t *testing.T) {
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					m := k.fresh(s)
					m.Store(0, 1)
					m.Store(1, 1)
					arrange(m)
					var wrong [2]error
					for i := range wrong {
						p.Go(fmt.Sprint("looks ", i), func() { wrong[i] = (&player{subject: m}).look() })
					}
					p.Go("changes", func() {
						m.Store(2, 1)
						m.LoadAndDelete(1)
					})
					p.Judge(func() error { return errors.Join(append(wrong[:], twice(m, 0, 2))...) })
				}, searching(800)...)
			})
		}
	}
}

// Keys with equal hashes that meet at one slot have their own ages: two that come, and one that is
// moved there.
func TestExploreMapAgesOfEqualHashes(t *testing.T) {
	for _, moves := range []bool{false, true} {
		t.Run(fmt.Sprint("one is moved ", moves), func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				room := sizes{least: 16, chunk: 8, stripes: 1, spare: 4}
				smalls, bigs := initialised[int, int](room, same{}), initialised[int, [3]int](room, same{})
				smalls.in.arrange()
				bigs.in.arrange()
				smalls.Store(9, 9)
				bigs.Store(9, twin(9))
				want := []int{9, 2, 1}
				if moves { // of what comes at the same time then all is of one seq, or in one part
					want = want[:2]
					p.Go("grows", func() {
						smalls.in.fit(20)
						bigs.in.fit(20)
					})
				}
				for _, k := range want[1:] {
					p.Go(fmt.Sprint("puts in ", k), func() {
						c := smalls.in.begin(to(k))
						c.seq = uint32(3 - k)
						smalls.in.adjustFrom(&c, true, func(ref, bool) (ref, Op) { return to(k), Update })
						d := bigs.in.begin(to(k))
						d.seq = uint32(3 - k)
						bigs.in.adjustFrom(&d, true, func(ref, bool) (ref, Op) { return to(twin(k)), Update })
					})
				}
				p.Judge(func() error {
					a, b := keysOf(smalls.All()), keysOf(bigs.All())
					if !slices.Equal(a, want) || !slices.Equal(b, want) {
						return fmt.Errorf("%v and %v, not %v", a, b, want)
					}
					return nil
				})
			}, searching(1500)...)
		})
	}
}

// Values that a Writer sets at positions are there afterwards, although keys are moved meanwhile; a
// key that is deleted meanwhile is gone, or a NaN has the new value: nothing is half there.
func TestExploreMapPositionsSetBesideOrdinaryUse(t *testing.T) {
	for _, deletes := range []bool{false, true} {
		for _, v := range []int{1, 100} { // one that lies aside, and one that does not
			t.Run(fmt.Sprint("keys are deleted ", deletes, ", set to ", v), func(t *testing.T) {
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					smalls, bigs := initialised[float64, int](one, constant{}), initialised[any, any](one, constants{})
					smalls.in.salt = 0
					for i, k := range []float64{math.NaN(), 1, math.NaN()} {
						smalls.Store(k, 2+200*i) // the first one lies aside
						bigs.Store(k, "old")
					}
					p.Go("sets", func() {
						s, b := smalls.in.index(), bigs.in.index()
						for i := range s.list {
							s.of.set(s.t, s.at(i), to(v))
						}
						for i := range b.list {
							b.of.set(b.t, b.at(i), to(any("new")))
						}
					})
					p.Go("changes", func() {
						if !deletes {
							smalls.in.fit(20)
							bigs.in.fit(20)
							return
						}
						smalls.Store(5, 500)
						bigs.Store(5.0, "more")
						smalls.DeleteFunc(func(float64, int) bool { return true })
						bigs.DeleteFunc(func(any, any) bool { return true })
					})
					p.Judge(func() error {
						a, b := slices.Sorted(valuesOf(smalls)), []string(nil)
						for _, v := range bigs.All() {
							b = append(b, v.(string))
						}
						slices.Sort(b)
						x, y := []int{v, v, v}, []string{"new", "new", "new"}
						if deletes { // but a NaN that was set after the task that deletes it had looked
							x, y = x[:min(len(a), 2)], y[:min(len(b), 2)]
						}
						if !slices.Equal(a, x) || !slices.Equal(b, y) || smalls.Len() != len(x) || bigs.Len() != len(y) {
							return fmt.Errorf("%v and %v, %d and %d keys", a, b, smalls.Len(), bigs.Len())
						}
						return nil
					})
				}, searching(1500)...)
			})
		}
	}
}

// A call that asks for an order while the map is cleared gets one.
func TestExploreMapIndexBesideClear(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				m := k.fresh(one)
				m.Store(0, 1)
				arrange(m)
				var wrong error
				p.Go("looks", func() {
					seen := map[int]int{}
					for k, v := range m.All() {
						seen[k]++
						if v != 1 || seen[k] > 1 || k != 0 && k != 3 {
							wrong = fmt.Errorf("%d came with %d, %d times", k, v, seen[k])
						}
					}
				})
				p.Go("clears", func() { m.Clear(); m.Store(3, 1) })
				p.Judge(func() error { return errors.Join(wrong, twice(m, 3)) })
			}, searching(500)...)
		})
	}
}

// constants is a Hasher like constant, of keys of any type.
type constants struct{}

func (constants) Hash(*maphash.Hash, any) {}
func (constants) Equal(a, b any) bool     { return a == b }
