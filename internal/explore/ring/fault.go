package ring

// Fault is what is wrong with a Ring.
type Fault uint8

// The faults.
const (
	None               Fault = iota
	EmptyOnLostCAS           // a dequeue that loses a race reports empty
	FullOnLostCAS            // an enqueue that loses a race reports full
	PublishBeforeWrite       // the stamp of a filled slot is stored before the value
	ReleaseBeforeRead        // the stamp of a free slot is stored before the value is read
	FullByCounters           // an enqueue compares head and tail instead of the stamp
	EmptyByCounters          // a dequeue compares head and tail instead of the stamp
	LenTailFirst             // Len loads the tail, then the head, and does not check the tail again
	LenNegative              // as LenTailFirst, and the result may be negative
	LenAboveCapacity         // Len loads the head, then the tail, and does not check again
	WrongStamp               // an enqueue takes every slot that is not filled as free
	FullMidRelease           // an enqueue reports full while a dequeue has yet to store the stamp
	EmptyMidPublish          // a dequeue reports empty while an enqueue has yet to store the stamp
	StampsClash              // the distance between laps can equal the capacity
	HeadTwice                // a dequeue stores the head after it has moved it
	DropOnLostCAS            // an enqueue that loses a race reports success
	HeadLoadStore            // the head is moved by a load and a store
	TailLoadStore            // the tail is moved by a load and a store
	NotCleared               // a dequeue leaves the value in the slot
	ClearAfterRelease        // a dequeue clears the slot after it has stored the stamp
	ReadBeforeClaim          // a dequeue reads the value before it moves the head
	StaleTail                // an enqueue that lost a race does not load the tail again
	OrderedCompare           // stamps are compared as if they never wrapped around
	SpinWithoutYield         // an operation that waits for another does not yield
	Faults                   // the number of faults
)

var faultNames = [Faults]string{
	"None", "EmptyOnLostCAS", "FullOnLostCAS", "PublishBeforeWrite", "ReleaseBeforeRead", "FullByCounters", "EmptyByCounters",
	"LenTailFirst", "LenNegative", "LenAboveCapacity", "WrongStamp", "FullMidRelease", "EmptyMidPublish", "StampsClash",
	"HeadTwice", "DropOnLostCAS", "HeadLoadStore", "TailLoadStore", "NotCleared", "ClearAfterRelease", "ReadBeforeClaim",
	"StaleTail", "OrderedCompare", "SpinWithoutYield",
}

// String returns the fault's name.
func (f Fault) String() string { return faultNames[f] }
