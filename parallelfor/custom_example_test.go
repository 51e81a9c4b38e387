package parallelfor_test

import (
	"context"
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// EveryOther is a kind of job whose body is called for the even indices only.
type EveryOther[J any] struct{ body func(job *J, i int) }

func (EveryOther[J]) PerIndex() bool { return true }

func (k EveryOther[J]) Loop(job *J, r *parallelfor.Batches) error {
	for r.Next() {
		for i := r.Begin() + r.Begin()%2; i < r.End(); i += 2 {
			k.body(job, i)
		}
	}
	return nil
}

// A kind of one's own, which takes a job and a body as For does.
func ExampleKind() {
	out := array.New[int](6)
	err := parallelfor.RunKind(context.Background(), 6, Squares{Out: out.Writer()}, EveryOther[Squares]{(*Squares).Execute})
	fmt.Println(out.Slice(), err)
	// Output: [0 0 4 0 16 0] <nil>
}

// Cuts is a kind that needs no body: it notes where the loop was cut.
type Cuts struct{}

func (Cuts) PerIndex() bool { return false }

func (Cuts) Loop(out *array.Writer[string], r *parallelfor.Batches) error {
	for r.Next() {
		out.Set(r.Begin(), fmt.Sprintf("batch %d: %d-%d", r.Batch(), r.Begin(), r.End()))
	}
	return nil
}

func ExampleBatches() {
	out := array.New[string](10)
	_ = parallelfor.RunKind(context.Background(), 10, out.Writer(), Cuts{}, parallelfor.Batch(4))
	for _, i := range []int{0, 4, 8} {
		fmt.Println(out.At(i))
	}
	// Output:
	// batch 0: 0-4
	// batch 1: 4-8
	// batch 2: 8-10
}
