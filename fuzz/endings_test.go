package fuzz_test

import (
	"errors"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// disposable is a container.
type disposable interface {
	Dispose()
}

// leavable is a container that can be disposed when the jobs that hold it have completed.
type leavable interface {
	disposable
	DisposeAfter(h safety.Handle)
}

// ends returns a function that makes a container and returns the methods that end it, by name.
func ends(made func() disposable) func() map[string]func() {
	return func() map[string]func() {
		c := made()
		ways := map[string]func(){"Dispose": c.Dispose}
		if l, ok := c.(leavable); ok {
			ways["DisposeAfter"] = func() { l.DisposeAfter(parallelfor.Handle{}) }
		}
		return ways
	}
}

// endings are the types with a method that ends them. A type that only has Close may be closed
// twice.
var endings = map[string]func() map[string]func(){
	"array.Array":       ends(func() disposable { return array.New[int](3) }),
	"array.Double":      ends(func() disposable { return array.NewDouble[int](3) }),
	"array.DoubleList":  ends(func() disposable { return array.NewDoubleList[int]() }),
	"array.List":        ends(func() disposable { return array.NewList[int]() }),
	"array.Stream":      ends(func() disposable { return array.NewStream[int]() }),
	"array.Value":       ends(func() disposable { return array.NewValue(3) }),
	"counter.Counter":   ends(func() disposable { return counter.New() }),
	"counter.Histogram": ends(func() disposable { return counter.NewHistogram(3) }),
	"counter.Sum":       ends(func() disposable { return counter.NewSum[int]() }),
	"queue.Queue":       ends(func() disposable { return queue.New[int]() }),
	"queue.Ring":        ends(func() disposable { return queue.NewRing[int](3) }),
	"queue.SPSC":        ends(func() disposable { return queue.NewSPSC[int](3) }),
	"hashmap.Map":       ends(func() disposable { return hashmap.New[int, int]() }),
	"hashmap.MultiMap":  ends(func() disposable { return hashmap.NewMulti[int, int]() }),
	"table.Table": ends(func() disposable {
		t := table.New[card]()
		table.KeyOf(t, func(c *card) *int { return &c.Key })
		table.ColumnOf(t, func(c *card) *[3]int { return &c.Cols })
		t.Add(card{})
		t.Apply()
		return t
	}),
	"array.Parts": func() map[string]func() {
		return map[string]func(){"Join": array.New[int](4).Split(2).Join}
	},
	"table.Pipeline": func() map[string]func() {
		t := table.New[card]()
		p := table.NewPipeline(t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }})
		return map[string]func(){"Close": p.Close, "Dispose": t.Dispose}
	},
	"parallelfor.Pool":  func() map[string]func() { return map[string]func(){"Close": parallelfor.NewPool(2).Close} },
	"counter.Local":     nil, // only one goroutine at a time may use it
	"parallelfor.Forks": nil, // Join ends nothing
}

// ended returns the exported types that have a method which ends them.
func ended(t *testing.T) (types []string) {
	for _, pkg := range []string{"array", "counter", "queue", "hashmap", "table", "parallelfor"} {
		for _, f := range lawtest.Sources(t, filepath.Join("..", pkg)) {
			for _, d := range f.Decls {
				if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && slices.Contains([]string{"Dispose", "DisposeAfter", "Close", "Join"}, m.Name.Name) {
					if name := lawtest.TypeName(m.Recv.List[0].Type); ast.IsExported(name) {
						types = append(types, pkg+"."+name)
					}
				}
			}
		}
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// If two goroutines end one container at the same time, one succeeds and the other gets a
// violation. The library has no data race then. Close succeeds on both goroutines.
func TestContainersThatAreEndedTwiceAtOnce(t *testing.T) {
	lawtest.CheckedOnly(t)
	require.Equal(t, ended(t), slices.Sorted(maps.Keys(endings)), "every type that can be ended is here")
	for name, made := range endings {
		if made == nil {
			continue
		}
		ways := slices.Sorted(maps.Keys(made()))
		for i, first := range ways {
			for _, second := range ways[i:] {
				t.Run(name+"/"+first+", "+second, func(t *testing.T) {
					for range lawtest.Rounds(100) {
						endTwice(t, name, made(), first, second)
					}
				})
			}
		}
	}
}

func endTwice(t *testing.T, name string, ends map[string]func(), ways ...string) {
	told := make([]error, len(ways))
	begin := make(chan bool)
	var all sync.WaitGroup
	for k, way := range ways {
		all.Go(func() {
			<-begin
			told[k] = lawtest.Failure(func() error { ends[way](); return nil })
		})
	}
	close(begin)
	all.Wait()
	done := 0
	for _, err := range told {
		var v *safety.Violation
		require.True(t, err == nil || errors.As(err, &v), "%v", err)
		if err == nil {
			done++
		}
	}
	require.NotZero(t, done, "no call has ended it: %v", told)
	if slices.Contains(ways, "Close") {
		return
	}
	require.Equal(t, 1, done, "%v", told)
	for _, err := range told {
		// Strict builds may report the second Dispose of an SPSC as a second consumer.
		both := name == "queue.SPSC" && safety.Strict && errors.Is(err, safety.ErrConflict)
		require.True(t, err == nil || errors.Is(err, safety.ErrDisposed) || errors.Is(err, safety.ErrSplit) || both, "%v", err)
	}
}
