package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// vec is a place on the ground, in metres.
type vec struct{ x, y float32 }

// shot is a row of the table of shots.
type shot struct {
	order  order
	aim    vec
	flight flight
}

// order names the gun that fires, and its target. The target may be gone before the shot lands.
type order struct {
	gun    int
	target table.ID
}

// flight is how far a shot has come: the ground below it, and whether it has landed.
type flight struct {
	ground        vec
	flown, height float32
	landed        bool
}

// seek aims each shot at its target; without one it keeps its aim.
type seek struct {
	Targets table.Lookup
	Places  array.Reader[vec]
	Orders  array.Reader[order]
	Aims    array.Writer[vec]
}

func (s *seek) ExecuteBatch(begin, end int) {
	aims, places := s.Aims.Slice(), s.Places.Slice()
	for i, order := range s.Orders.Slice()[begin:end] {
		if row, found := s.Targets.RowOf(order.target); found {
			aims[i] = places[row]
		}
	}
}

// fly moves each shot by a frame and leaves a copy of its flight for the picture.
type fly struct {
	Aims    array.Reader[vec]
	Flights array.Writer[flight]
	Picture array.Writer[flight]
}

func (f *fly) ExecuteBatch(begin, end int) {
	flights := f.Flights.Slice()
	for i, aim := range f.Aims.Slice()[begin:end] {
		flights[i].fly(aim)
	}
	copy(f.Picture.Slice(), flights)
}

// land removes the shots that have landed, and adds their guns to rows: row 0 for shots without a
// target, then one for each target.
type land struct {
	Targets table.Lookup
	Flights array.Reader[flight]
	Orders  array.Reader[order]
	IDs     array.Reader[table.ID]
	Shots   table.Stager[shot]
	Landed  array.StreamKeyedWriter[int]
}

func (l *land) ExecuteBatch(begin, end int) {
	for i, flight := range l.Flights.Slice()[begin:end] {
		if flight.landed {
			l.Shots.Remove(l.IDs.At(begin + i))
			order, to := l.Orders.At(begin+i), 0
			if row, found := l.Targets.RowOf(order.target); found {
				to = 1 + row
			}
			l.Landed.Add(to, order.gun)
		}
	}
}

// world has two tables, and two pictures: one is drawn while a frame writes the other.
type world struct {
	rules
	all            *table.Table[target]
	places, speeds *table.Column[vec]
	health         *table.Column[int]
	shots          *table.Table[shot]
	orders         *table.Column[order]
	aims           *table.Column[vec]
	flights        *table.Column[flight]
	picture        *array.Double[flight]
	landed         *array.Stream[int]
	opts           []parallelfor.Option
}

func newWorld(r rules, chunk int, opts ...parallelfor.Option) *world {
	t := table.New[target](table.Named("targets"))
	s := table.New[shot](table.Named("shots"), table.ChunkRows(chunk))
	w := &world{
		rules: r, all: t, shots: s, opts: opts,
		places:  table.ColumnOf(t, func(r *target) *vec { return &r.at }, table.Named("places")),
		speeds:  table.ColumnOf(t, func(r *target) *vec { return &r.velocity }),
		health:  table.ColumnOf(t, func(r *target) *int { return &r.health }),
		orders:  table.ColumnOf(s, func(r *shot) *order { return &r.order }),
		aims:    table.ColumnOf(s, func(r *shot) *vec { return &r.aim }, table.Named("aims")),
		flights: table.ColumnOf(s, func(r *shot) *flight { return &r.flight }, table.Named("flights")),
		picture: array.NewDouble[flight](r.guns, safety.Named("picture")),
		landed:  array.NewStream[int](safety.Named("landed")),
	}
	for range r.targets {
		t.Add(w.target())
	}
	t.Apply()
	for gun := range r.guns {
		w.fire(gun)
	}
	return w
}

// step makes a frame: three jobs, each after the one whose results it needs. Meanwhile the picture
// of the frame before is drawn.
func (w *world) step() {
	w.all.Apply()
	w.shots.Apply()
	rows := w.shots.Rows()
	w.landed.Clear()
	w.landed.Resize(1 + w.all.Len())
	seeking := table.ScheduleChunks(rows, seek{
		Targets: w.all.Lookup(), Places: w.places.Reader(), Orders: w.orders.Reader(), Aims: w.aims.Writer(),
	}, (*seek).ExecuteBatch, w.opts...)
	flying := table.ScheduleChunks(rows, fly{
		Aims: w.aims.Reader(), Flights: w.flights.Writer(), Picture: w.picture.Back().Writer(),
	}, (*fly).ExecuteBatch, append(w.opts, parallelfor.After(seeking))...)
	landing := table.ScheduleChunks(rows, land{
		Targets: w.all.Lookup(), Flights: w.flights.Reader(), Orders: w.orders.Reader(), IDs: w.shots.IDs(),
		Shots: w.shots.Stager(), Landed: w.landed.KeyedWriter(),
	}, (*land).ExecuteBatch, append(w.opts, parallelfor.After(flying))...)
	w.show(w.picture.Front().Slice())
	landing.Complete()
	w.picture.Swap()
	w.settle()
}
