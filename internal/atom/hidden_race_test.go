//go:build race && !custody_explore

package atom_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

func TestRaceIsKnown(t *testing.T) { require.True(t, atom.Race) }

// handOver is a way in which one goroutine lets another go on: wait returns after pass was called.
type handOver struct {
	name       string
	pass, wait func()
	shown      bool // the race detector sees the order
}

// until waits until ok returns true, and shows the race detector nothing.
func until(ok func() bool) {
	for !ok() {
		atom.Hide()
		atom.Yield()
		atom.Show()
	}
}

func handOvers() []handOver {
	var (
		u32            atom.HiddenUint32
		u64, added     atom.HiddenUint64
		compared       atom.HiddenUint64
		i64, addedI    atom.HiddenInt64
		pointer, other atom.HiddenPointer[int]
		third          atom.HiddenPointer[int]
		one            = new(int)
		lock           hiddenSum
		waited         hiddenSum
		cond           = atom.NewCond(&waited.mu)
		stamp          atom.Stamp
		plain          atom.Uint64
		hid, edge      atom.HiddenUint32
		block          atom.Uint64
	)
	return []handOver{
		{"HiddenUint32.Store", func() { u32.Store(1) }, func() { until(func() bool { return u32.Load() != 0 }) }, false},
		{"HiddenUint64.Store", func() { u64.Store(1) }, func() { until(func() bool { return u64.Load() != 0 }) }, false},
		{"HiddenUint64.Add", func() { added.Add(1) }, func() { until(func() bool { return added.Add(0) != 0 }) }, false},
		{"HiddenUint64.CompareAndSwap", func() { compared.CompareAndSwap(0, 1) }, func() { until(func() bool { return compared.CompareAndSwap(1, 2) }) }, false},
		{"HiddenInt64.Store", func() { i64.Store(1) }, func() { until(func() bool { return i64.Load() != 0 }) }, false},
		{"HiddenInt64.Add", func() { addedI.Add(1) }, func() { until(func() bool { return addedI.Add(0) != 0 }) }, false},
		{"HiddenPointer.Store", func() { pointer.Store(one) }, func() { until(func() bool { return pointer.Load() != nil }) }, false},
		{"HiddenPointer.Swap", func() { other.Swap(one) }, func() { until(func() bool { return other.Swap(one) != nil }) }, false},
		{"HiddenPointer.CompareAndSwap", func() { third.CompareAndSwap(nil, one) }, func() { until(func() bool { return third.CompareAndSwap(one, nil) }) }, false},
		{"HiddenMutex", func() { lock.locked(lock.inc) }, func() {
			until(func() (ok bool) { lock.locked(func() { ok = lock.get() > 0 }); return ok })
		}, false},
		{"Wait and Broadcast", func() { waited.locked(func() { waited.inc(); atom.Broadcast(cond) }) }, func() {
			waited.locked(func() {
				for waited.get() == 0 {
					atom.Wait(cond)
				}
			})
		}, false},
		{"Stamp", func() { stamp.Store(1) }, func() { until(func() bool { return stamp.Load() != 0 }) }, false},
		{"Hide and Show", func() { atom.Hide(); block.Store(1); atom.Show() }, func() {
			until(func() bool { atom.Hide(); defer atom.Show(); return block.Load() != 0 })
		}, false},
		{"Uint64", func() { plain.Store(1) }, func() { until(func() bool { return plain.Load() != 0 }) }, true},
		{"ReleaseMerge and Acquire", func() { atom.ReleaseMerge(unsafe.Pointer(&edge)); hid.Store(1) }, func() {
			until(func() bool { return hid.Load() != 0 })
			atom.Acquire(unsafe.Pointer(&edge))
		}, true},
	}
}

func (h *hiddenSum) locked(do func()) {
	h.mu.Lock()
	do()
	h.mu.Unlock()
}

const childOfHiding = "CUSTODY_ATOM_HIDING"

// Each handOver orders the two goroutines. If it is hidden, the race detector reports a race
// between accesses before and after it; otherwise it reports none. A race is a failure, so the test
// runs itself for each handOver. It does so in a process each, because the detector reports a pair
// of stacks once.
func TestHiddenSynchronisationIsHidden(t *testing.T) {
	if child, err := strconv.Atoi(os.Getenv(childOfHiding)); err == nil {
		h, value := handOvers()[child], new(int)
		all(2, func(k int) {
			if k == 1 {
				h.wait()
			}
			*value++
			if k == 0 {
				h.pass()
			}
		})
		fmt.Printf("\n%s %t\n", childOfHiding, runtime.RaceErrors() > 0)
		return
	}
	for i, h := range handOvers() {
		command := exec.Command(os.Args[0], "-test.run=^TestHiddenSynchronisationIsHidden$", "-test.count=1")
		command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", childOfHiding, i), "GORACE=halt_on_error=0")
		out, _ := command.CombinedOutput() // the child fails if there is a race
		require.Contains(t, string(out), fmt.Sprintf("\n%s %t\n", childOfHiding, !h.shown), "%s: does the race detector miss the order?", h.name)
	}
}
