package parallelfor

import (
	"reflect"
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// plan is what the driver knows of a type of job, and the memory that its jobs use again.
type plan struct {
	jobType // the first field
	fields  *fieldPlan
	typ     reflect.Type
	name    string
	plain   bool // the type has no name of its own: a job is named by the place of its function
	operate typeOperations
	costs   [8]knownCost
	spare   atom.HiddenPointer[sparing] // a work that was given back; nil once it is taken again
	sought  atom.HiddenUint32           // 1: two goroutines met at spare, which is left alone
	rest    atom.Spares[sparing]        // all others, which the garbage collector may free

	recurses bool                          // the type is a recursion
	tree     atom.HiddenPointer[spareTree] // a tree that was given back; nil once it is taken again
	trees    atom.Spares[spareTree]        // more of them
}

// sparing is a work, whose embedded structs it hides: a package that uses the library compiles the
// methods that a type argument promotes.
type sparing struct{ work work }

func sparingOf(w *work) *sparing { return (*sparing)(unsafe.Pointer(w)) }

func (k *sparing) out() *work { return (*work)(unsafe.Pointer(k)) }

// plans has the *plan of every job type that was scheduled, and recent has those that were used
// last, by the words of their types.
var (
	plans  atom.Map
	recent [256]atom.HiddenPointer[jobType]
)

// typeWord returns a word that identifies the dynamic type of v as long as the program runs.
func typeWord(v any) uintptr { return *(*uintptr)(unsafe.Pointer(&v)) }

// typeOperations is the operateOn of a type of job.
type typeOperations func(value unsafe.Pointer, what operation, p unsafe.Pointer, r *Batches) (unsafe.Pointer, error)

// placeOf returns the place in recent of the type that has that word.
func placeOf(word uintptr) *atom.HiddenPointer[jobType] {
	return &recent[(word>>5^word>>13)%uintptr(len(recent))]
}

// planOf returns the plan of a type, or nil if there is none yet. nothing is a nil pointer to it.
func planOf(nothing any) *jobType {
	word := typeWord(nothing)
	if t := placeOf(word).Load(); t != nil && t.word == word {
		return t
	}
	return olderPlan(nothing)
}

// olderPlan is planOf for a type that has no place in recent, or has lost it to another type.
func olderPlan(nothing any) *jobType {
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
func (p *plan) recall() *jobType {
	placeOf(p.word).Store(&p.jobType)
	return &p.jobType
}

// makePlan makes the plan of a type that has none; nothing is as in planOf.
func makePlan(nothing any, ops typeOperations) *jobType {
	t := reflect.TypeOf(nothing).Elem()
	made := newPlan(nothing, t, ops)
	if atom.Race {
		return made.unseen().recall()
	}
	p, _ := plans.LoadOrStore(t, made)
	return p.(*plan).recall()
}

// unseen returns a copy of a new plan that the race detector has not seen written. So schedules can
// share it without being ordered by it.
//
//go:norace
func (p *plan) unseen() *plan {
	return &plan{jobType: p.jobType, fields: p.fields.unseen(), typ: p.typ, name: p.name, plain: p.plain, operate: p.operate, recurses: p.recurses}
}

// unseen returns a copy of the plan that the race detector has not seen written.
//
//go:norace
func (p *fieldPlan) unseen() *fieldPlan {
	if p == nil {
		return nil
	}
	c := &fieldPlan{varies: p.varies, named: p.named, refuse: p.refuse}
	c.fields, c.plain = make([]field, len(p.fields)), make([]plain, len(p.plain))
	for i := range p.fields {
		c.fields[i] = p.fields[i]
		c.fields[i].elem = p.fields[i].elem.unseen()
	}
	//lint:ignore S1001 copy would show all of them to the race detector, in spite of norace
	for i := range p.plain {
		c.plain[i] = p.plain[i]
	}
	if p.refuse != nil {
		c.refuse = &field{typ: p.refuse.typ, path: p.refuse.path}
	}
	return c
}

func newPlan(nothing any, t reflect.Type, ops typeOperations) *plan {
	p := &plan{jobType: jobType{typeWord(nothing)}, fields: fieldPlanOf(t), typ: t, name: inlined(t).Name(), operate: ops}
	_, p.recurses = nothing.(interface{ recurses() })
	p.plain = p.recurses || p.name == "" || slices.ContainsFunc(p.fields.fields, func(f field) bool { return f.path == "" })
	if p.plain {
		p.name = "loop"
	}
	return p
}

// inlined returns the type of the program's job in t. If t is a struct with a field tagged
// custody:"inline", that is the type of the field; otherwise it is t.
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

// ownName returns the name of a job that no option names: that of its type, or the form of the loop
// and the place of its function.
func (w *work) ownName() string {
	switch {
	case !w.plan.plain || w.form == "":
		return w.plan.name
	case w.pool == goers:
		return origin.Name("go", w.code)
	}
	return origin.Name(w.form, w.code)
}

// reuse reports whether the memory of jobs is used again. Strict builds make new copies, so that a
// goroutine that kept one is found out; with -race there is also one for each batch.
const reuse = !safety.Strict

// newJob returns a job of the type, and where its typed is. A job that calls a nil function is a
// violation. If the job is run in a call, how is the mode called. newJob then makes it awaited for
// AutoOrder, and otherwise kept if the build keeps jobs.
func (t *jobType) newJob(of about, how mode, opts []Option) (*admitted, unsafe.Pointer) {
	checkBody(of.code == 0 && of.form != "")
	p := planFor(t)
	switch {
	case how == called && ordered(opts):
		how = awaited
	case how == called && keeps:
		how = kept
	}
	w := p.takeSpare()
	if w == nil {
		w = p.newWork()
		w.own.ready(w)
	}
	w.exec = &w.own
	if how < called {
		w.exec = w.takeExec()
	}
	w.mode, w.unit, w.code, w.form = how, of.unit, of.code, of.form
	return (*admitted)(unsafe.Pointer(w)), w.value
}

// giveWork takes back the memory of a job that was refused, is finishing, or has run in a call that
// nothing else waits for.
func (p *plan) giveWork(w *work) {
	if !reuse {
		return
	}
	w.ctx, w.done, w.progress, w.length.view = nil, nil, nil, nil
	if w.after != nil {
		w.after, w.few = nil, [2]*exec{}
	}
	j := w.exec
	if w.exec = &w.own; j == w.exec { // otherwise the garbage collector ends j
		j.observer, j.around = nil, nil
		if j.limit.Load() != unlimited {
			j.failure = nil
			j.limit.Store(unlimited)
		}
		if j.finished() {
			j.over.Store(0)
			j.state.Store(0)
		}
		j.ticket.Reset("", 0)
	}
	p.giveMemory(w)
}

// giveMemory clears the value and keeps the work for a later job of the type.
func (p *plan) giveMemory(w *work) {
	p.operate(w.value, opClear, nil, nil)
	if p.fields.varies {
		w.bindings.giveBack()
	}
	w.shrink()
	bubbled := w.own.pool != nil && w.own.pool.bubbled
	w.own.pool = nil
	switch {
	case bubbled: // keeps (B2): the memory is not used again
	case len(w.copies) > keptCopies && len(w.copies) > defaultPool.processors() || cap(w.bindings.views) > keptViews,
		p.sought.Load() != 0, !p.spare.CompareAndSwap(nil, sparingOf(w)):
		p.rest.Give(sparingOf(w))
	}
}

// Between jobs the garbage collector may free a work with more workers or views than these, except
// that a work for up to GOMAXPROCS workers is kept.
const (
	keptCopies = 16
	keptViews  = 256
)

// shrink releases copies and spans if there are more than four times as many as the job had
// workers. What is left is enough for these, for 16 workers and for GOMAXPROCS.
func (w *work) shrink() {
	if n := w.seated; n > 0 && len(w.copies) > max(keptCopies, 4*n) {
		if kept := max(keptCopies, n, defaultPool.processors()); len(w.copies) > kept {
			w.copies = slices.Clone(w.copies[:kept])
			w.distribution.spans = nil
		}
	}
	w.seated = 0
}

// takeSpare returns a work that was given back, or nil.
//
//go:norace
func (p *plan) takeSpare() (w *work) {
	if !reuse {
		return nil
	}
	if p.sought.Load() == 0 && p.spare.Load() != nil {
		if w = p.spare.Swap(nil).out(); w != nil {
			return w
		}
		if !atom.Exploring() {
			p.sought.Store(1)
		}
	}
	return p.rest.Take().out()
}

// knownCost is the cost of loops of one kind or one function. Two that share a place take it from
// each other, and the cost is then unknown.
type knownCost struct {
	key  atom.HiddenUint64
	cost cost
}

// costOf returns the cost of jobs of the kind that has that key.
func (p *plan) costOf(key uintptr) *cost {
	place := &p.costs[(key>>5^key>>11)%uintptr(len(p.costs))]
	if place.key.Load() != uint64(key) {
		place.key.Store(uint64(key))
		place.cost.forget()
	}
	return &place.cost
}
