package hashmap

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
)

// eachKind tests every kind of map, with the smallest tables, so that keys are moved all the time.
func eachKind(t *testing.T, f func(t *testing.T, fresh func() subject)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { f(t, func() subject { return k.fresh(tiny) }) })
	}
}

// alike returns several tasks that do the same.
func alike(f func(w int)) (tasks []func()) {
	for w := range several {
		tasks = append(tasks, func() { f(w) })
	}
	return tasks
}

// fail ends a task and says why.
func fail(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// together runs tasks beside each other, each on its own goroutine. It fails the test when one of
// them panics, or does not come to an end; one that ends its goroutine has come to an end.
func together(t *testing.T, tasks ...func()) {
	t.Helper()
	wrong := make(chan string, len(tasks))
	var waiting atom.Int64
	waiting.Store(int64(len(tasks)))
	for _, do := range tasks {
		go func() {
			said := ""
			defer func() { wrong <- said }()
			defer func() {
				if v := recover(); v != nil {
					said = fmt.Sprintf("%v\n%s", v, debug.Stack())
				}
			}()
			for waiting.Add(-1); waiting.Load() > 0; {
				runtime.Gosched()
			}
			do()
		}()
	}
	for range tasks {
		require.Empty(t, lawtest.Arrives(t, "somebody to come to an end", wrong))
	}
}

// agree fails the test unless a map that does not change has these keys and values, each once,
// whichever method is asked.
func agree(t *testing.T, m subject, want map[int]int) {
	t.Helper()
	got, came := map[int]int{}, 0
	for k, v := range m.All() {
		got[k] = v
		came++
	}
	require.Equal(t, want, got)
	require.Equal(t, len(want), came, "keys came twice")
	require.Equal(t, len(want), m.Len())
	for k, v := range want {
		w, ok := m.Load(k)
		require.Equal(t, []any{v, true}, []any{w, ok}, k)
	}
}
