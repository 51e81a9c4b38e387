package hashmap

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// What goes wrong elsewhere in maps for many goroutines, and the tests that say that it does not
// here:
//
//	two goroutines that grow the same table overwrite each other's keys:
//		TestNoStoreIsLostWhenSeveralGrowATable, TestNoValueIsLostWhenSeveralAddToAMultiMap
//	changes beside growing or deleting are lost, and what all put in counts twice:
//		TestNoChangeOfAKeyIsLostWhileTheTableGrows, TestAKeyThatSeveralPutInIsThereOnce
//	putting in a key that was deleted hangs:
//		TestDeletingAndPuttingInAgainNeitherHangsNorDoubles
//	a key is there twice, or comes twice in an iteration:
//		that one, TestNoKeyComesTwiceWhileTheTableGrows, TestAKeyComesOnceWhateverPlacesItGets
//	a function is called twice:
//		TestAFunctionIsNotCalledTwiceWhileTheTableGrows, TestAValueIsComputedOnce
//	Compute returns a value of a key that it has not put in:
//		TestComputeReturnsNothingForWhatIsNotThere
//	a function that panics leaves a lock behind:
//		TestAFunctionThatDoesNotReturnLeavesNothingLocked,
//		TestAFoldThatDoesNotReturnLeavesNothingLocked, TestFoldsThatFail,
//		TestTheBodyOfAnIterationHoldsNothing, TestAPanicInEqualLeavesNoLock
//	a function, or the body of an iteration, that uses the map hangs:
//		TestAFunctionThatUsesTheMapDoesNotHang, TestAnIterationThatStopsHoldsNothing,
//		TestAClearInsideAFunctionDoesNotHang, TestComputationsThatWaitForEachOther
//	trimming, or waiting for a goroutine that grows, loses keys or sleeps for ever:
//		TestTrimmingBesideStoresNeitherLosesNorHangs
//	room is made for too few keys, for none, or for less than none:
//		TestGrowMakesNeitherTooLittleRoomNorWrongNumbers, TestGrowAndTrim
//	a copy of the struct breaks the locks:
//		TestACopyIsRefused, TestACopyOfAMultiMapIsRefusedByJobs
//	CompareAndSwap is not atomic beside others:
//		TestHistoriesOfMapsAreLinearizable
//	it takes a missing key for nil, or fails on what cannot be compared:
//		TestComparingNilAndWhatCannotBeCompared, TestWhatCannotBeCompared
//	equal or cut hashes mix values up, or keys at a distance cluster:
//		TestStridedKeys, TestKeysWithEqualHashesKeepTheirOwnValues,
//		TestHashesThatMeanSomething, TestEqualHashesOfAMultiMap
//	NaNs and zeros are not found, or hide others:
//		TestNaNs, TestZeros, TestZerosNaNsAndKeysOfAHasher
//	keys that cannot be compared leave a lock behind:
//		TestAKeyThatCannotBeComparedLeavesNothingLocked,
//		TestKeysThatCannotBeComparedAreRefusedAndChangeNothing
//	deleted keys and values are kept:
//		TestNothingThatWasDeletedOrReplacedIsKept, TestDeletedKeysAreGarbage,
//		TestWhatJobsPutInIsGarbageInTheEnd, TestWhatJobsHaveAddedBecomesGarbage
//	a newer value is deleted:
//		TestNoNewerValueIsDeleted, TestExploreMapDeleteFunc
//	the length is negative, or more than there is:
//		TestLenStaysNearTheNumberOfKeys
//	clearing beside stores hangs, or brings keys back:
//		TestClearBesideStoresNeitherHangsNorBringsBack,
//		TestClearBesideAddsNeitherHangsNorBringsBack
//	a multimap loses values of several writers:
//		TestNoValueIsLostWhenSeveralAddToAMultiMap, TestHistoriesOfMultiMapsAreLinearizable
//	deleting values of a key while they are ranged over misses some, and of equal ones too
//	many go:
//		TestDeletingValuesWhileTheyAreRangedOverMissesNone, TestNoValueIsDeletedTwice
//	the last value leaves a key that has none:
//		TestTheLastValueLeavesNoEmptyKey

// several is how many goroutines a test starts.
const several = 4

// Stores of several goroutines into a map that each of them finds full are all there.
func TestNoStoreIsLostWhenSeveralGrowATable(t *testing.T) {
	const each = 24
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(60) {
			m, want := fresh(), map[int]int{}
			for k := range several * each {
				want[k] = k
			}
			together(t, alike(func(w int) {
				for i := range each {
					m.Store(i*several+w, i*several+w)
				}
			})...)
			agree(t, m, want)
		}
	})
}

// A goroutine that alone changes a key finds its last change, while others make the table grow.
func TestNoChangeOfAKeyIsLostWhileTheTableGrows(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(8) {
			m, over := fresh(), atom.Bool{}
			var last [several]int
			tasks := alike(func(w int) {
				if w == 0 {
					defer over.Store(true)
					for k := several; k < 200; k++ {
						m.Store(k, k)
					}
					return
				}
				for v := 1; !over.Load(); v++ {
					last[w] = v
					was, there := m.Load(w)
					if (v > 1) != there || was != v-1 {
						fail("key %d gives %d, %t after %d was put", w, was, there, v-1)
					}
					switch v % 4 {
					case 0:
						m.Store(w, v)
					case 1:
						m.Swap(w, v)
					case 2:
						if !m.CompareAndSwap(w, v-1, v) {
							fail("key %d is not %d", w, v-1)
						}
					case 3:
						if was, there := m.LoadAndDelete(w); !there || was != v-1 {
							fail("%d, %t was deleted, and not %d", was, there, v-1)
						}
						if v, there := m.Load(w); there {
							fail("%d is there after the key was deleted", v)
						}
						if _, loaded := m.LoadOrStore(w, v); loaded {
							fail("a key was there that nobody had put in")
						}
					}
				}
			})
			together(t, tasks...)
			want := map[int]int{}
			for k := several; k < 200; k++ {
				want[k] = k
			}
			for w, v := range last {
				if v > 0 {
					want[w] = v
				}
			}
			agree(t, m, want)
		}
	})
}

// A key that all of them put in is put in by one, all get its value, and it counts once.
func TestAKeyThatSeveralPutInIsThereOnce(t *testing.T) {
	const keys = 60
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(40) {
			m := fresh()
			var got [several][keys]int
			together(t, alike(func(w int) {
				for k := range keys {
					for range 2 {
						got[w][k], _ = m.LoadOrStore(k, 10+w)
					}
				}
			})...)
			want := map[int]int{}
			for k := range keys {
				want[k] = got[0][k]
				for w := range several {
					require.Equal(t, want[k], got[w][k], k)
				}
			}
			agree(t, m, want)
		}
	})
}

// Goroutines delete keys and put them in again, in a table that is full of deleted ones: no
// operation hangs, one goroutine counts each deletion, and no key is there twice.
func TestDeletingAndPuttingInAgainNeitherHangsNorDoubles(t *testing.T) {
	const keys = 3
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(20) {
			m := fresh()
			var balance [keys]atom.Int64
			together(t, alike(func(w int) {
				for i := range 150 {
					k := (i + w) % keys
					if _, loaded := m.LoadOrStore(k, 1); !loaded {
						balance[k].Add(1)
					}
					if _, loaded := m.LoadAndDelete((i * w) % keys); loaded {
						balance[(i*w)%keys].Add(-1)
					}
					m.Store(100+several*i+w, 2) // and another one, so that tables fill up
					m.LoadAndDelete(100 + several*i + w)
				}
			})...)
			want := map[int]int{}
			for k := range keys {
				if n := balance[k].Load(); n != 0 {
					require.EqualValues(t, 1, n, "key %d was put in so many times more than deleted", k)
					want[k] = 1
				}
			}
			agree(t, m, want)
		}
	})
}

// While keys are put in and moved, a key that stays comes once, and one that is not deleted never
// comes twice.
func TestNoKeyComesTwiceWhileTheTableGrows(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(30) {
			m, over := fresh(), atom.Bool{}
			for k := range 5 {
				m.Store(k, k)
			}
			together(t, func() {
				defer over.Store(true)
				for k := 5; k < 200; k++ {
					m.Store(k, k)
				}
			}, func() {
				for !over.Load() {
					seen := [200]int{}
					for k, v := range m.All() {
						if seen[k]++; k != v || seen[k] > 1 {
							fail("key %d came %d times, with %d", k, seen[k], v)
						}
					}
					for k := range 5 {
						if seen[k] != 1 {
							fail("key %d stays, and did not come", k)
						}
					}
				}
			})
		}
	})
}

// Trimming and growing beside goroutines that put in and delete loses nothing, and all of it ends.
func TestTrimmingBesideStoresNeitherLosesNorHangs(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(15) {
			m := fresh()
			var busy atom.Int64
			busy.Store(several - 1)
			want := map[int]int{}
			for w := 1; w < several; w++ {
				for i := range 10 {
					want[i*several+w] = i
				}
			}
			together(t, alike(func(w int) {
				if w == 0 {
					for n := 0; busy.Load() > 0; n++ {
						m.Trim()
						m.Grow(n % 50)
					}
					return
				}
				defer busy.Add(-1)
				for range 4 {
					for i := range 60 {
						m.Store(i*several+w, i)
					}
					for i := range 60 {
						if v, ok := m.Load(i*several + w); !ok || v != i {
							fail("key %d gives %d, %t", i*several+w, v, ok)
						}
						if i >= 10 {
							m.LoadAndDelete(i*several + w)
						}
					}
				}
			})...)
			m.Trim()
			agree(t, m, want)
		}
	})
}

// There is room for as many more keys as were asked for, and what is too few or too many is refused
// and changes nothing.
func TestGrowMakesNeitherTooLittleRoomNorWrongNumbers(t *testing.T) {
	words, smalls, bigs := New[int, int](), New[string, int](), New[int, [3]int]()
	grows(t, words, func() any { return words.in.root.Load() })
	grows(t, texts{smalls}, func() any { return smalls.in.root.Load() })
	grows(t, pairs{bigs}, func() any { return bigs.in.root.Load() })
}

func grows(t *testing.T, m subject, root func() any) {
	want, next := map[int]int{}, 0
	for _, n := range []int{0, 1, 2, 3, 5, 6, 7, 8, 12, 13, 100, 1000, 1536, 5000} {
		m.Trim()
		m.Grow(n)
		before := root()
		for range n {
			m.Store(next, next)
			want[next] = next
			next++
		}
		require.Same(t, before, root(), "room for %d beside %d", n, next-n)
		for _, n := range []int{-1, math.MinInt, mostKeys + 1, math.MaxInt} {
			v := lawtest.Violation(t, func() error { m.Grow(n); return nil })
			require.ErrorIs(t, v, safety.ErrLength)
		}
		require.Same(t, before, root(), "refused")
	}
	agree(t, m, want)
}

// There is room in a table that counts a sample of its places, too, however much it has grown
// before, and while others put keys in.
func TestGrowMakesRoomInLargeTables(t *testing.T) {
	for range lawtest.Rounds(20) {
		m := New[int, int]()
		m.Grow(2000)
		n := int(m.in.root.Load().limit.Load())
		m.Grow(n)
		before := m.in.root.Load()
		for k := range n {
			m.Store(k, k)
		}
		require.Same(t, before, m.in.root.Load())

		beside := New[int, int]()
		together(t, func() {
			for k := range 20_000 {
				beside.Store(k, k)
			}
		}, func() {
			beside.Grow(1 << 17)
			require.GreaterOrEqual(t, beside.Stats().Room, 1<<17)
		})
	}
}
