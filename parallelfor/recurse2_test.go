package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
)

func TestRecurseManyWorkers(t *testing.T) {
	p := parallelfor.NewPool(8)
	defer p.Close()
	n := 24
	if atom.Race {
		n = 12
	}
	want := plainFib(n)
	for range 30 {
		require.Equal(t, want, parallelfor.Recurse(fib, n, parallelfor.On(p), parallelfor.Workers(8)))
	}
}
func TestRecursePanics(t *testing.T) {
	p := parallelfor.NewPool(8)
	defer p.Close()
	boom := func(f *parallelfor.Forks[int, int], n int) int {
		if n < 2 {
			if n == 0 { panic("zero") }
			return n
		}
		s := 0
		for i := range 200 { s += i*n }
		a, b := f.Join(n-1, n-2)
		return a + b +s
	}
	for range 50 {
		func() {
			defer func() {
				v := recover()
				require.Equal(t, "zero", v.(*parallelfor.Panic).Value)
			}()
			parallelfor.Recurse(boom, 12, parallelfor.On(p), parallelfor.Workers(8))
		}()
	}
}
