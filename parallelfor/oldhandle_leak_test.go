package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type failingWith struct{ A array.Writer[int] }

func (j *failingWith) Execute(int) error { return errors.New("x") }

// A handle of a job that is over keeps nothing of later jobs.
func TestOldHandleKeepsNothingOfLaterJobs(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip()
	}
	small := array.New[int](1)
	old := parallelfor.Schedule(1, counting{small.Writer()})
	old.Complete()
	big := func() weak.Pointer[array.Array[int]] {
		a := array.New[int](1000)
		h := parallelfor.ScheduleErr(context.Background(), 1, failingWith{a.Writer()})
		h.Complete()
		return weak.Make(a)
	}
	p := big()
	collected(t, p)
	runtime.KeepAlive(old)
}

// A lost handle is told of, also when there is a handle of a job that was over before.
func TestLostJobBesideOldHandle(t *testing.T) {
	if atom.Race || safety.Strict || !safety.Enabled {
		t.Skip()
	}
	lost := make(chan safety.Leak, 10)
	safety.OnLeak(func(l safety.Leak) { lost <- l })
	defer safety.OnLeak(nil)
	small := array.New[int](1)
	old := parallelfor.Schedule(1, counting{small.Writer()})
	old.Complete()
	func() {
		h := parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, parallelfor.Name("lost"))
		for !h.Finished() {
			runtime.Gosched()
		}
	}()
	ok := false
	for i := 0; i < 20 && !ok; i++ {
		runtime.GC()
		select {
		case <-lost:
			ok = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	require.True(t, ok)
	runtime.KeepAlive(old)
}
