package parallelfor_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// act is a part of a recursion that a test writes out.
type act func(f *acts) int

type acts = parallelfor.Forks[act, int]

func perform(f *acts, a act) int { return a(f) }

// trifle is an act that does not matter.
func trifle(*acts) int { return spend(0, idleRounds) }

// untilGiven joins halves that do not matter until another worker has begun the right half of a
// Join around it, which sets begun. In builds with the race detector no half is given away.
func untilGiven(f *acts, begun *atomic.Bool) {
	for !begun.Load() && !parallelfor.Raced {
		_, _ = f.Join(trifle, trifle)
		letOthersRun()
	}
}

// letOthersRun yields the only processor. If there are more, a yield might last as long as another
// goroutine polls.
func letOthersRun() {
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.Gosched()
	}
}

// onCrew are the options of a recursion that has workers enough.
func onCrew(t *testing.T) []parallelfor.Option {
	pool := parallelfor.NewPool(4)
	t.Cleanup(pool.Close)
	return []parallelfor.Option{parallelfor.On(pool), parallelfor.Workers(4)}
}

// ways are how a half fails, and what its caller sees.
var ways = map[string]struct {
	fail func()
	seen func(v any) bool
}{
	"value":     {func() { panic("it") }, func(v any) bool { return v == "it" }},
	"error":     {panickingFunctionOfTheTest, func(v any) bool { return v == errIndex }},
	"violation": {func() { byViolation.befall(7) }, func(v any) bool { return v.(*safety.Violation).Index == 7 }},
	"misuse":    {func() { parallelfor.Indices(1, nil) }, func(v any) bool { return errors.Is(v.(error), safety.ErrArgument) }},
	"runtime":   {func() { clear([]int(nil)[:len(sharing)]) }, func(v any) bool { _, ok := v.(runtime.Error); return ok }},
	"nil":       {func() { panic(nil) }, func(v any) bool { _, ok := v.(*runtime.PanicNilError); return ok }},
	"function":  {func() { panic(func() {}) }, func(v any) bool { _, ok := v.(func()); return ok }},
}

// A right half that was given away has ended before a deferred function of the body sees the panic
// of the left one. What it did counts for nothing, also if it has panicked.
func TestARightHalfHasEndedBeforeThePanicOfTheLeftOneIsSeen(t *testing.T) {
	watchdog(t)
	opts := onCrew(t)
	for name, way := range ways {
		var begun, ended, saw atomic.Bool
		e := endingOf(func() {
			parallelfor.Recurse(perform, func(f *acts) int {
				defer func() {
					v := recover()
					saw.Store(way.seen(v) && begun.Load() == ended.Load())
					panic(v)
				}()
				_, _ = f.Join(func(f *acts) int {
					untilGiven(f, &begun)
					way.fail()
					return 0
				}, func(f *acts) int {
					begun.Store(true)
					defer ended.Store(true)
					time.Sleep(time.Millisecond)
					_, _ = f.Join(trifle, func(*acts) int { panic("counts for nothing") })
					return 0
				})
				return 0
			}, opts...)
		})
		require.True(t, saw.Load(), name)
		if p, ok := e.value.(*parallelfor.Panic); ok {
			e.value = p.Value
		}
		require.True(t, way.seen(e.value), "%s: %v", name, e)
	}
}

// The caller sees where a half panicked, whichever worker ran it.
func TestThePanicOfAHalfHasItsStackAndJob(t *testing.T) {
	watchdog(t)
	opts := onCrew(t)
	for _, away := range []bool{false, true} {
		var begun atomic.Bool
		p := panicked(t, func() {
			parallelfor.Recurse(perform, func(f *acts) int {
				_, _ = f.Join(func(f *acts) int {
					if away {
						untilGiven(f, &begun)
					}
					return 0
				}, func(f *acts) int {
					begun.Store(true)
					_, _ = f.Join(trifle, func(*acts) int { panickingFunctionOfTheTest(); return 0 })
					return 0
				})
				return 0
			}, opts...)
		})
		require.Equal(t, errIndex, p.Value)
		require.ErrorIs(t, p, errIndex)
		require.Contains(t, string(p.Stack), "panickingFunctionOfTheTest")
		_, file, line, _ := runtime.Caller(0)
		require.Contains(t, p.Job, "recursion at "+filepath.Base(file)+":")
		require.NotContains(t, p.Job, fmt.Sprint(line))

		begun.Store(false)
		v := violation(t, safety.ErrArgument, func() {
			parallelfor.Recurse(perform, func(f *acts) int {
				_, _ = f.Join(func(f *acts) int {
					if away {
						untilGiven(f, &begun)
					}
					return 0
				}, func(*acts) int { begun.Store(true); byViolation.befall(3); return 0 })
				return 0
			}, append(opts, parallelfor.Name("falls"))...)
		})
		require.Equal(t, 3, v.Index)
		require.Equal(t, "falls", v.Job)
	}
}

// A panic that a body has recovered from does not lend its stack to a later one with its value.
func TestAPanicHasItsOwnStack(t *testing.T) {
	watchdog(t)
	var begun atomic.Bool
	p := panicked(t, func() {
		parallelfor.Recurse(perform, func(f *acts) int {
			func() {
				defer func() { _ = recover() }()
				_, _ = f.Join(func(f *acts) int {
					untilGiven(f, &begun)
					return 0
				}, func(*acts) int { begun.Store(true); panickingFunctionOfTheTest(); return 0 })
			}()
			_, _ = f.Join(trifle, func(*acts) int { anotherPanickingFunction(); return 0 })
			return 0
		}, onCrew(t)...)
	})
	require.Equal(t, errIndex, p.Value)
	require.Contains(t, string(p.Stack), "anotherPanickingFunction")
	require.NotContains(t, string(p.Stack), "panickingFunctionOfTheTest")
}

//go:noinline
func anotherPanickingFunction() { panic(errIndex) }

// What the left half has written is there for deferred functions that see the panic of the right
// one, and the other way round.
func TestABodyReadsWhatItsHalvesWroteBeforeAPanic(t *testing.T) {
	watchdog(t)
	opts := onCrew(t)
	for _, fails := range []int{0, 1} {
		for range rounds(50) {
			var begun atomic.Bool
			slots := [2]int{}
			got := parallelfor.Recurse(perform, func(f *acts) (sum int) {
				defer func() {
					require.Equal(t, "it", recover())
					sum = slots[0] + slots[1]
				}()
				half := func(i int) act {
					return func(f *acts) int {
						if i == 0 {
							untilGiven(f, &begun)
						}
						begun.Store(begun.Load() || i == 1)
						slots[i] = i + 1
						if i == fails {
							panic("it")
						}
						return 0
					}
				}
				_, _ = f.Join(half(0), half(1))
				return 0
			}, opts...)
			if fails == 1 || !parallelfor.Raced {
				require.Equal(t, 3, got)
			}
		}
	}
}

// A half that ends its goroutine ends the caller, and nothing stays behind.
func TestGoexitOfAHalfEndsTheCaller(t *testing.T) {
	watchdog(t)
	before := runtime.NumGoroutine()
	pool := parallelfor.NewPool(4)
	opts := []parallelfor.Option{parallelfor.On(pool), parallelfor.Workers(4)}
	for name, halves := range map[string]func(begun *atomic.Bool) (left, right act){
		"left": func(begun *atomic.Bool) (left, right act) {
			return func(f *acts) int { untilGiven(f, begun); runtime.Goexit(); return 0 },
				func(*acts) int { begun.Store(true); return spend(0, 1000) }
		},
		"right": func(*atomic.Bool) (left, right act) {
			return trifle, func(*acts) int { runtime.Goexit(); return 0 }
		},
		"right, on another worker": func(begun *atomic.Bool) (left, right act) {
			return func(f *acts) int { untilGiven(f, begun); return 0 },
				func(*acts) int { begun.Store(true); runtime.Goexit(); return 0 }
		},
		"right, while the left panics": func(begun *atomic.Bool) (left, right act) {
			return func(f *acts) int { runtime.Goexit(); return 0 },
				func(*acts) int { panic("counts for nothing") }
		},
	} {
		for range rounds(50) {
			var begun, deferred, beyond atomic.Bool
			e := endingOf(func() {
				parallelfor.Recurse(perform, func(f *acts) int {
					defer deferred.Store(true)
					left, right := halves(&begun)
					_, _ = f.Join(left, right)
					beyond.Store(true)
					return 0
				}, opts...)
				beyond.Store(true)
			})
			require.True(t, e.goexit, "%s: %v", name, e)
			require.True(t, deferred.Load())
			require.False(t, beyond.Load())
		}
		require.Equal(t, 55, parallelfor.Recurse(fib, 10, opts...), name)
	}
	pool.Close()
	spin(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// A body that panics waits for its right half, also if the part of it that it runs meanwhile ends
// the goroutine.
func TestGoexitWhileABodyPanicsLeavesNoHalfBehind(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("no half is given away")
	}
	opts := append(onCrew(t), parallelfor.Workers(2))
	for range rounds(50) {
		var begun, helped, ended, saw atomic.Bool
		e := endingOf(func() {
			parallelfor.Recurse(perform, func(f *acts) int {
				defer func() { saw.Store(ended.Load()) }()
				_, _ = f.Join(func(f *acts) int {
					untilGiven(f, &begun)
					panic("it")
				}, func(f *acts) int {
					begun.Store(true)
					defer ended.Store(true)
					_, _ = f.Join(func(f *acts) int {
						untilGiven(f, &helped)
						time.Sleep(time.Millisecond)
						parallelfor.Indices(2, func(int) { time.Sleep(time.Millisecond) })
						return 0
					}, func(*acts) int { helped.Store(true); runtime.Goexit(); return 0 })
					return 0
				})
				return 0
			}, opts...)
		})
		require.True(t, e.goexit, e)
		require.True(t, saw.Load())
	}
}
