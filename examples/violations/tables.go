package main

import (
	"image"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// These misuse tables: rows, columns, and what is staged while loops run.

const (
	ballsName  = `table.Table[image.Point] "balls"`
	heightName = `table.Column[int] "height"`
	windName   = `array.Value[int] "wind"`
)

var tables = []misuse{
	{"two loops over a table write one column", columnTwice, safety.Violation{Kind: safety.ErrConflict,
		Container: heightName, Job: "bounce", Field: "Height", OtherJob: "fall", OtherField: "Height", Made: somewhere, Scheduled: somewhere}, checked},
	{"two jobs stage rows and were not ordered", stagesTwice, safety.Violation{Kind: safety.ErrConflict,
		Container: ballsName, Job: "more", OtherJob: "spawn", Made: somewhere, Scheduled: somewhere}, checked},
	{"what is staged is applied while a loop runs", applyInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: ballsName, OtherJob: "fall", Made: somewhere, Scheduled: somewhere}, checked},
	{"what is staged is applied while a job stages", applyBesideStager, safety.Violation{Kind: safety.ErrInFlight,
		Container: ballsName, OtherJob: "spawn", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner writes a column that a loop writes", columnInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: heightName, OtherJob: "fall", OtherField: "Height", Made: somewhere, Scheduled: somewhere}, checked},
	{"a value that rows share is changed while a loop reads it", windInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: windName, OtherJob: "blow", OtherField: "Wind", Made: somewhere, Scheduled: somewhere}, checked},
	{"a table is tagged while a job looks names up", tagInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: ballsName, OtherJob: "seek", Made: somewhere, Scheduled: somewhere}, checked},
	{"a loop holds a column to read it and to write it", aliasedColumn, safety.Violation{Kind: safety.ErrAliased,
		Container: heightName, Job: "smooth", Field: "Old", OtherField: "New", Made: somewhere}, checked},
	{"a body writes the first row of the next chunk", nextChunk, safety.Violation{Kind: safety.ErrWriteRange,
		Container: heightName, Job: "spill", Index: 2, Min: 0, Max: 2, Length: 3, Made: somewhere}, always},
	{"a row is asked for that a table does not have", noSuchRow, safety.Violation{Kind: safety.ErrIndex,
		Container: ballsName, Index: 3, Max: 3, Length: 3, Made: somewhere}, checked},
	{"a loop of another package is longer than a table", longerThanTheTable, safety.Violation{Kind: safety.ErrLength,
		Container: heightName, Job: "number", N: 4, Length: 3, Made: somewhere}, always},
	{"a row is staged after Dispose", addAfterDispose, safety.Violation{Kind: safety.ErrDisposed, Container: ballsName, Made: somewhere}, checked},
	{"a row is staged after the job by a Stager", staleStager, safety.Violation{Kind: safety.ErrStaleView, Container: ballsName, Made: somewhere}, always},
	{"a loop runs over the rows of no table", rowsOfNothing, safety.Violation{Kind: safety.ErrUnassigned}, always},
	{"a column is made with an option of tables", chunkedColumn, safety.Violation{Kind: safety.ErrArgument,
		Container: ballsName, Made: somewhere}, always},
	{"a column is made after rows were staged", lateColumn, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a column is made of a nil function", nilColumn, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a row is to go to the table where it is", transferHome, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a table is given a nil tag", nilTag, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a table is to have chunks of no rows", noChunk, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a loop over a table has a nil body", noBody, safety.Violation{Kind: safety.ErrArgument}, always},
	{"a pipeline has no Schedule", noSchedule, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a frame is started while another one runs", twoFrames, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"the predicate of Sweep applies what is staged", appliesInSweep, safety.Violation{Kind: safety.ErrConflict, Container: ballsName, Made: somewhere}, checked},
	{"a stage of a pipeline starts the next frame", stepsInStage, safety.Violation{Kind: safety.ErrConflict, Container: ballsName, Made: somewhere}, checked},
	{"a frame is started on a closed pipeline", closedPipeline, safety.Violation{Kind: safety.ErrClosed, Container: ballsName, Made: somewhere}, always},
}

func newBalls() (balls *table.Table[image.Point], height *table.Column[int]) {
	balls = table.New[image.Point](table.Named("balls"), table.ChunkRows(2))
	height = table.ColumnOf(balls, func(p *image.Point) *int { return &p.Y }, table.Named("height"))
	balls.AddAll([]image.Point{{0, 30}, {1, 20}, {2, 10}}, nil)
	balls.Apply()
	return balls, height
}

func newStones() (stones *table.Table[image.Point], weight *table.Column[int]) {
	stones = table.New[image.Point](table.Named("stones"))
	weight = table.ColumnOf(stones, func(p *image.Point) *int { return &p.Y }, table.Named("weight"))
	return stones, weight
}

type fall struct{ Height array.Writer[int] }

func (j *fall) Execute(i int) { j.Height.Set(i, j.Height.At(i)-1) }

type draw struct{ Height array.Reader[int] }

func (j *draw) Execute(i int) { _ = j.Height.At(i) }

type blow struct {
	Wind   array.ValueReader[int]
	Height array.Writer[int]
}

func (j *blow) Execute(i int) { j.Height.Set(i, j.Height.At(i)+j.Wind.Load()) }

// Two loops write one column, and neither runs after the other. Loops that write different columns
// need no order.
func columnTwice() {
	balls, height := newBalls()
	first := table.Schedule(balls.Rows(), fall{Height: height.Writer()}, (*fall).Execute, parallelfor.Inline())
	defer first.Complete()
	table.For(balls.Rows(), fall{Height: height.Writer()}, (*fall).Execute, parallelfor.Name("bounce")) // no parallelfor.After(first)
}

// Two jobs stage rows. Only After says whose rows come first.
func stagesTwice() {
	balls, _ := newBalls()
	spawn := func(s *table.Stager[image.Point]) { s.Add(image.Point{3, 40}) }
	first := parallelfor.Go(balls.Stager(), spawn, parallelfor.Name("spawn"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.Do(balls.Stager(), spawn, parallelfor.Name("more")) // no parallelfor.After(first)
}

// A value that all rows share is held by the loops that read it until they are completed.
func windInFlight() {
	balls, height := newBalls()
	wind := array.NewValue(5, safety.Named("wind"))
	h := table.Schedule(balls.Rows(), blow{Wind: wind.Reader(), Height: height.Writer()}, (*blow).Execute, parallelfor.Inline())
	defer h.Complete()
	wind.Store(0)
}

// The owner applies what was staged while a loop runs over the rows. To stage meanwhile is allowed.
func applyInFlight() {
	balls, height := newBalls()
	h := table.Schedule(balls.Rows(), fall{Height: height.Writer()}, (*fall).Execute, parallelfor.Inline())
	defer h.Complete()
	balls.Add(image.Point{3, 40})
	balls.Apply() // before h.Complete()
}

// The owner applies what was staged while a job stages more.
func applyBesideStager() {
	balls, _ := newBalls()
	h := parallelfor.Go(balls.Stager(), func(s *table.Stager[image.Point]) { s.Add(image.Point{3, 40}) }, parallelfor.Name("spawn"), parallelfor.Inline())
	defer h.Complete()
	balls.Apply()
}

// The owner sets an element of a column that a loop writes.
func columnInFlight() {
	balls, height := newBalls()
	h := table.Schedule(balls.Rows(), fall{Height: height.Writer()}, (*fall).Execute, parallelfor.Inline())
	defer h.Complete()
	height.Set(0, 50)
}

// A table gets a tag while a job holds the names of its rows.
func tagInFlight() {
	balls, _ := newBalls()
	h := parallelfor.Go(balls.Lookup(), func(*table.Lookup) {}, parallelfor.Name("seek"), parallelfor.Inline())
	defer h.Complete()
	balls.Tag(table.NewTag("frozen"))
}

type smoothing struct {
	Old array.Reader[int]
	New array.Writer[int]
}

func (j *smoothing) Execute(i int) { j.New.Set(i, (j.Old.At(max(i-1, 0))+j.Old.At(i))/2) }

// A loop reads the neighbours of a row in the column that it writes. What it finds there would
// depend on how far others are. A second column would have room for the results.
func aliasedColumn() {
	balls, height := newBalls()
	table.For(balls.Rows(), smoothing{Old: height.Reader(), New: height.Writer()}, (*smoothing).Execute, parallelfor.Name("smooth"))
}

// A loop by chunks writes the row behind its last one.
func nextChunk() {
	balls, height := newBalls()
	table.ForChunks(balls.Rows(), height.Writer(), func(w *array.Writer[int], begin, end int) {
		w.Set(end, 0)
	}, parallelfor.Name("spill"))
}

// The name of a row is asked for by the number of no row.
func noSuchRow() {
	balls, _ := newBalls()
	_ = balls.ID(3)
}

// A loop of package parallelfor over the rows of a table has more indices than the table has rows.
func longerThanTheTable() {
	_, height := newBalls()
	parallelfor.For(4, height.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 0) }, parallelfor.Name("number"))
}

// A row is staged after the table was disposed of. It would never be added.
func addAfterDispose() {
	balls, _ := newBalls()
	balls.Dispose()
	balls.Add(image.Point{3, 40})
}

// A Stager is kept after its job. No Apply would see what it stages then.
func staleStager() {
	balls, _ := newBalls()
	var kept table.Stager[image.Point]
	parallelfor.Do(balls.Stager(), func(s *table.Stager[image.Point]) { kept = *s })
	kept.Add(image.Point{3, 40})
}

// The table of a loop is nil.
func rowsOfNothing() {
	var balls *table.Table[image.Point]
	_, height := newBalls()
	table.For(balls.Rows(), draw{Height: height.Reader()}, (*draw).Execute)
}

// A column is made with a number of rows a chunk, which is an option of tables.
func chunkedColumn() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.ColumnOf(balls, func(p *image.Point) *int { return &p.Y }, table.ChunkRows(2))
}

// A table gets another column after rows were staged.
func lateColumn() {
	balls, _ := newBalls()
	_ = table.ColumnOf(balls, func(p *image.Point) *int { return &p.Y })
}

// The function of a column is nil.
func nilColumn() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.ColumnOf[int](balls, nil)
}

// A row is transferred to its own table.
func transferHome() {
	balls, _ := newBalls()
	_ = table.Transfer(balls, balls.ID(0), balls)
}

// The tag of a table is nil.
func nilTag() {
	balls, _ := newBalls()
	var frozen *table.Tag
	balls.Tag(frozen)
}

// A table is to have chunks of no rows. A number of places below 1 and a growth factor that does
// not grow are refused, too.
func noChunk() { _ = table.New[image.Point](table.Named("balls"), table.ChunkRows(0)) }

// The body of a loop over rows is nil.
func noBody() {
	balls, height := newBalls()
	table.For[array.Reader[int]](balls.Rows(), height.Reader(), nil)
}

// The Schedule of a pipeline is nil.
func noSchedule() {
	balls, _ := newBalls()
	_ = table.NewPipeline(balls, table.Frame{})
}

func newFrames() *table.Pipeline {
	balls, height := newBalls()
	return table.NewPipeline(balls, table.Frame{Schedule: func() parallelfor.Handle {
		return table.Schedule(balls.Rows(), fall{Height: height.Writer()}, (*fall).Execute, parallelfor.Inline())
	}})
}

// A frame is started before the last one was finished.
func twoFrames() {
	frames := newFrames()
	defer frames.Close()
	frames.Start()
	frames.Start()
}

// A frame is started on a closed pipeline.
func closedPipeline() {
	frames := newFrames()
	frames.Close()
	frames.Step()
}

// Apply asks the predicate of Sweep for all rows before it carries out the rest.
func appliesInSweep() {
	balls, height := newBalls()
	balls.Sweep(func(row int) bool {
		balls.Apply()
		return height.At(row) > 10
	})
	balls.Apply()
}

// A stage is a part of one frame. The next frame starts when Step has returned.
func stepsInStage() {
	balls, _ := newBalls()
	var frames *table.Pipeline
	frames = table.NewPipeline(balls, table.Frame{Schedule: func() parallelfor.Handle {
		frames.Step()
		return parallelfor.Handle{}
	}})
	frames.Step()
}
