package fall

// World makes fixed steps of what is registered with it. It is for one goroutine at a time, but for Register and Remove.
type World interface {
	// Register has the item take part from the next step on that begins, or says why it cannot. Any goroutine may call it, at any time.
	Register(it Item) error
	// Remove has the item take part no longer. Any goroutine may call it, at any time.
	Remove(it Item)
	// Step makes a step. Meanwhile is called after the step has begun, and before any item is told its result.
	Step(meanwhile func())
	// Len returns how many items took part in the last step.
	Len() int
	// Tally returns what has happened.
	Tally() Tally
	// Close ends the world: completes what runs, and hands nothing back.
	Close()
}

// Tally is what has happened in a world.
type Tally struct {
	Added     int // items
	Removed   int // by themselves, too
	Swept     int // they were dead
	CalledOff int // registered and removed before they could take part
	Refused   int // requests that came to nothing: items registered twice or removed twice
	Moved     int // results that items were told
	PassedBy  int // results of items that had died meanwhile
}

// Config is what a world needs to know.
type Config struct {
	Parts int // of a step
	Chunk int // so many rows of a table are a batch of its loops
}
