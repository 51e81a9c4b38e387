package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

type leaf struct {
	value       int
	left, right *leaf
}

func fullTree(depth int) *leaf {
	if depth == 0 {
		return nil
	}
	return &leaf{1, fullTree(depth - 1), fullTree(depth - 1)}
}

func plainSum(n *leaf) int {
	if n.left == nil {
		return n.value
	}
	return n.value + plainSum(n.left) + plainSum(n.right)
}

func forkSum(f *parallelfor.Forks[*leaf, int], n *leaf) int {
	if n.left == nil {
		return n.value
	}
	l, r := f.Join(n.left, n.right)
	return n.value + l + r
}

func TestRecurseSums(t *testing.T) {
	tree := fullTree(10)
	for range 100 {
		require.Equal(t, 1023, parallelfor.Recurse(forkSum, tree))
	}
}

func BenchmarkPlainTree(b *testing.B) {
	tree := fullTree(10)
	s := 0
	for b.Loop() {
		s += plainSum(tree)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1023, "ns/node")
}

func BenchmarkForkTree(b *testing.B) {
	tree := fullTree(10)
	s := 0
	for b.Loop() {
		s += parallelfor.Recurse(forkSum, tree)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1023, "ns/node")
}

func fib(f *parallelfor.Forks[int, int], n int) int {
	if n < 2 {
		return n
	}
	a, b := f.Join(n-1, n-2)
	return a + b
}

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

func BenchmarkFib(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			plainFib(32)
		}
	})
	b.Run("fork", func(b *testing.B) {
		for b.Loop() {
			parallelfor.Recurse(fib, 32)
		}
	})
	b.Run("fork1", func(b *testing.B) {
		for b.Loop() {
			parallelfor.Recurse(fib, 32, parallelfor.Sequential())
		}
	})
}

func BenchmarkForkLeaf(b *testing.B) {
	tree := fullTree(1)
	s := 0
	for b.Loop() {
		s += parallelfor.Recurse(forkSum, tree)
	}
}

func BenchmarkForkTreeAlone(b *testing.B) {
	tree := fullTree(10)
	s := 0
	for b.Loop() {
		s += parallelfor.Recurse(forkSum, tree, parallelfor.Sequential())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1023, "ns/node")
}

func BenchmarkDoNothing(b *testing.B) {
	for b.Loop() {
		parallelfor.Indices(2, func(int) {}, parallelfor.Batch(1))
	}
}
