package ring

// Fault is what is wrong with a Ring.
type Fault uint8

// The faults.
const (
	None               Fault = iota
	EmptyOnLostCAS           // a dequeue says empty when another was faster
	FullOnLostCAS            // an enqueue says full when another was faster
	PublishBeforeWrite       // the stamp of a filled slot is stored before the value
	ReleaseBeforeRead        // the stamp of a free slot is stored before the value is read
	FullByCounters           // an enqueue looks at head and tail only, not at the stamp
	EmptyByCounters          // a dequeue looks at head and tail only, not at the stamp
	LenTailFirst             // Len reads the tail, then the head, and does not look again
	LenNegative              // the same, and what is negative stays so
	LenAboveCapacity         // Len reads the head, then the tail, and does not look again
	WrongStamp               // an enqueue takes every slot that is not filled for free
	FullMidRelease           // an enqueue says full while a dequeue has yet to store the stamp
	EmptyMidPublish          // a dequeue says empty while an enqueue has yet to store the stamp
	StampsClash              // laps are as far apart as the capacity
	HeadTwice                // a dequeue stores the head after it has moved it
	DropOnLostCAS            // an enqueue says true when another was faster
	HeadLoadStore            // the head is moved by a load and a store
	TailLoadStore            // the tail is moved by a load and a store
	NotCleared               // a dequeue leaves the value in its slot
	ClearAfterRelease        // a dequeue clears the slot after it has stored the stamp
	ReadBeforeClaim          // a dequeue reads the value before it moves the head
	StaleTail                // an enqueue that lost does not load the tail again
	OrderedCompare           // stamps are compared as if they never wrapped around
	SpinWithoutYield         // who waits for a neighbour does not let it run
	Faults                   // how many there are
)

var faultNames = [Faults]string{
	"None", "EmptyOnLostCAS", "FullOnLostCAS", "PublishBeforeWrite", "ReleaseBeforeRead", "FullByCounters", "EmptyByCounters",
	"LenTailFirst", "LenNegative", "LenAboveCapacity", "WrongStamp", "FullMidRelease", "EmptyMidPublish", "StampsClash",
	"HeadTwice", "DropOnLostCAS", "HeadLoadStore", "TailLoadStore", "NotCleared", "ClearAfterRelease", "ReadBeforeClaim",
	"StaleTail", "OrderedCompare", "SpinWithoutYield",
}

// String returns the fault's name.
func (f Fault) String() string { return faultNames[f] }
