package safety

// Mode is what a job may do with a container.
type Mode uint8

const (
	// Read lets the job read everything. Any number of jobs may hold it together.
	Read Mode = iota + 1
	// Write lets the job read and write elements by index, in a parallel loop only those of the
	// current batch. Nothing else may be held together with it.
	Write
	// Append lets the job add, each worker into its own lane. Nothing else may be held together with
	// it, not even by another job that appends: their items would have no order.
	Append
	// Shared lets the job use atomic, linearizable operations. Any number of jobs may hold it together.
	Shared
)

// together says whether claims of two unordered jobs on one container may coexist.
func (m Mode) together(o Mode) bool { return m == o && (m == Read || m == Shared) }

// twice says whether one job may hold two claims of these modes on one container: its workers run
// their batches in program order, so what one view appends and another appends share the lane.
func (m Mode) twice(o Mode) bool { return m == o && m != Write }

// changes says whether a job that holds such a claim changes the container alone.
func (m Mode) changes() bool { return m == Write || m == Append }

// held is the bit of the custody word that says that a job holds such a claim.
func (m Mode) held() uint64 { return heldRead << (m - Read) }

// String returns the name of the mode.
func (m Mode) String() string {
	switch m {
	case Read:
		return "Read"
	case Write:
		return "Write"
	case Append:
		return "Append"
	case Shared:
		return "Shared"
	}
	return "no mode"
}

// verb is the mode as what a job does.
func (m Mode) verb() string {
	switch m {
	case Read:
		return "reads"
	case Write:
		return "writes"
	case Append:
		return "appends to"
	case Shared:
		return "shares"
	}
	return "holds"
}
