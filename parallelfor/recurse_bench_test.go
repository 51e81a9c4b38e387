package parallelfor_test

import (
	"testing"

	"example.com/custody/parallelfor"
)

// leaf is a node of a tree that is summed.
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

// A tree of 1,023 nodes, and one of a single node.
func BenchmarkRecurseTree(b *testing.B) {
	const depth = 10
	tree, single := fullTree(depth), fullTree(1)
	perNode := func(b *testing.B, nodes int, sum func()) {
		for b.Loop() {
			sum()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
	}
	b.Run("plain", func(b *testing.B) { perNode(b, 1<<depth-1, func() { plainSum(tree) }) })
	b.Run("recurse", func(b *testing.B) { perNode(b, 1<<depth-1, func() { parallelfor.Recurse(forkSum, tree) }) })
	b.Run("sequential", func(b *testing.B) {
		perNode(b, 1<<depth-1, func() { parallelfor.Recurse(forkSum, tree, parallelfor.Sequential()) })
	})
	b.Run("single", func(b *testing.B) { perNode(b, 1, func() { parallelfor.Recurse(forkSum, single) }) })
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

// A recursion of 7 million calls that do nothing else.
func BenchmarkRecurseFib(b *testing.B) {
	const n = 32
	for name, run := range map[string]func() int{
		"plain":      func() int { return plainFib(n) },
		"recurse":    func() int { return parallelfor.Recurse(fib, n) },
		"sequential": func() int { return parallelfor.Recurse(fib, n, parallelfor.Sequential()) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
	}
}
