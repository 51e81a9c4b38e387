package parallelfor

import (
	"reflect"
	"unsafe"

	"example.com/custody/internal/atom"
)

// plan is what the driver knows about a type of job, and the memory that its jobs use again.
type plan struct {
	word    uintptr // the word of the type: see typeWord; the first field, for recall
	layout  *layout
	name    string
	newWork func(p *plan) *work
	costs   [8]knownCost
	spare   atom.HiddenPointer[work] // the job that was given back last, when it has not been taken again
	mu      atom.HiddenMutex
	works   []*work // others
}

// plans has the *plan of every job type that was scheduled, and recent those that were asked for last,
// by the words of their types.
var (
	plans  atom.Map
	recent [256]atom.HiddenPointer[uintptr] // each points to the first field of a plan
)

// typeWord returns the word that stands for the type in interfaces: it is the same for a type during the life
// of the program, and different for different types.
func typeWord[J any]() uintptr {
	var p any = (*J)(nil)
	return *(*uintptr)(unsafe.Pointer(&p))
}

// planOf returns the plan of J. In builds with the race detector every schedule makes its own: sharing
// one would order the program's schedules, as the detector sees it.
func planOf[J any]() *plan {
	word := typeWord[J]()
	place := &recent[(word>>5^word>>13)%uintptr(len(recent))]
	if p := place.Load(); p != nil && *p == word {
		return (*plan)(unsafe.Pointer(p))
	}
	t := reflect.TypeFor[J]()
	p := findPlan(t)
	if p == nil {
		p = makePlan(t, word, newWork[J])
	}
	if !atom.Race {
		place.Store(&p.word)
	}
	return p
}

// findPlan returns the plan of the type, or nil when there is none yet.
func findPlan(t reflect.Type) *plan {
	if !atom.Race {
		if p, ok := plans.Load(t); ok {
			return p.(*plan)
		}
	}
	return nil
}

func makePlan(t reflect.Type, word uintptr, newWork func(p *plan) *work) *plan {
	p := &plan{word: word, layout: layoutOf(t), name: t.Name(), newWork: newWork}
	if f := p.layout.fields; p.name == "" || len(f) > 0 && f[0].path == "" {
		p.name = "func" // a views value without a type of its own
	}
	if atom.Race {
		return p
	}
	shared, _ := plans.LoadOrStore(t, p)
	return shared.(*plan)
}

// Prepare makes what the driver needs to know about job type J ahead of its first schedule.
func Prepare[J any]() { planOf[J]() }

//go:norace
func (p *plan) takeStored() (w *work) {
	p.mu.Lock()
	if k := len(p.works); k > 0 {
		w = p.works[k-1]
		p.works[k-1] = nil // a Handle may have it for long
		p.works = p.works[:k-1]
	}
	p.mu.Unlock()
	return w
}

//go:norace
func (p *plan) storeWork(w *work) {
	p.mu.Lock()
	p.works = append(p.works, w)
	p.mu.Unlock()
}

// knownCost is what the loops of one kind, and for functions of one function, have cost. Two that share a place
// take it from each other; then nothing is known.
type knownCost struct {
	key  atom.HiddenUint64
	cost cost
}

// coded is a kind that is a function.
type coded interface{ code() uintptr }

// codeOf returns the word that stands for the function's code, whatever it has captured.
func codeOf[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// costOf returns where the cost of jobs of the kind that has that key is remembered.
func (p *plan) costOf(key uintptr) *cost {
	place := &p.costs[(key>>5^key>>11)%uintptr(len(p.costs))]
	if place.key.Load() != uint64(key) {
		place.key.Store(uint64(key))
		place.cost.perIndex.Store(0)
	}
	return &place.cost
}

// costKey returns the word that stands for the kind, and its function if it is one.
func costKey[J any](k Kind[J]) uintptr {
	key := *(*uintptr)(unsafe.Pointer(&k)) // that of the kind's type
	if c, ok := k.(coded); ok {
		key ^= c.code() * 31
	}
	return key
}
