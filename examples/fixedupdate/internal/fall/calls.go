package fall

import "sync"

// Calls is a world whose steps are a loop over interface calls. It has a registry by hand: a list, in which the last item takes the place of
// one that goes, and a map that has to follow.
type Calls struct {
	parts int
	items []Item
	at    map[Item]int
	tally Tally

	lock   sync.Mutex
	staged []request

	// Of apply, kept.
	spare   []request
	added   []Item
	pending map[Item]int
}

// request is an item that is to be added or removed.
type request struct {
	item    Item
	removes bool
}

// NewCalls returns a world without items.
func NewCalls(c Config) *Calls {
	return &Calls{parts: c.Parts, at: map[Item]int{}, pending: map[Item]int{}}
}

// Register implements World.
func (c *Calls) Register(it Item) error {
	if err := check(it); err != nil {
		return err
	}
	c.stage(request{item: it})
	return nil
}

// Remove implements World.
func (c *Calls) Remove(it Item) { c.stage(request{it, true}) }

func (c *Calls) stage(r request) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.staged = append(c.staged, r)
}

// Step implements World.
func (c *Calls) Step(meanwhile func()) {
	c.apply()
	meanwhile()
	for _, it := range c.items {
		if !it.Alive() {
			c.tally.PassedBy++
			continue
		}
		if it.FixedUpdate(c.parts) {
			c.Remove(it)
		}
		c.tally.Moved++
	}
}

// apply sweeps the dead, and does what was staged: removals first.
func (c *Calls) apply() {
	for i := len(c.items) - 1; i >= 0; i-- {
		if it := c.items[i]; !it.Alive() {
			c.remove(it)
			c.tally.Swept++
		}
	}
	c.lock.Lock()
	staged := c.staged
	c.staged = c.spare
	c.lock.Unlock()

	for _, r := range staged {
		c.judge(r)
	}
	for _, it := range c.added {
		if it != nil {
			c.add(it)
		}
	}
	clear(staged)
	clear(c.added)
	clear(c.pending)
	c.spare, c.added = staged[:0], c.added[:0]
}

// judge removes an item, or calls its addition off, or remembers that it is to be added.
func (c *Calls) judge(r request) {
	_, present := c.at[r.item]
	k, waits := c.pending[r.item]
	switch {
	case !r.removes && waits:
		c.tally.Refused++
	case !r.removes:
		c.pending[r.item] = len(c.added)
		c.added = append(c.added, r.item)
	case waits:
		c.added[k] = nil
		delete(c.pending, r.item)
		c.tally.CalledOff++
	case present:
		c.remove(r.item)
		c.tally.Removed++
	default:
		c.tally.Refused++
	}
}

func (c *Calls) add(it Item) {
	if _, present := c.at[it]; present {
		c.tally.Refused++
		return
	}
	c.at[it] = len(c.items)
	c.items = append(c.items, it)
	c.tally.Added++
}

// remove takes an item out that is there.
func (c *Calls) remove(it Item) {
	at, end := c.at[it], len(c.items)-1
	last := c.items[end]
	c.items[at], c.at[last] = last, at
	c.items[end] = nil
	c.items = c.items[:end]
	delete(c.at, it)
}

// Len implements World.
func (c *Calls) Len() int { return len(c.items) }

// Tally implements World.
func (c *Calls) Tally() Tally { return c.tally }

// Close implements World.
func (c *Calls) Close() {}
