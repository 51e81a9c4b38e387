package table

import "strconv"

// ID is a row's name, from when its addition is staged until its removal is applied. Names are never used again, until one slot has had
// 2^32-1 rows. The zero ID is nobody's. IDs are compared by ==.
type ID struct {
	table     uint32 // the number of the table
	slot, gen uint32
}

// Zero says whether id is nobody's.
func (id ID) Zero() bool { return id == ID{} }

// String returns the name for texts: the table's number, the slot's, and how many rows had that before.
func (id ID) String() string {
	if id.Zero() {
		return "no row"
	}
	return strconv.Itoa(int(id.table)) + "/" + strconv.Itoa(int(id.slot)) + "#" + strconv.Itoa(int(id.gen))
}

// slot is what is known of a name.
type slot struct {
	row   int32  // its number, or that among the rows that are to be added, or none
	gen   uint32 // of its last row; 0: it has had none
	at    uint32 // the number of the Apply that has ended it
	state state
}

// state is what has become of the last row of a slot.
type state uint32

const (
	absent  state = iota // there was none
	present              // it is in the table
	staged               // it is to be added, in an Apply
	removed              // it was removed, or called off, or refused
	swept                // it was found dead
)

const none = -1
