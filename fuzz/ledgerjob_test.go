package fuzz_test

import (
	"fmt"
	"math"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// held is a container as FuzzLedger sees it: exactly one of the pointers is set. Beside it stands
// what the model knows: its values after the sequential execution of all that was accepted so far.
type held struct {
	name   string
	array  *array.Array[int]
	count  *counter.Counter
	vessel *vessel

	values   [cells]int64 // of an array all, of others the first
	disposed bool
}

func newHeld(slot, generation int) *held {
	h := &held{name: fmt.Sprintf("%c%d", 'a'+slot, generation)}
	switch slot {
	case 0:
		h.array = array.New[int](cells)
	case 1:
		h.count = counter.New()
	default:
		h.vessel = newVessel()
	}
	return h
}

// modes returns the modes that the container has views of.
func (h *held) modes() []safety.Mode {
	switch {
	case h.array != nil:
		return []safety.Mode{safety.Read, safety.Write}
	case h.count != nil:
		return []safety.Mode{safety.Read, safety.Append}
	}
	return []safety.Mode{safety.Read, safety.Write, safety.Append, safety.Shared}
}

// claim is a container in a mode.
type claim struct {
	on   *held
	mode safety.Mode
}

// ledgerJob is a scheduled job as the model sees it.
type ledgerJob struct {
	number   int
	name     string
	claims   []claim
	after    []*ledgerJob
	handle   parallelfor.Handle
	returned bool
	fails    bool       // its last batch panics
	root     *ledgerJob // the job whose panic ended it or kept it from running
	seen     *[cells]int64
	want     [cells]int64
}

// boom is what failing jobs panic with.
type boom int64

// ledgerViews is what the jobs of FuzzLedger carry. Each batch folds all that the job may read into
// a number, writes it down in Seen, and changes with it what the job may change.
type ledgerViews struct {
	ID     int64
	FailAt int
	Gate   <-chan struct{} `custody:"unguarded"`
	Seen   *[cells]int64   `custody:"unguarded"` // each batch has an element

	ArrayRead  []array.Reader[int]
	ArrayWrite []array.Writer[int]
	CountRead  []counter.Reader
	CountAdd   []counter.ParallelWriter
	Vessels    []vesselView
}

func (j *ledgerViews) add(c claim) {
	switch on := c.on; {
	case on.array != nil && c.mode == safety.Read:
		j.ArrayRead = append(j.ArrayRead, on.array.Reader())
	case on.array != nil:
		j.ArrayWrite = append(j.ArrayWrite, on.array.Writer())
	case on.count != nil && c.mode == safety.Read:
		j.CountRead = append(j.CountRead, on.count.Reader())
	case on.count != nil:
		j.CountAdd = append(j.CountAdd, on.count.ParallelWriter())
	default:
		j.Vessels = append(j.Vessels, on.vessel.view(c.mode))
	}
}

// mix folds numbers into one that fits an element, also on machines of 32 bits.
func mix(a, b int64) int64 { return (a*31 + b) % math.MaxInt32 }

// mixed is mix for elements.
func mixed(a int, b int64) int { return int(mix(int64(a), b)) }

// batch executes index i; whole says that it is the only one of the job.
func (j *ledgerViews) cell(i int, whole bool) {
	if j.Gate != nil {
		<-j.Gate
	}
	if i == j.FailAt {
		panic(boom(j.ID))
	}
	acc := mix(j.ID, int64(i))
	for k := range j.ArrayRead {
		for _, v := range j.ArrayRead[k].Slice() {
			acc = mix(acc, int64(v))
		}
	}
	for k := range j.CountRead {
		acc = mix(acc, j.CountRead[k].Value())
	}
	for k := range j.Vessels {
		if j.Vessels[k].mode == safety.Read {
			acc = mix(acc, j.Vessels[k].load())
		}
	}
	j.Seen[i] = acc
	for k := range j.ArrayWrite {
		w := &j.ArrayWrite[k]
		if whole {
			for i, v := range w.All() {
				w.Set(i, mixed(v, acc))
			}
		} else {
			w.Set(i, mixed(w.At(i), acc))
		}
	}
	for k := range j.CountAdd {
		j.CountAdd[k].Add(acc)
	}
	for k := range j.Vessels {
		switch v := &j.Vessels[k]; v.mode {
		case safety.Write:
			v.store(mix(v.load(), acc))
		case safety.Append, safety.Shared:
			v.add(acc)
		}
	}
}

type ledgerSingle struct{ ledgerViews }

func (j *ledgerSingle) Execute() { j.cell(0, true) }

type ledgerLoop struct{ ledgerViews }

func (j *ledgerLoop) Execute(i int) { j.cell(i, false) }

// execute is the model of batch: it does the same to the model's values.
func (j *ledgerJob) execute(i int, whole bool) {
	acc := mix(int64(j.number), int64(i))
	for slot := range 3 { // in the order of ledgerViews' fields
		for _, c := range j.claims {
			if c.mode != safety.Read || c.on.slot() != slot {
				continue
			}
			for _, v := range c.on.current() {
				acc = mix(acc, v)
			}
		}
	}
	j.want[i] = acc
	for _, c := range j.claims {
		v := &c.on.values
		switch {
		case c.mode == safety.Write && c.on.array != nil && whole:
			for k := range v {
				v[k] = mix(v[k], acc)
			}
		case c.mode == safety.Write && c.on.array != nil:
			v[i] = mix(v[i], acc)
		case c.mode == safety.Write:
			v[0] = mix(v[0], acc)
		case c.mode != safety.Read:
			v[0] += acc
		}
	}
}

func (h *held) slot() int {
	switch {
	case h.array != nil:
		return 0
	case h.count != nil:
		return 1
	}
	return 2
}

func (h *held) current() []int64 {
	if h.array != nil {
		return h.values[:]
	}
	return h.values[:1]
}
