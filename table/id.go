package table

import (
	"math"
	"strconv"
)

// ID is the name of a row, from when its addition is staged until its removal is applied. A name is
// never used again. The zero ID is the name of no row. IDs are compared by ==.
type ID struct {
	table     uint32 // the number of the table
	slot, gen uint32
}

// Zero reports whether id is the zero ID.
func (id ID) Zero() bool { return id == ID{} }

// String returns the name for texts: the table's number, the slot's, and which of the names of that slot it is, from 1 on.
func (id ID) String() string {
	if id.Zero() {
		return "no row"
	}
	return strconv.Itoa(int(id.table)) + "/" + strconv.Itoa(int(id.slot)) + "#" + strconv.Itoa(int(id.gen))
}

// slot is what is known of a name. It is small, for the slots of rows that come and go together lie anywhere.
type slot struct {
	row int32  // of the table; or below 0, see state
	gen uint32 // of its last row; 0: it has had none
}

// state is what has become of the last row of a slot.
type state uint32

const (
	absent  state = iota // it is not there
	present              // it is in the table
	staged               // it is to be added, in an Apply
	removed              // it was removed, or called off, in this Apply
	refused              // it was to be added in this Apply, and is not
	swept                // it was found dead in this Apply
)

// What a slot's row is when it is none of the table's: none; or outs-k for the k-th that has ended in an Apply; or waits+i for the i-th of those
// that are to be added.
const (
	none  = -1
	outs  = -2
	waits = math.MinInt32
)

// out is a row that has ended, or does not come, in an Apply.
type out struct {
	slot uint32
	how  state
}

// state returns what has become of the last row of a slot, and which one it is of its kind.
func (t *core) state(number uint32) (s state, i int) {
	switch row := t.slots[number].row; {
	case row >= 0:
		return present, int(row)
	case row < waits+mostRows:
		return staged, int(row - waits)
	default: // what an earlier Apply has ended may have the number of another's slot by now
		if k := outs - int(row); k >= 0 && k < len(t.outs) && t.outs[k].slot == number {
			return t.outs[k].how, k
		}
		return absent, none
	}
}

// out notes that the row of a slot has ended, or does not come.
func (t *core) out(number uint32, how state) {
	t.slots[number].row = outs - int32(len(t.outs))
	t.outs = append(t.outs, out{number, how})
}
