package table

import (
	"math"
	"strconv"

	"example.com/custody/array"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// ID is the name of a row, from when its addition is staged until its removal is applied. A name is
// never used again. The zero ID is the name of no row. IDs are compared by ==.
// String: constant; wait-free; O(1); allocates the text.
type ID struct {
	table     uint32 // the number of the table
	slot, gen uint32
}

// zero reports whether id is the zero ID.
func (id ID) zero() bool { return id == ID{} }

// String returns the name for texts: the number of the table, that of the slot, and which of the
// names of that slot it is, from 1 on.
func (id ID) String() string {
	if id.zero() {
		return "no row"
	}
	return strconv.Itoa(int(id.table)) + "/" + strconv.Itoa(int(id.slot)) + "#" + strconv.Itoa(int(id.gen))
}

// id returns the ID of a name.
func (t *core) id(n name) ID { return ID{t.number, n.slot, n.gen} }

// slot is what is known of a name. It is small, because the slots of rows that come and go together
// lie anywhere.
type slot struct {
	row int32  // of the table; below 0 there is none, see ended and waits
	gen uint32 // of its last row; 0: it has had none, and row has no meaning
}

// state is what has become of the last row of a slot.
type state uint32

const (
	absent  state = iota // the table did not have it when this Apply began
	present              // the table has it
	staged               // this Apply is to add it
	removed              // this Apply has removed it, or called it off
	refused              // this Apply was to add it, and does not
	swept                // this Apply has found it dead
)

// The field row of a slot without a row is waits+i if the running Apply is to add row i of its
// batch. Otherwise ended returns it. none is no row or index.
const (
	none     = -1
	waits    = math.MinInt32
	mostRuns = 1<<27 - 1 // of the field runs of a core
)

// ended returns the field row of a slot whose row has ended in this Apply, or is not added: -1 less
// how, and less 8 for each of runs. So what an earlier Apply has noted is known by its number.
func (t *core) ended(how state) int32 { return -1 - int32(how) - 8*t.runs }

// state returns what has become of the last row of a slot. i is the number of a row that is
// present, the index in the batch of one that is staged, else none.
func (t *core) state(number uint32) (s state, i int) {
	switch row := t.slots[number].row; {
	case row >= 0:
		return present, int(row)
	case row < waits+mostRows:
		return staged, int(row - waits)
	case t.ended(absent)-row < 8 && row <= t.ended(absent):
		return state(t.ended(absent) - row), none
	}
	return absent, none
}

// out notes how the row of a slot has ended, or why it is not added.
func (t *core) out(number uint32, how state) { t.slots[number].row = t.ended(how) }

// run begins an Apply. Before runs would be too large it forgets what all of them have noted.
func (t *core) run() {
	if t.runs++; t.runs <= mostRuns {
		return
	}
	t.runs = 1
	for i := range t.slots {
		if t.slots[i].row < 0 { // an Apply leaves none that waits
			t.slots[i].row = none
		}
	}
}

// Lookup returns a view with which the bodies of a job find rows by their names. Until a job that
// holds one is completed, no rows are added or removed.
func (t *Table[R]) Lookup() Lookup { return (*core)(elem.Pointer(t)).lookup() }

func (t *core) lookup() Lookup {
	if t == nil {
		return Lookup{}
	}
	return Lookup{hold: quiet.New(t.guard.Hold(safety.Read, (*lookupKind)(nil)))}
}

// Lookup is a view that finds rows by their names; see [Table.Lookup]. It works only inside the job
// that carries it.
// Each method: job reads; wait-free; O(1); allocates never.
type Lookup struct {
	hold `custody:"part"`
	of   *core // nil while the view is not bound
}

// RowOf returns the number of the row of that name, or false if there is none: it was removed, is
// still staged, or is of another table.
func (l *Lookup) RowOf(id ID) (row int, ok bool) {
	if safety.Strict {
		quiet.Of(&l.hold).Check()
	}
	if l.of == nil {
		panic((*safety.Refused)(quiet.Of(&l.hold))) // Stale would keep RowOf from being inlined
	}
	return l.of.find(id)
}

// lookupKind is the kind of Lookups.
type lookupKind Lookup

// Of implements safety.ViewKind.
func (*lookupKind) Of(view any, _ *safety.Hold) safety.Binder { return (*lookupKind)(view.(*Lookup)) }

// Bind implements safety.Binder.
func (l *lookupKind) Bind(b safety.Binding) {
	quiet.Of(&l.hold).Bind(b)
	l.of = b.State().(*loop).of
}

// idList are the names of the rows.
type idList struct {
	list elements
	data *[]ID
}

func newIDs(opts ...safety.Option) *idList {
	list := elem.NewList(elem.TypeOf[ID](), opts...).(elements)
	return &idList{list, (*[]ID)(list.Data())}
}

// Len is that of an array.List.
func (l *idList) Len() int {
	l.list.Guard().CheckRead()
	return len(*l.data)
}

// At is that of an array.List.
func (l *idList) At(row int) ID {
	l.list.Guard().CheckRead()
	if s := *l.data; !safety.Enabled || uint(row) < uint(len(s)) {
		return s[row]
	}
	panic(l.list.Outside(row))
}

// Slice is that of an array.List.
func (l *idList) Slice() []ID {
	l.list.Guard().CheckWrite()
	return *l.data
}

//go:noinline
func (l *idList) reader() array.Reader[ID] {
	r := l.list.(viewed).Reader()
	return *(*array.Reader[ID])(elem.Pointer(&r))
}
