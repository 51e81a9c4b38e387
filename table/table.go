package table

import (
	"reflect"
	"strconv"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Table is a container of rows of type R, whose fields lie in columns. See the package's
// documentation. Make it with [New]; it must not be copied.
//
// Any goroutine may stage additions and removals of rows at any time ([Table.Add], [Table.Remove]).
// They take effect in [Table.Apply], when no job holds the table. All other methods are for one
// goroutine at a time, or several that order themselves, as the elements of a slice are. They are
// refused while a job holds what they use.
//
// Cost: an Apply costs what was staged, and a copy of the columns if they need more room. The
// number of rows plays no part, unless there is a liveness predicate, or a column that discards
// ([Discard]). An Apply of nothing costs some nanoseconds.
//
// Memory: the columns, of which a [DoubleColumn] is two, and 12 bytes for the name
// of each row, for as many rows as there is room for; 8 bytes for each name that was in use at one
// time; 8 bytes for each chunk of each column; the keys (see [Key]); 5 bytes for each place of a
// [Fixed] table; and what is staged, whose memory is kept for the next time.
type Table[R any] struct {
	core
	columns  []column[R]
	stage    stage[R]
	requests *requests[R] // of loops
	key      keyed[R]     // nil: there is none
	holds    bool         // rows may keep something alive
}

// core is what a table is whatever its rows are.
type core struct {
	self   *core        // its address; another one in a copy
	guard  safety.Guard // of the rows: loops hold it to read, and so do those that look names up
	number uint32
	chunk  int
	growth growth
	ids    *array.List[ID]
	slots  []slot
	outs   []out   // of an Apply
	strips []strip // the columns
	parts  []*base // theirs
	keys   keyring // nil: there is none
	keyAt  extent  // of a row, which are its key
	calls  calls
	tags   []*Tag
	values []shared
	room   int              // for so many rows
	limit  int              // of rows: mostRows, but for tests
	count  atom.HiddenInt64 // rows, for who may be ordered with nobody

	// Of a table of a fixed number of places.
	fixed  int // 0: it is none
	valid  *array.Array[bool]
	flags  []bool      // its elements
	places []int32     // without rows, the next ones last
	clock  atom.Uint64 // version of the last loop or change
	loops  loops
	alive  func(row int) bool
	looped *safety.Guard // of what loops stage

	// Of Apply, kept.
	report  Report
	dead    []int32
	ended   []int32
	free    []name
	moves   []move
	set     []uint64
	touched []int32 // chunks
	filled  []int32
	trim    struct{ dead, problems, ended, free, outs, moves, set, touched, filled atom.Trimmer }
	cuts    uint64 // how often Apply has removed rows and moved others, or may have
	known   int    // so many rows that are to be added are registered by their keys
	noted   bool   // those rows are in their slots
}

// growth says how much room a column gets that needs more.
type growth struct {
	factor float64
	step   int
}

// Option determines how a table is made. A nil Option is a violation.
type Option interface{ option() tableOption }

// tableOption is what an Option is.
type tableOption struct {
	named safety.Option
	set   func(t *core) *safety.Violation // may be nil
}

func (o tableOption) option() tableOption { return o }

// Naming is the option that gives a table, a column or a value that all rows share its name; see [Named].
type Naming struct{ name string }

// Named gives a table, a column or a value that all rows share a name: for the texts of violations, and for [FindColumn], [FindDouble] and [FindValue]. It takes
// the place of safety.Named here, because a table also looks columns and values up by it. No two columns of a table, and no two values, have the same one.
func Named(name string) Naming { return Naming{name} }

func (n Naming) option() tableOption { return tableOption{named: safety.Named(n.name)} }

func (n Naming) columnOption() columnOption { return columnOption{name: n.name} }

// ChunkRows sets how many rows a chunk has; otherwise they are 1024. Workers get whole chunks: a loop over few rows whose bodies take long wants
// short ones, and one over a million rows that take a nanosecond each wants long ones, such as 4096: to go on to the next chunk costs half a microsecond there,
// since what is fetched ahead ends with the chunk. Less than 1, or more than 2^30-1, which is how many rows a table can have, is a violation of New.
func ChunkRows(n int) Option {
	return tableOption{set: func(t *core) *safety.Violation {
		if t.chunk = n; n < 1 || n > mostRows {
			return t.unset("chunks of " + number(n) + " rows")
		}
		return nil
	}}
}

// GrowBy has columns that need more room get so many times what they have, or what they need if that is more, but never more than for 2^30-1
// rows; otherwise it is 2. What is not more than 1, or more than a million, is a violation of New.
func GrowBy(factor float64) Option {
	return tableOption{set: func(t *core) *safety.Violation {
		if t.growth = (growth{factor: factor}); !(factor > 1) || factor > 1e6 {
			return t.unset("growth by a factor of " + strconv.FormatFloat(factor, 'g', -1, 64))
		}
		return nil
	}}
}

// GrowInSteps has columns that need more room get as many steps of so many rows as they need, but never more than for 2^30-1 rows. Less than 1, or
// more than that, is a violation of New.
func GrowInSteps(rows int) Option {
	return tableOption{set: func(t *core) *safety.Violation {
		if t.growth = (growth{step: rows}); rows < 1 || rows > mostRows {
			return t.unset("growth in steps of " + number(rows) + " rows")
		}
		return nil
	}}
}

const (
	usualChunk = 1024
	mostRows   = 1<<30 - 1 // of a table, with those that are staged
)

func number(n int) string { return strconv.Itoa(n) }

var tables atom.Uint32

// unset returns the violation of a setting that a table cannot have.
func (t *core) unset(what string) *safety.Violation {
	return t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have "+what, "Chunks and steps are 1 to "+number(mostRows)+" rows; a factor is more than 1, and 1000000 at most.")
}

// New returns a table without rows and columns.
func New[R any](opts ...Option) *Table[R] {
	t := &Table[R]{core: core{number: tables.Add(1), chunk: usualChunk, growth: growth{factor: 2}, limit: mostRows}}
	named, set := make([]safety.Option, 0, len(opts)), make([]tableOption, 0, len(opts))
	for _, o := range opts {
		needOption(o, "a table")
		set = append(set, o.option())
		named = append(named, set[len(set)-1].named)
	}
	named = append(named, safety.PartOf(t), safety.MadeAt(safety.Caller(1)))
	t.self, t.loops.of = &t.core, &t.core
	t.guard.Init(&t.loops, 0, named...)
	for _, o := range set {
		if o.set == nil {
			continue
		}
		if v := o.set(&t.core); v != nil {
			t.guard.Dispose() // nobody else can
			panic(v)
		}
	}
	t.ids = array.NewList[ID](named...)
	t.requests = newRequests[R](named)
	t.looped = &t.requests.guard
	if t.fixed > 0 {
		t.settle(named)
	}
	t.holds = word.Holds(reflect.TypeFor[R]())
	return t
}

// adopt takes a column, and how rows come into it.
func (t *Table[R]) adopt(c strip, of column[R]) {
	if t.fixed > 0 {
		c.resize(t.fixed, t.fixed)
	}
	t.columns = append(t.columns, of)
	t.strips = append(t.strips, c)
	t.parts = append(t.parts, c.part())
}

// tick returns the version of a change that is made now.
func (t *core) tick() uint64 { return t.clock.Add(1) }

func (t *core) chunkOf(row int) int { return row / t.chunk }

// chunksOf returns how many chunks so many rows have.
func (t *core) chunksOf(rows int) int { return rows/t.chunk + min(rows%t.chunk, 1) }

// check refuses a change while a job holds a part of the table.
func (t *core) check() {
	t.guard.CheckWrite()
	t.looped.CheckWrite()
	t.ids.Grow(0)
	if t.fixed > 0 {
		t.valid.Slice()
	}
	for _, c := range t.strips {
		c.check()
	}
}

// Len returns the number of rows, or of places if that is fixed.
func (t *Table[R]) Len() int {
	if !t.exists() {
		need(t, "rows were counted of")
	}
	t.original()
	return t.ids.Len()
}

// Chunk returns how many rows a chunk has.
func (t *Table[R]) Chunk() int { return t.chunk }

// RowOf returns the number of the row of that name, which holds until the next Apply that removes
// rows. It returns false if there is no such row: it was removed, is still staged, or is of another
// table.
func (t *Table[R]) RowOf(id ID) (row int, ok bool) {
	t.guard.CheckRead()
	return t.find(id)
}

func (t *core) find(id ID) (row int, ok bool) {
	if id.table != t.number || int(id.slot) >= len(t.slots) {
		return none, false
	}
	if s := t.slots[id.slot]; s.gen == id.gen && s.row >= 0 {
		return int(s.row), true
	}
	return none, false
}

// ID returns the name of a row. A row outside [0, Len) is a violation.
func (t *Table[R]) ID(row int) ID {
	t.original()
	return t.ids.At(row)
}

// Get returns the row of that name, with the elements of its columns and its key; other fields are
// zero. It returns false if there is no such row.
func (t *Table[R]) Get(id ID) (r R, ok bool) {
	row, ok := t.RowOf(id)
	if !ok {
		return r, false
	}
	t.gather(row, &r)
	return r, true
}

// gather fills a row.
func (t *Table[R]) gather(row int, to *R) {
	for _, c := range t.columns {
		c.gather(row, to)
	}
	if t.key != nil {
		t.key.gather(row, to)
	}
}

// Set changes the row of that name, and reports whether there is one. Of a [DoubleColumn]
// it changes the front, and not the back. The row keeps its key: if r has another key, that is a
// violation, and nothing is changed.
func (t *Table[R]) Set(id ID, r R) bool {
	row, ok := t.RowOf(id)
	if !ok {
		return false
	}
	for _, c := range t.strips {
		c.check()
	}
	if t.key != nil {
		t.key.same(row, &r)
	}
	for _, c := range t.columns {
		c.scatter(row, &r)
	}
	return true
}

// Sweep makes every Apply remove the dead rows, for which alive returns false, before the rows
// whose removal is staged. A nil alive ends that.
//
// Apply calls alive for every row, in order, before it changes anything. A [Pipeline] with Gather
// or HandBack calls alive, too. alive may read and set columns, look rows up, and stage; the same
// Apply does what alive has staged. In alive, calls that change the table, such as Apply, Dispose,
// Sweep and Tag, and those of a pipeline of the table, are violations. So is a loop over the table
// that alive schedules and does not complete.
func (t *Table[R]) Sweep(alive func(row int) bool) {
	t.enter(callSweep)
	defer t.leave()
	t.guard.CheckWrite()
	t.alive = alive
}

// IDs returns a view that reads the names of all rows.
func (t *Table[R]) IDs() array.Reader[ID] {
	if t == nil {
		return array.Reader[ID]{}
	}
	t.original()
	return t.ids.Reader()
}
