package spec

import "strconv"

// Op is an operation. The doc of each specification lists its operations and their answers.
type Op uint8

// The operations, named like the methods.
const (
	Add Op = iota
	Acquire
	AcquireShared
	AddAll
	All
	Clear
	Close
	CompareAndDelete
	CompareAndSwap
	Compute
	Count
	Delete
	DeleteValue
	Dequeue
	DequeueInto
	Enqueue
	EnqueueAll
	Len
	Load
	LoadAndDelete
	LoadOrStore
	Peek
	Release
	ReleaseShared
	Replace
	Reset
	Set
	Store
	Swap
	TryDequeue
	TryEnqueue
	Value
	Values
	ops
)

var opNames = [ops]string{
	"Add", "Acquire", "AcquireShared", "AddAll", "All", "Clear", "Close", "CompareAndDelete", "CompareAndSwap", "Compute", "Count", "Delete",
	"DeleteValue", "Dequeue",
	"DequeueInto", "Enqueue", "EnqueueAll", "Len", "Load", "LoadAndDelete", "LoadOrStore", "Peek", "Release", "ReleaseShared",
	"Replace", "Reset", "Set", "Store", "Swap", "TryDequeue", "TryEnqueue", "Value", "Values",
}

// String returns the name of the method.
func (o Op) String() string {
	if o < ops {
		return opNames[o]
	}
	return "Op(" + strconv.Itoa(int(o)) + ")"
}

// unknown panics because a history has an operation that the container lacks. That is a fault of
// the test.
func unknown(o Op, container string) {
	panic("spec: " + container + " has no operation " + o.String())
}
