package safety

// Mode is what a job may do with a container.
// Each method: constant; wait-free; O(1); allocates never.
type Mode uint8

const (
	// Read lets the job read everything. Any number of jobs may hold it together.
	Read Mode = iota + 1
	// Write lets the job read and write elements by index, in a parallel loop only those of the
	// current batch. Nothing else may be held together with it.
	Write
	// Append lets the job add, each worker into its own lane. Nothing else may be held together
	// with it, not even another Append: the items of two jobs would have no order.
	Append
	// Shared lets the job use atomic, linearizable operations. Any number of jobs may hold it
	// together.
	Shared
)

// modes are the names of the modes, and the verbs for what a job does with a container.
var modes = [...]struct{ name, verb string }{
	{"no mode", "holds"}, {"Read", "reads"}, {"Write", "writes"}, {"Append", "appends to"}, {"Shared", "shares"},
}

// String returns the name of the mode, or "no mode".
func (m Mode) String() string { return modes[m.valid()].name }

// verb returns what a job of the mode does with a container.
func (m Mode) verb() string { return modes[m.valid()].verb }

// valid returns m, or 0 if m is no mode.
func (m Mode) valid() Mode {
	if m > Shared {
		return 0
	}
	return m
}

// together reports whether claims of two unordered jobs on one container may coexist.
func (m Mode) together(o Mode) bool { return m == o && (m == Read || m == Shared) }

// twice reports whether one job may hold two claims of these modes on one container. Its workers
// run their batches in program order, so two views that append share the lane.
func (m Mode) twice(o Mode) bool { return m == o && m != Write }

// changes reports whether a job that holds such a claim changes the container alone.
func (m Mode) changes() bool { return m == Write || m == Append }

// held returns the bit of the custody word that is set while a job holds such a claim.
func (m Mode) held() uint64 { return heldRead << (m - Read) }
