package parallelfor

import (
	"reflect"
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
)

// plan is what the driver knows about a type of job, and the memory that its jobs use again.
type plan struct {
	word    uintptr // the word of the type: see typeWord; the first field, for recall
	fields  *fieldPlan
	typ     reflect.Type
	name    string
	plain   bool // the type has no name of its own: the job is named by where its function stands
	operate typeOperations
	costs   [8]knownCost
	spare   atom.HiddenPointer[work] // the last that was given back, unless it was taken again
	mu      atom.HiddenMutex
	works   []*work           // more jobs that were given back: keptWorks at most
	rest    atom.Spares[work] // those beyond
}

// keptWorks is the number of jobs of a type that are kept for ever, besides spare. Jobs beyond are
// left to the garbage collector.
const keptWorks = 15

// plans has the *plan of every job type that was scheduled, and recent those that were asked for last,
// by the words of their types.
var (
	plans  atom.Map
	recent [256]atom.HiddenPointer[uintptr] // each points to the first field of a plan
)

// typeWord returns the word that stands for the type of what an interface holds: it is the same for a type during the
// life of the program, and different for different types.
func typeWord(v any) uintptr { return *(*uintptr)(unsafe.Pointer(&v)) }

// typeOperations is operateOn of a type of job.
type typeOperations func(w *work, what operation, p unsafe.Pointer, r *Batches) (unsafe.Pointer, error)

// placeOf returns where the plan of a type is to be found that was asked for last, which has that word.
func placeOf(word uintptr) *atom.HiddenPointer[uintptr] {
	return &recent[(word>>5^word>>13)%uintptr(len(recent))]
}

// planOf returns the plan of the type that nothing is a nil pointer to. It returns nil if the type
// has none yet, and in builds with the race detector, where every schedule makes its own: a shared
// one would order the program's schedules, as the detector sees it.
func planOf(nothing any) *plan {
	word := typeWord(nothing)
	if p := placeOf(word).Load(); p != nil && *p == word {
		return (*plan)(unsafe.Pointer(p))
	}
	return olderPlan(nothing)
}

// olderPlan is planOf for a type whose place in recent another one has.
func olderPlan(nothing any) *plan {
	if atom.Race {
		return nil
	}
	p, ok := plans.Load(reflect.TypeOf(nothing).Elem())
	if !ok {
		return nil
	}
	return p.(*plan).recall()
}

// recall gives the plan its place in recent.
func (p *plan) recall() *plan {
	placeOf(p.word).Store(&p.word)
	return p
}

// makePlan makes the plan of a type for which planOf returns nil.
func makePlan(nothing any, ops typeOperations) *plan {
	t := reflect.TypeOf(nothing).Elem()
	made := newPlan(nothing, t, ops)
	if atom.Race {
		return made
	}
	p, _ := plans.LoadOrStore(t, made)
	return p.(*plan).recall()
}

func newPlan(nothing any, t reflect.Type, ops typeOperations) *plan {
	p := &plan{word: typeWord(nothing), fields: fieldPlanOf(t), typ: t, name: inlined(t).Name(), operate: ops}
	p.plain = p.name == "" || slices.ContainsFunc(p.fields.fields, func(f field) bool { return f.path == "" })
	if p.plain {
		p.name = "loop"
	}
	return p
}

// inlined returns the type of the program's job in a struct of a kind, where the job is the field
// tagged custody:"inline". It returns t if there is no such field.
func inlined(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if f.Tag.Get("custody") == "inline" && f.Type.Kind() == reflect.Struct {
				return f.Type
			}
		}
	}
	return t
}

// ownName returns the name of a job that no option names: that of its type, or one made of the form
// of the loop and where its function stands.
func (w *work) ownName() string {
	switch {
	case !w.plan.plain || w.form == "":
		return w.plan.name
	case w.pool == goers:
		return origin.Name("go", w.code)
	}
	return origin.Name(w.form, w.code)
}

// Prepare makes what the driver needs to know about job type J ahead of its first schedule.
func Prepare[J any]() {
	if planOf((*J)(nil)) == nil {
		makePlan((*J)(nil), operateOn[J])
	}
}

//go:norace
func (p *plan) takeStored() (w *work) {
	p.mu.Lock()
	k := len(p.works)
	if k > 0 {
		w = p.works[k-1]
		p.works[k-1] = nil // a Handle may have it for long
		p.works = p.works[:k-1]
	}
	p.mu.Unlock()
	if k == 0 {
		w = p.rest.Take()
	}
	return w
}

//go:norace
func (p *plan) storeWork(w *work) {
	p.mu.Lock()
	room := len(p.works) < keptWorks
	if room {
		p.works = append(p.works, w)
	}
	p.mu.Unlock()
	if !room {
		p.rest.Give(w)
	}
}

// knownCost is what the loops of one kind, and for functions of one function, have cost. Two that share a place
// take it from each other; then nothing is known.
type knownCost struct {
	key  atom.HiddenUint64
	cost cost
}

// costOf returns where the cost of jobs of the kind that has that key is remembered.
func (p *plan) costOf(key uintptr) *cost {
	place := &p.costs[(key>>5^key>>11)%uintptr(len(p.costs))]
	if place.key.Load() != uint64(key) {
		place.key.Store(uint64(key))
		place.cost.perIndex.Store(0)
	}
	return &place.cost
}

// costKey returns the word that stands for the kind and for the function that it calls, if it calls
// one. code and form are those of the function; otherwise they are zero.
func costKey(kind any) (key, code uintptr, form string) {
	key = typeWord(kind)
	if c, ok := kind.(origin.Coded); ok {
		code, form = c.Code(), c.Form()
		key ^= code * 31
	}
	return key, code, form
}
