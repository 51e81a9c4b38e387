package parallelfor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/timeline"
)

func breaks(*none, int) { panic("broken") }

// In every form a loop over a function is named by where the function stands. The name of a named
// type, and Name, come before that.
func TestFunctionFormsAreNamedByWhereTheyStand(t *testing.T) {
	ctx := context.Background()
	at := beginning(t, breaks)
	index := func(v *struct{}, i int) { panic("broken") }
	batch := func(v *struct{}, begin, end int) { panic("broken") }
	single := func(v *struct{}) { panic("broken") }
	indexErr := func(v *struct{}, i int) error { panic("broken") }
	batchErr := func(v *struct{}, begin, end int) error { panic("broken") }
	singleErr := func(v *struct{}) error { panic("broken") }
	plain := func(i int) { panic("broken") }
	plainErr := func(i int) error { panic("broken") }
	span := func(begin, end int) { panic("broken") }
	spanErr := func(begin, end int) error { panic("broken") }
	mapped := func(x int) int { panic("broken") }
	mappedErr := func(x int) (int, error) { panic("broken") }
	yes := func(v *struct{}, i int) bool { panic("broken") }
	yesErr := func(v *struct{}, i int) (bool, error) { panic("broken") }
	part := func(v *struct{}, begin, end int) int { panic("broken") }
	value := func(v *struct{}, i int) int { panic("broken") }
	slice := func(v *struct{}) []int { return make([]int, 2) }
	add := func(a, b int) int { return a + b }
	compare := func(a, b int) int { panic("broken") }
	var v struct{}
	for name, c := range map[string]struct {
		run  func()
		want string
	}{
		"For":           {func() { parallelfor.For(1, v, index) }, "loop at " + beginning(t, index)},
		"ForErr":        {func() { _ = parallelfor.ForErr(ctx, 1, v, indexErr) }, "loop at " + beginning(t, indexErr)},
		"ForBatch":      {func() { parallelfor.ForBatch(1, v, batch) }, "loop at " + beginning(t, batch)},
		"ForBatchErr":   {func() { _ = parallelfor.ForBatchErr(ctx, 1, v, batchErr) }, "loop at " + beginning(t, batchErr)},
		"Do":            {func() { parallelfor.Do(v, single) }, "do at " + beginning(t, single)},
		"DoErr":         {func() { _ = parallelfor.DoErr(ctx, v, singleErr) }, "do at " + beginning(t, singleErr)},
		"Go":            {func() { parallelfor.Go(v, single).Complete() }, "go at " + beginning(t, single)},
		"GoErr":         {func() { parallelfor.GoErr(ctx, v, singleErr).Complete() }, "go at " + beginning(t, singleErr)},
		"Indices":       {func() { parallelfor.Indices(1, plain) }, "loop at " + beginning(t, plain)},
		"IndicesErr":    {func() { _ = parallelfor.IndicesErr(ctx, 1, plainErr) }, "loop at " + beginning(t, plainErr)},
		"Ranges":        {func() { parallelfor.Ranges(1, span) }, "loop at " + beginning(t, span)},
		"RangesErr":     {func() { _ = parallelfor.RangesErr(ctx, 1, spanErr) }, "loop at " + beginning(t, spanErr)},
		"MapSlice":      {func() { parallelfor.MapSlice([]int{1}, mapped) }, "map at " + beginning(t, mapped)},
		"MapSliceErr":   {func() { _, _ = parallelfor.MapSliceErr(ctx, []int{1}, mappedErr) }, "map at " + beginning(t, mappedErr)},
		"SortSlice":     {func() { parallelfor.SortSlice([]int{2, 1}, compare) }, "sort at " + beginning(t, compare)},
		"Find":          {func() { parallelfor.Find(1, v, yes) }, "find at " + beginning(t, yes)},
		"Filter":        {func() { parallelfor.Filter(1, v, yes) }, "filter at " + beginning(t, yes)},
		"FilterErr":     {func() { _, _ = parallelfor.FilterErr(ctx, 1, v, yesErr) }, "filter at " + beginning(t, yesErr)},
		"Compact":       {func() { parallelfor.Compact(1, v, slice, yes) }, "compact at " + beginning(t, yes)},
		"Reduce":        {func() { parallelfor.Reduce(1, v, part, add) }, "reduce at " + beginning(t, part)},
		"Scan":          {func() { parallelfor.Scan(1, v, value, slice, add) }, "scan at " + beginning(t, value)},
		"SortByKey":     {func() { parallelfor.SortByKey(v, slice, mapped) }, "sort at " + beginning(t, mapped)},
		"Sort":          {func() { parallelfor.Sort(v, slice, compare) }, "sort at " + beginning(t, compare)},
		"another name":  {func() { parallelfor.For(1, v, index, parallelfor.Name("N")) }, "N"},
		"a named type":  {func() { parallelfor.For(1, none{}, breaks) }, "none"},
		"a method":      {func() { parallelfor.For(1, v, broken{}.index) }, "loop at parallelfor_test.broken.index"},
		"one that runs": {func() { parallelfor.For(1, v, func(v *struct{}, i int) { breaks(nil, i) }) }, "loop at " + strings.Split(at, ":")[0] + ":"},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // the second run finds the name of the first
				p := panicked(t, c.run)
				if strings.HasSuffix(c.want, ":") {
					require.True(t, strings.HasPrefix(p.Job, c.want), p.Job)
					continue
				}
				require.Equal(t, c.want, p.Job)
			}
		})
	}
}

type broken struct{}

func (broken) index(*struct{}, int) { panic("broken") }

// A loop whose body is a method of the library is named by the method. A violation in it has the
// line that ran the loop, on whichever goroutine the body is executed, and in a body too.
func TestABodyThatIsAMethodOfTheLibrary(t *testing.T) {
	checkedOnly(t)
	a, l := array.New[int](2), counter.NewSum[int]()
	for _, opts := range [][]parallelfor.Option{{parallelfor.Sequential()}, {parallelfor.Workers(3), parallelfor.Batch(1)}} {
		run := func() { parallelfor.ForBatch(3, array.Unrestricted(a.Writer()), (*array.Writer[int]).Set, opts...) }
		for _, f := range []func(){
			run,
			func() { parallelfor.Do(l.Reader(), func(*counter.SumReader[int]) { run() }) },
		} {
			v := caughtViolation(t, f)
			require.Contains(t, v.Job, "loop at array.(*Writer")
			require.Contains(t, v.At, "names_test.go")
			require.Contains(t, v.Error(), "It happened at "+v.At)
		}
	}
}

// A violation in the library's method that a scheduled job calls has the line of the schedule.
func TestAScheduledBodyThatIsAMethodOfTheLibrary(t *testing.T) {
	checkedOnly(t)
	a := array.New[int](2)
	for _, opts := range [][]parallelfor.Option{{parallelfor.Sequential()}, {parallelfor.Workers(3), parallelfor.Batch(1)}} {
		h := parallelfor.ScheduleBatch(3, array.Unrestricted(a.Writer()), (*array.Writer[int]).Set, opts...)
		v := caughtViolation(t, h.Complete)
		require.ErrorIs(t, v, safety.ErrIndex)
		require.Contains(t, v.At, "names_test.go")
		require.Contains(t, v.Error(), "It happened at "+v.At)
	}
}

// Loops over two functions that stand beside each other have different names in one graph.
func TestNamesOfFunctionsAreTheirOwn(t *testing.T) {
	first := func(*struct{}) {}
	second := func(*struct{}) {}
	g := parallelfor.Record()
	for range 3 {
		parallelfor.Do(struct{}{}, first)
		parallelfor.Go(struct{}{}, second).Complete()
	}
	g.Stop()
	var b strings.Builder
	require.NoError(t, timeline.DOT(&b, g.Jobs()))
	require.Equal(t, 3, strings.Count(b.String(), "do at "+beginning(t, first)), b.String())
	require.Equal(t, 3, strings.Count(b.String(), "go at "+beginning(t, second)), b.String())
}

// Naming a loop allocates nothing after the first loop over the function.
func TestNamingAFunctionAllocatesNothing(t *testing.T) {
	if safety.Strict || atom.Explored {
		t.Skip("such builds make what loops need each time")
	}
	body := func(*struct{}, int) {}
	require.Zero(t, testing.AllocsPerRun(100, func() { parallelfor.For(1, struct{}{}, body) }))
}
