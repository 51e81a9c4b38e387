package atom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// adders are constructors of the types that have an Add. Each returns the methods of a new value.
var adders = map[string]func() (add func(d int) int, load func() int){
	"Int32": func() (func(int) int, func() int) {
		v := new(atom.Int32)
		return func(d int) int { return int(v.Add(int32(d))) }, func() int { return int(v.Load()) }
	},
	"Int64": func() (func(int) int, func() int) {
		v := new(atom.Int64)
		return func(d int) int { return int(v.Add(int64(d))) }, func() int { return int(v.Load()) }
	},
	"Uint32": func() (func(int) int, func() int) {
		v := new(atom.Uint32)
		return func(d int) int { return int(v.Add(uint32(d))) }, func() int { return int(v.Load()) }
	},
	"Uint64": func() (func(int) int, func() int) {
		v := new(atom.Uint64)
		return func(d int) int { return int(v.Add(uint64(d))) }, func() int { return int(v.Load()) }
	},
	"HiddenUint64": func() (func(int) int, func() int) {
		v := new(atom.HiddenUint64)
		return func(d int) int { return int(v.Add(uint64(d))) }, func() int { return int(v.Load()) }
	},
	"HiddenInt64": func() (func(int) int, func() int) {
		v := new(atom.HiddenInt64)
		return func(d int) int { return int(v.Add(int64(d))) }, func() int { return int(v.Load()) }
	},
}

// swappers are constructors of the types that have a CompareAndSwap. Each returns the methods of a
// new value that holds 0.
var swappers = map[string]func() (load func() int, swap func(o, n int) bool){
	"Bool": func() (func() int, func(o, n int) bool) {
		v := new(atom.Bool)
		return func() int { return int(bit(v.Load())) }, func(o, n int) bool { return v.CompareAndSwap(o&1 != 0, n&1 != 0) }
	},
	"Int32": func() (func() int, func(o, n int) bool) {
		v := new(atom.Int32)
		return func() int { return int(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(int32(o), int32(n)) }
	},
	"Int64": func() (func() int, func(o, n int) bool) {
		v := new(atom.Int64)
		return func() int { return int(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(int64(o), int64(n)) }
	},
	"Uint32": func() (func() int, func(o, n int) bool) {
		v := new(atom.Uint32)
		return func() int { return int(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(uint32(o), uint32(n)) }
	},
	"Uint64": func() (func() int, func(o, n int) bool) {
		v := new(atom.Uint64)
		return func() int { return int(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(uint64(o), uint64(n)) }
	},
	"Pointer": func() (func() int, func(o, n int) bool) {
		v := new(atom.Pointer[bool])
		return func() int { return numberOf(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(numbers[o&1], numbers[n&1]) }
	},
	"HiddenUint64": func() (func() int, func(o, n int) bool) {
		v := new(atom.HiddenUint64)
		return func() int { return int(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(uint64(o), uint64(n)) }
	},
	"HiddenPointer": func() (func() int, func(o, n int) bool) {
		v := new(atom.HiddenPointer[bool])
		return func() int { return numberOf(v.Load()) }, func(o, n int) bool { return v.CompareAndSwap(numbers[o&1], numbers[n&1]) }
	},
}

// exchangers are constructors of the types that have a Swap and can hold 0 and 1. Each returns the
// Swap of a new value that holds 0.
var exchangers = map[string]func() (swap func(n int) int){
	"Bool":   func() func(int) int { v := new(atom.Bool); return func(n int) int { return bit(v.Swap(n != 0)) } },
	"Int32":  func() func(int) int { v := new(atom.Int32); return func(n int) int { return int(v.Swap(int32(n))) } },
	"Int64":  func() func(int) int { v := new(atom.Int64); return func(n int) int { return int(v.Swap(int64(n))) } },
	"Uint32": func() func(int) int { v := new(atom.Uint32); return func(n int) int { return int(v.Swap(uint32(n))) } },
	"Uint64": func() func(int) int { v := new(atom.Uint64); return func(n int) int { return int(v.Swap(uint64(n))) } },
	"Pointer": func() func(int) int {
		v := new(atom.Pointer[bool])
		return func(n int) int { return numberOf(v.Swap(numbers[n])) }
	},
	"HiddenPointer": func() func(int) int {
		v := new(atom.HiddenPointer[bool])
		return func(n int) int { return numberOf(v.Swap(numbers[n])) }
	},
}

// numbers are the pointers that stand for 0, as nil does, and for 1.
var numbers = [2]*bool{1: new(bool)}

func numberOf(p *bool) int { return bit(p != nil) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// crowd is the number of goroutines that run the same operations, and often is how many operations
// each runs. There are so many that, on two processors, operations which are a load and a store
// interleave in every run.
const crowd, often = 4, 20_000

// overlaps is the greatest number of rounds in which the goroutines do that, until their operations
// have often come between each other. On one processor they seldom do.
const overlaps = 20

func TestAddsAreAtomic(t *testing.T) {
	for name, of := range adders {
		t.Run(name, func(t *testing.T) {
			add, load := of()
			var between atom.Int64
			once := make([]bool, overlaps*crowd*often+1)
			for round := 1; round <= overlaps && between.Load() < often; round++ {
				seen := make([][]int, crowd)
				all(crowd, func(i int) {
					last, others := 0, 0
					for range often {
						v := add(1)
						if v != last+1 {
							others++
						}
						last = v
						seen[i] = append(seen[i], v)
					}
					between.Add(int64(others))
				})
				require.Equal(t, round*crowd*often, load())
				for _, results := range seen {
					for _, v := range results {
						if once[v] {
							t.Fatalf("two additions have returned %d", v)
						}
						once[v] = true
					}
				}
			}
		})
	}
}

// Counting by CompareAndSwap loses nothing. One goroutine makes an even value odd, and only that
// goroutine makes it even again. A swap that fails shows that another goroutine came between a load
// and a swap.
func TestCompareAndSwapsAreAtomic(t *testing.T) {
	for name, of := range swappers {
		t.Run(name, func(t *testing.T) {
			load, swap := of()
			require.False(t, swap(1, 0))
			var between atom.Int64
			for round := 1; round <= overlaps && between.Load() < often; round++ {
				all(crowd, func(int) {
					failed := 0
					for range often {
						for v := load(); !swap(v, v+1); v = load() {
							failed++
						}
					}
					between.Add(int64(failed))
				})
				if _, counts := adders[name]; counts {
					require.Equal(t, round*crowd*often, load())
				}
			}
			v := load()
			require.Zero(t, v&1)
			all(crowd, func(int) {
				for range often {
					if v := load(); v&1 == 0 && swap(v, v+1) && !swap(v+1, v) {
						t.Error("two goroutines have swapped the same value")
					}
				}
			})
			require.Equal(t, v, load())
		})
	}
}

// One token goes round. The goroutine that swaps it out is the only one that has it.
func TestSwapsAreAtomic(t *testing.T) {
	for name, of := range exchangers {
		t.Run(name, func(t *testing.T) {
			swap := of()
			swap(1)
			var between atom.Int64
			for round := 0; round < overlaps && between.Load() < often; round++ {
				all(crowd, func(int) {
					others := 0
					for range often {
						if swap(0) == 0 {
							others++ // another goroutine has it
						} else if swap(1) != 0 {
							t.Error("there are two tokens")
						}
					}
					between.Add(int64(others))
				})
			}
			require.Equal(t, 1, swap(0))
		})
	}
}
