package table

import (
	"cmp"
	"iter"
	"strconv"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Table is a container of rows of type R, whose fields lie in columns. See the package's
// documentation. Make it with [New]; it must not be copied.
//
// Any goroutine may stage additions and removals of rows at any time ([Table.Add], [Table.Remove]).
// They take effect in [Table.Apply], when no job holds the table. All other methods are for one
// goroutine at a time, or several that order themselves, as the elements of a slice are. They are
// refused while a job holds what they use; two that change the table at a time are a violation.
//
// Cost: an Apply costs what was staged, and a copy of the columns if they need more room. The
// number of rows plays no part, unless there is a liveness predicate, or a column that discards
// ([Discard]). An Apply of nothing costs some nanoseconds.
//
// Memory: the columns, of which a [DoubleColumn] is two, and 12 bytes for the name of each row, for
// as many rows as there is room for; 8 bytes for each name that was in use at one time; 8 bytes for
// each chunk of each column; the keys (see [Key]); 5 bytes for each place of a [Fixed] table; and
// what is staged, whose memory is kept for the next time.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Add, AddAll, Remove                     staged         lock       O(rows)                growth
//	Apply                                   owner changes  lock       O(staged), or O(rows)  growth
//	Len, Count, RowOf, ID                   owner reads    wait-free  O(1)                   never
//	Get, All                                owner reads    wait-free  O(columns)             one
//	Set                                     owner changes  wait-free  O(columns)             one
//	Stats                                   owner reads    lock       O(1)                   never
//	Tagged                                  owner reads    wait-free  O(tags)                never
//	Sweep, Tag, Untag                       owner changes  wait-free  O(tags)                growth
//	Chunk, Name, Rows, IDs, Lookup, Stager  constant       wait-free  O(1)                   never
//	Dispose                                 ledger         lock       O(columns)             never
type Table[R any] struct {
	_    [0]*R
	core core
}

// core is a table without the type of its rows. The package's users compile all methods of a Table
// again for each type of rows, and those of the generic types that a core mentions. So methods of a
// Table do little more than read and write rows.
type core struct {
	self     *core        // its address, which a copy does not have
	guard    safety.Guard // of the rows: loops and lookups hold it to read
	number   uint32       // of the table, in IDs
	chunk    int          // rows of a chunk
	factor   float64      // by which the room grows
	ids      *idList
	slots    []slot
	columns  []*base
	stage    stage
	requests any     // *requests, of loops
	key      keyring // nil: there is none
	keyField elem.Field
	calls    calls
	tags     []*Tag
	room     int              // rows that there is memory for
	limit    int              // of rows: mostRows, or less because of a column or a test
	printed  atom.HiddenInt64 // the number of rows, for String, which any goroutine may call

	// Of a table with a fixed number of places.
	fixed  int     // their number; 0: rows move
	flags  []bool  // which places have a row
	places []int32 // those without a row; the last one is taken next

	clock  atom.Uint64 // version of the last loop or change
	alive  func(row int) bool
	looped *safety.Guard // of what loops stage

	// Of an Apply. The slices are kept for the next one.
	report  Report
	dead    []int32  // rows that alive returned false for
	gone    []int32  // rows that have ended, the dead ones among them
	free    []name   // slots that may be used again
	set     []uint64 // bits of rows, for descend
	touched []int32  // chunks
	filled  []int32  // places
	trim    struct{ dead, problems, gone, free, set, touched, filled atom.Trimmer }
	runs    int32  // the number of Applies that had something to do, from 1 on, up to mostRuns
	cuts    uint64 // the number of Applies after which rows may have moved
	known   int    // the rows of the batch whose keys are registered are those before this index
	noted   bool   // the rows of the batch are in their slots
}

// Option is a setting of a table or of a column. [Named] is for both, [Discard] is for columns, and
// the others are for tables. The zero Option changes nothing.
type Option struct {
	name    string
	discard bool
	set     func(t *core) *safety.Violation // of tables; may be nil
}

// Named gives a table or a column a name, which texts of violations show. The last name counts that
// is not empty.
func Named(name string) Option { return Option{name: name} }

// ChunkRows sets the number of rows of a chunk, which is 1024 otherwise. A worker takes a chunk at
// a time. A loop over few rows with long bodies wants short chunks. A loop over a million rows that
// take a nanosecond each wants long ones, such as 4096: the step to the next chunk costs half a
// microsecond there, because what the processor fetches ahead ends with the chunk. Less than 1, or
// more than 2^30-1, is a violation of New.
func ChunkRows(n int) Option {
	return Option{set: func(t *core) *safety.Violation {
		if t.chunk = n; n < 1 || n > mostRows {
			return t.unset("chunks of " + number(n) + " rows")
		}
		return nil
	}}
}

// GrowBy sets the factor by which the room of the columns grows when they need more, which is 2
// otherwise. The room is for the rows that there are if these are more, and never for more than
// 2^30-1. A factor of 1 or less, or of more than a million, is a violation of New.
func GrowBy(factor float64) Option {
	return Option{set: func(t *core) *safety.Violation {
		if t.factor = factor; !(factor > 1) || factor > 1e6 {
			return t.unset("growth by a factor of " + strconv.FormatFloat(factor, 'g', -1, 64))
		}
		return nil
	}}
}

const (
	usualChunk = 1024
	mostRows   = 1<<30 - 1 // of a table, staged ones among them
)

func number(n int) string { return strconv.Itoa(n) }

var tables atom.Uint32

// unset returns the violation of a setting that a table cannot have.
func (t *core) unset(what string) *safety.Violation {
	return t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have "+what, "Chunks are 1 to "+number(mostRows)+" rows; a factor is more than 1, and 1000000 at most.")
}

// New returns a table without rows and columns.
func New[R any](opts ...Option) *Table[R] {
	t := new(Table[R])
	t.core.init(t, elem.TypeOf[R](), elem.TypeOf[request[R]](), opts)
	return t
}

// init makes t the core of table. The user's call is two frames up.
func (t *core) init(table any, row, ask *elem.Type, opts []Option) {
	t.number, t.chunk, t.factor, t.limit = tables.Add(1), usualChunk, 2, mostRows
	name := ""
	for _, o := range opts {
		name = cmp.Or(o.name, name)
	}
	parts := []safety.Option{safety.Named(name), safety.PartOf(table), safety.MadeAt(safety.Caller(2))}
	t.self, t.stage.elem = t, row
	t.guard.Init((*loops)(t), 0, parts...)
	for _, o := range opts {
		var v *safety.Violation
		if o.discard {
			v = t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to be made with Discard", "Pass it to ColumnOf or DoubleOf.")
		} else if o.set != nil {
			v = o.set(t)
		}
		if v != nil {
			t.guard.Dispose()
			panic(v)
		}
	}
	t.ids = newIDs(parts...)
	q := newRequests(ask, parts)
	t.requests, t.looped = q, &q.guard
	if t.fixed > 0 {
		t.settle()
	}
}

// tick returns the version of a change that is made now.
func (t *core) tick() uint64 { return t.clock.Add(1) }

func (t *core) chunkOf(row int) int { return row / t.chunk }

// chunksOf returns the number of chunks of so many rows.
func (t *core) chunksOf(rows int) int { return rows/t.chunk + min(rows%t.chunk, 1) }

// check panics with a violation while a job holds a part of the table.
func (t *core) check() {
	t.guard.CheckWrite()
	t.looped.CheckWrite()
	t.ids.list.Guard().CheckWrite()
	for _, c := range t.columns {
		c.guard.CheckWrite()
	}
}

// Len returns the number of rows, or of places if that is fixed. Jobs do not exclude it.
func (t *Table[R]) Len() int { return (*core)(elem.Pointer(t)).len() }

func (t *core) len() int {
	t.need("rows were counted of").original()
	return t.ids.Len()
}

// Chunk returns the number of rows of a chunk.
func (t *Table[R]) Chunk() int { return t.core.chunk }

// RowOf returns the number of the row of that name, which holds until the next Apply that removes
// rows. It returns false if there is no such row: it was removed, is still staged, or is of another
// table.
func (t *Table[R]) RowOf(id ID) (row int, ok bool) { return t.core.rowOf(id) }

func (t *core) rowOf(id ID) (row int, ok bool) {
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

// ID returns the name of a row, or the zero ID for a place without one. A row outside [0, Len) is a
// violation.
func (t *Table[R]) ID(row int) ID { return t.core.idAt(row) }

func (t *core) idAt(row int) ID {
	t.original()
	return t.ids.At(row)
}

// Get returns the row of that name, with the elements of its columns and its key; other fields are
// zero. It returns false if there is no such row.
func (t *Table[R]) Get(id ID) (r R, ok bool) {
	ok = t.core.get(id, elem.Pointer(&r))
	return r, ok
}

func (t *core) get(id ID, to elem.Pointer) bool {
	row, ok := t.rowOf(id)
	if ok {
		t.gather(row, to)
	}
	return ok
}

// gather fills a row.
func (t *core) gather(row int, to elem.Pointer) {
	for _, c := range t.columns {
		c.gather(row, to)
	}
	if t.key != nil {
		t.key.gather(row, to)
	}
}

// Set changes the row of that name, in every column, and reports whether there is one. Of a
// [DoubleColumn] it changes the front, and not the back. The row keeps its key: if r has another
// key, that is a violation, and nothing is changed.
func (t *Table[R]) Set(id ID, r R) bool { return t.core.setRow(id, elem.Pointer(&r)) }

func (t *core) setRow(id ID, from elem.Pointer) bool {
	row, ok := t.rowOf(id)
	if !ok {
		return false
	}
	for _, c := range t.columns {
		c.guard.CheckWrite()
	}
	if t.key != nil {
		t.key.same(row, from)
	}
	for _, c := range t.columns {
		c.scatter(row, from)
	}
	return true
}

// Sweep makes every Apply remove the dead rows, for which alive returns false, before the rows
// whose removal is staged. A nil alive ends that.
//
// Apply calls alive for every row, in order, before it changes anything. So does a range over the
// rows that a stage of a [Frame] gets. alive may read and set columns, look rows up, and stage; the
// same Apply does what alive has staged. In alive, calls that change the table, such as Apply,
// Dispose, Sweep and Tag, and those of a pipeline of the table, are violations. So is a loop over
// the table that alive schedules and does not complete.
func (t *Table[R]) Sweep(alive func(row int) bool) { t.core.sweep(alive) }

func (t *core) sweep(alive func(row int) bool) {
	t.enter(callSweep)
	defer t.leave()
	t.guard.CheckWrite()
	t.alive = alive
}

// IDs returns a view that reads the names of all rows. The name of a place without a row is the
// zero ID.
func (t *Table[R]) IDs() array.Reader[ID] { return (*core)(elem.Pointer(t)).idReader() }

func (t *core) idReader() array.Reader[ID] {
	if t == nil {
		return array.Reader[ID]{}
	}
	t.original()
	return t.ids.reader()
}

// All ranges over the rows and their names, in order, as many as there are when the range begins.
// It leaves out places without a row. Each row is looked up at its turn.
//
// The body may call any method. If an Apply in the body removes rows, the next step of the range
// panics ([safety.ErrBorrowed]), because other rows may have moved: stage the removals in the body
// and call Apply after the range. An Apply that only adds rows does not end the range. Neither does
// an Apply of a [Fixed] table, where rows stay: the range leaves out rows that were removed, and
// comes to rows that were added at places ahead of it.
func (t *Table[R]) All() iter.Seq2[ID, R] {
	return func(yield func(ID, R) bool) {
		w, r := (*core)(elem.Pointer(t)).walk(), new(R)
		for w.next(elem.Pointer(r)) && yield(w.id, *r) {
		}
	}
}
