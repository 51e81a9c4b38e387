package table_test

import (
	"fmt"
	"iter"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// Ball is a row: what is known of a ball.
type Ball struct {
	Name   string
	Height float64
	Speed  float64
}

// Fall is a step of time for a ball.
type Fall struct {
	Height array.Writer[float64]
	Speed  array.Writer[float64]
}

func (f *Fall) Execute(i int) {
	v := f.Speed.At(i) - 10
	f.Speed.Set(i, v)
	f.Height.Set(i, f.Height.At(i)+v)
}

// ExecuteBatch is Execute for a chunk.
func (f *Fall) ExecuteBatch(begin, end int) {
	heights, speeds := f.Height.Slice(), f.Speed.Slice()
	for i := range heights {
		speeds[i] -= 10
		heights[i] += speeds[i]
	}
}

func ExampleTable() {
	balls := table.New[Ball](table.Named("balls"))
	names := table.KeyOf(balls, func(b *Ball) *string { return &b.Name })
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height }, table.Named("height"))
	speed := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Speed }, table.Named("speed"))

	red := balls.Add(Ball{"red", 100, 0})
	balls.Add(Ball{"green", 50, 20})
	blue := balls.Add(Ball{"blue", 20, 0})
	balls.Apply()

	table.For(balls.Rows(), Fall{Height: height.Writer(), Speed: speed.Writer()}, (*Fall).Execute)
	balls.Remove(red)
	names.Remove("purple")
	fmt.Println(balls.Apply().Problems)
	row, _ := balls.RowOf(blue)
	fmt.Println(row, balls.Len(), height.At(row))
	ball, _ := balls.Get(blue)
	fmt.Println(ball)
	// Output:
	// [custody: table: key purple: no such row]
	// 0 2 10
	// {blue 10 -10}
}

func ExampleKey() {
	balls := table.New[Ball]()
	names := table.KeyOf(balls, func(b *Ball) *string { return &b.Name })
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	balls.Add(Ball{Name: "red", Height: 1})
	balls.Add(Ball{Name: "red", Height: 2})
	fmt.Println(balls.Apply().Problems[0].Err)
	row, ok := names.RowOf("red")
	fmt.Println(row, ok, height.At(row))
	// Output:
	// a key twice
	// 0 true 1
}

// A column is read and written through views of package array.
func ExampleColumn() {
	balls := table.New[Ball]()
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	balls.AddAll([]Ball{{Height: 1}, {Height: 2}, {Height: 3}}, nil)
	balls.Apply()
	highest := parallelfor.Reduce(height.Len(), height.Reader(), func(h *array.Reader[float64], begin, end int) float64 {
		most := 0.0
		for _, v := range h.Slice()[begin:end] {
			most = max(most, v)
		}
		return most
	}, func(a, b float64) float64 { return max(a, b) })
	fmt.Println(highest)
	// Output: 3
}

// A loop that draws looks only at what has changed.
func ExampleChanges() {
	balls := table.New[Ball](table.ChunkRows(2))
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	balls.AddAll(make([]Ball, 6), nil)
	balls.Apply()
	moved := table.NewChanges(height)
	draw := func() {
		table.ForChunks(balls.Rows().Changed(moved), height.Reader(), func(h *array.Reader[float64], begin, end int) {
			fmt.Println("rows", begin, "to", end-1)
		}, parallelfor.Sequential())
	}
	draw()
	height.Set(3, 1)
	fmt.Println("again")
	draw()
	// Output:
	// rows 0 to 1
	// rows 2 to 3
	// rows 4 to 5
	// again
	// rows 2 to 3
}

// A loop finds the rows that are to be removed, and stages their removal.
func ExampleStager() {
	balls := table.New[Ball]()
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	balls.AddAll([]Ball{{Height: 5}, {Height: -1}, {Height: 7}, {Height: -2}}, nil)
	balls.Apply()
	type views struct {
		Height array.Reader[float64]
		IDs    array.Reader[table.ID]
		Stage  table.Stager[Ball]
	}
	table.For(balls.Rows(), views{Height: height.Reader(), IDs: balls.IDs(), Stage: balls.Stager()}, func(v *views, i int) {
		if v.Height.At(i) < 0 {
			v.Stage.Remove(v.IDs.At(i))
		}
	})
	fmt.Println(balls.Apply().Removed, height.Slice())
	// Output: 2 [5 7]
}

// Tables that have a tag take part in a loop over all of them. A map has the columns of each.
func ExampleQuery() {
	flying, lying := table.NewTag("flying"), table.NewTag("lying")
	heights := map[table.Any]*table.Column[float64]{}
	var all []table.Any
	for i, tag := range []*table.Tag{flying, lying, flying} {
		t := table.New[Ball](table.Named(fmt.Sprint("balls ", i)))
		heights[t] = table.ColumnOf(t, func(b *Ball) *float64 { return &b.Height })
		t.Add(Ball{Height: float64(i)})
		t.Apply()
		t.Tag(tag)
		all = append(all, t)
	}
	for t := range table.Over(all...).With(flying).All() {
		fmt.Println(t.Name(), heights[t].At(0))
	}
	// Output:
	// balls 0 0
	// balls 2 2
}

// The loop of a frame runs until the next frame begins.
func ExamplePipeline() {
	balls := table.New[Ball]()
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	speed := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Speed })
	frames := table.NewPipeline(balls, table.Frame{
		Schedule: func() parallelfor.Handle {
			return table.ScheduleChunks(balls.Rows(), Fall{Height: height.Writer(), Speed: speed.Writer()}, (*Fall).ExecuteBatch)
		},
		HandBack: func(rows iter.Seq[int]) {
			for row := range rows {
				fmt.Println("height", height.At(row))
			}
		},
	})
	defer frames.Close()
	balls.Add(Ball{Height: 100})
	for range 3 {
		frames.Step()
	}
	// Output:
	// height 90
	// height 70
}

// The stages of a frame may move whole columns, or a row at a time.
func ExampleFrame() {
	heights := []float64{100, 50} // of balls that are never removed
	balls := table.New[Ball]()
	height := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	speed := table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Speed })
	balls.AddAll(make([]Ball, len(heights)), nil)
	frames := table.NewPipeline(balls, table.Frame{
		Gather: func(iter.Seq[int]) { copy(height.Slice(), heights) },
		Schedule: func() parallelfor.Handle {
			return table.ScheduleChunks(balls.Rows(), Fall{Height: height.Writer(), Speed: speed.Writer()}, (*Fall).ExecuteBatch)
		},
		HandBack: func(rows iter.Seq[int]) {
			for row := range rows {
				heights[row] = height.At(row)
			}
		},
	})
	defer frames.Close()
	frames.Start()
	frames.Finish()
	fmt.Println(heights)
	// Output: [90 40]
}

// Each ball follows another one, which it knows by name.
func ExampleLookup() {
	type follower struct {
		At, Next int
		Leader   table.ID
	}
	t := table.New[follower]()
	at := table.ColumnOf(t, func(f *follower) *int { return &f.At })
	leader := table.ColumnOf(t, func(f *follower) *table.ID { return &f.Leader })
	next := table.ColumnOf(t, func(f *follower) *int { return &f.Next }, table.Discard())
	first := t.Add(follower{At: 100})
	second := t.Add(follower{At: 5, Leader: first})
	t.Add(follower{At: 7, Leader: second})
	t.Apply()
	type views struct {
		Names  table.Lookup
		Leader array.Reader[table.ID]
		At     array.Reader[int]
		Next   array.Writer[int]
	}
	table.For(t.Rows(), views{Names: t.Lookup(), Leader: leader.Reader(), At: at.Reader(), Next: next.Writer()}, func(v *views, i int) {
		if row, ok := v.Names.RowOf(v.Leader.At(i)); ok {
			v.Next.Set(i, v.At.At(row))
		}
	})
	fmt.Println(next.Slice())
	// Output: [0 100 5]
}

// Tables and columns have names where texts are to tell them apart.
func ExampleNamed() {
	t := table.New[Ball](table.Named("balls"))
	fmt.Println(t.Name(), table.ColumnOf(t, func(b *Ball) *float64 { return &b.Speed }, table.Named("speed")))
	// Output: balls table.Column[float64] "speed": 0 elements
}

// Rows, and keys with the names of their rows, are ranged over in the order of the rows.
func ExampleTable_All() {
	t := table.New[Ball]()
	names := table.KeyOf(t, func(b *Ball) *string { return &b.Name })
	table.ColumnOf(t, func(b *Ball) *float64 { return &b.Height })
	t.AddAll([]Ball{{Name: "red", Height: 3}, {Name: "blue", Height: 5}}, nil)
	t.Apply()
	for _, ball := range t.All() {
		fmt.Println(ball.Name, ball.Height)
	}
	for name, id := range names.All() {
		ball, _ := t.Get(id)
		fmt.Println(name == ball.Name)
	}
	// Output:
	// red 3
	// blue 5
	// true
	// true
}

// Spring pulls each bead to the middle of its neighbours.
type spring struct {
	Now  array.Reader[int]
	Next array.Writer[int]
}

func (j *spring) Execute(i int) {
	left, right := max(i-1, 0), min(i+1, j.Now.Len()-1)
	j.Next.Set(i, (j.Now.At(left)+j.Now.At(right))/2)
}

// While a loop computes the next places from those of the neighbours, the owner reads the front.
func ExampleDoubleColumn() {
	t := table.New[int]() // a bead is where it is, and nothing else
	at := table.DoubleOf(t, func(bead *int) *int { return bead })
	t.AddAll([]int{0, 40, 0, 0}, nil)
	t.Apply()
	for range 3 {
		h := table.Schedule(t.Rows(), spring{Now: at.Front().Reader(), Next: at.Back().Writer()}, (*spring).Execute)
		fmt.Print(at.Front().At(1), " ")
		h.Complete()
		at.Swap() // shows the next places
	}
	fmt.Println(at.Front().Slice())
	// Output: 40 0 20 [15 5 15 5]
}
