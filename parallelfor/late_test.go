package parallelfor_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// tell is a short job that says when its body runs.
type tell struct {
	Ran chan int `custody:"unguarded"`
	ID  int
}

func (j *tell) Execute() { j.Ran <- j.ID }

// known has the driver learn that jobs of type tell are short.
func known(pool *parallelfor.Pool, ran chan int) {
	for range 100 {
		parallelfor.Do(tell{ran, 0}, (*tell).Execute, parallelfor.On(pool))
		<-ran
	}
}

// Short jobs that no goroutine completes run all the same, in the order that After says.
func TestShortJobsThatNobodyCompletesRun(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	ran := make(chan int, 1)
	known(pool, ran)
	for range 20 {
		first := parallelfor.ScheduleDo(tell{ran, 1}, (*tell).Execute, parallelfor.On(pool))
		second := parallelfor.ScheduleDo(tell{ran, 2}, (*tell).Execute, parallelfor.After(first), parallelfor.On(pool))
		require.Equal(t, 1, <-ran)
		require.Equal(t, 2, <-ran)
		second.Complete()
	}
}

// A short job runs while a goroutine asks whether it has finished, and when its pool is closed.
func TestShortJobsRunWhenAskedForAndWhenThePoolIsClosed(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	ran := make(chan int, 2)
	known(pool, ran)
	h := parallelfor.ScheduleDo(tell{ran, 1}, (*tell).Execute, parallelfor.On(pool))
	for !h.Finished() {
		runtime.Gosched()
	}
	require.Equal(t, 1, <-ran)
	later := parallelfor.ScheduleDo(tell{ran, 2}, (*tell).Execute, parallelfor.After(h), parallelfor.On(pool))
	pool.Close()
	require.Equal(t, 2, <-ran)
	require.True(t, later.Finished())
	later.Complete()
}

// Many short jobs that wait for each other in no order, and a long one behind them, leave what the
// sequential loops leave.
func TestManyShortJobsAtATime(t *testing.T) {
	watchdog(t)
	const jobs, n = 64, 500
	for range rounds(100) {
		var handles []parallelfor.Handle
		var arrays []*array.Array[int]
		for k := range jobs {
			a := array.New[int](n)
			arrays = append(arrays, a)
			var before parallelfor.Handle
			for range k % 3 {
				before = parallelfor.Schedule(n, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+i) }, parallelfor.After(before))
			}
			handles = append(handles, before)
		}
		parallelfor.Combine(handles...).Complete()
		for k, a := range arrays {
			require.Equal(t, k%3*(n-1), a.At(n-1))
		}
	}
}

// Finished, called in a bubble for a short job that was scheduled outside, changes nothing there.
func TestFinishedOfAShortJobInABubble(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	ran := make(chan int, 1)
	known(pool, ran)
	h := parallelfor.ScheduleDo(tell{ran, 1}, (*tell).Execute, parallelfor.On(pool))
	synctest.Test(t, func(*testing.T) { h.Finished() })
	h.Complete()
	require.Equal(t, 1, <-ran)
}

// lasts is a job whose body takes 17 µs, and then says that it has run.
type lasts struct {
	Ran chan int `custody:"unguarded"`
}

func (j *lasts) Execute() {
	for end := time.Now().Add(17 * time.Microsecond); time.Now().Before(end); {
	}
	if j.Ran != nil {
		j.Ran <- 1
	}
}

// knownToLast has the driver learn how long a job of type lasts takes.
func knownToLast(pool *parallelfor.Pool) {
	for range 200 {
		parallelfor.Do(lasts{}, (*lasts).Execute, parallelfor.On(pool))
	}
}

// A container may wait, when its job is opened, for the body of another job that is put off.
func TestAContainerThatWaitsForAShortJob(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	knownToLast(pool)
	for range rounds(100) {
		gate, ran := make(chan int), make(chan int, 1)
		before := parallelfor.ScheduleDo(struct{}{}, func(*struct{}) { <-gate }, parallelfor.Workers(1), parallelfor.On(pool))
		first := parallelfor.ScheduleDo(lasts{}, (*lasts).Execute, parallelfor.After(before), parallelfor.On(pool))
		none := parallelfor.Schedule(0, struct{}{}, func(*struct{}, int) {}, parallelfor.On(pool))
		other := parallelfor.ScheduleDo(lasts{ran}, (*lasts).Execute, parallelfor.On(pool))
		c := newTold(moments{opens: func() { <-ran }})
		go func() {
			for range 100 {
				runtime.Gosched() // so that the loop is scheduled before its gate opens
			}
			close(gate)
		}()
		parallelfor.Do(c.view(), func(*toldView) {}, parallelfor.After(before, none), parallelfor.On(pool))
		first.Complete()
		other.Complete()
	}
}

// Jobs that begin one another do not recurse, however long their chain, when the first has failed.
func TestManyShortJobsAfterOneThatFails(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	knownToLast(pool)
	defer debug.SetMaxStack(debug.SetMaxStack(8 << 20))
	gate, fails := make(chan int), errors.New("fails")
	last := parallelfor.ScheduleDoErr(t.Context(), struct{}{}, func(*struct{}) error { <-gate; return fails }, parallelfor.On(pool))
	var beside []parallelfor.Handle
	for range rounds(50_000) {
		beside = append(beside, parallelfor.ScheduleDo(lasts{}, (*lasts).Execute, parallelfor.After(last), parallelfor.On(pool)))
		last = parallelfor.ScheduleDo(lasts{}, (*lasts).Execute, parallelfor.After(last), parallelfor.On(pool))
	}
	close(gate)
	last.Complete()
	require.Equal(t, fails, last.Err())
	for _, h := range beside {
		h.Complete()
		require.Equal(t, fails, h.Err())
	}
}
