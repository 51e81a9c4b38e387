package ecs

import (
	"reflect"
	"sync/atomic"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// System is a job of type J and the columns that its Execute takes its parameters from: what stays the same from run to run. [New1] to
// [New4] make them.
//
// Each parameter is a claim of its own, of its column and nothing else. Systems that write none of the columns that another one has may
// be scheduled side by side; others need parallelfor.After or parallelfor.AutoOrder, and are violations otherwise. J may have
// plain fields and views, as any job.
//
// A System is used by one goroutine at a time, the one that uses the world. From the second run on Run allocates nothing, and Schedule what
// any handle costs, until entities are added.
type System[J any] struct {
	query   query
	since   uint32 // the version of the last run, or never
	opts    []parallelfor.Option
	process process[J]
}

// process is a system's body and columns: one type for each number of these.
type process[J any] interface {
	schedule(n int, job J, t turn, opts []parallelfor.Option) parallelfor.Handle
	run(n int, job J, t turn, opts []parallelfor.Option)
}

// Filter says which entities a system leaves out.
type Filter struct {
	parts    []Part
	excludes bool
}

// Require leaves out entities that do not have all of these parts: tags, or columns that the system does not use.
func Require(parts ...Part) Filter { return Filter{parts, false} }

// Exclude leaves out entities that have one of these parts.
func Exclude(parts ...Part) Filter { return Filter{parts, true} }

// newSystem returns a system without a process.
func newSystem[J any](w *World, filters []Filter) *System[J] {
	w.guard.CheckRead()
	s := &System[J]{query: query{world: w}}
	s.opts = []parallelfor.Option{parallelfor.Name(reflect.TypeFor[J]().Name())}
	for _, f := range filters {
		if f.excludes {
			s.query.none |= w.union(f.parts)
		} else {
			s.query.all |= w.union(f.parts)
		}
	}
	return s
}

// with gives the system its process. The query knows all parts now.
func (s *System[J]) with(p process[J]) *System[J] {
	s.process = p
	if q := &s.query; q.all&q.none != 0 {
		v := q.world.guard.Violation(safety.ErrArgument, "a system of "+q.world.guard.Container()+" excludes what it needs", "No entity has a part and does not have it: leave one of the two away.")
		v.N = (q.all & q.none).count()
		panic(v)
	}
	return s
}

// Run calls the job's Execute for each entity, in parallel, and returns when that is done. Options are those of parallelfor; with Batch
// they say how many indices a batch has: of entities, or with Changed of chunks. 0 is automatic, -1 is one worker, and less is a violation.
func (s *System[J]) Run(job J, opts ...parallelfor.Option) {
	t := s.begin(opts)
	defer s.end()
	s.process.run(s.query.len(), job, t, s.opts)
	s.since = t.version
}

// Schedule starts what [System.Run] does. A job that fails counts as a run nevertheless, as nobody knows that yet: who wants the
// next one to see all chunks calls [System.Forget].
func (s *System[J]) Schedule(job J, opts ...parallelfor.Option) parallelfor.Handle {
	t := s.begin(opts)
	defer s.end()
	h := s.process.schedule(s.query.len(), job, t, s.opts)
	s.since = t.version
	return h
}

// begin begins a run. The options lie in memory of the system's, so that the caller's need none.
func (s *System[J]) begin(opts []parallelfor.Option) turn {
	w := s.query.world
	w.guard.CheckRead()
	s.query.revise()
	s.opts = append(s.opts[:1], opts...)
	w.clock = after(w.clock)
	return turn{since: s.since, version: w.clock}
}

// end forgets the options: they may have handles.
func (s *System[J]) end() {
	clear(s.opts[1:])
	s.opts = s.opts[:1]
}

// Forget makes the next run see all chunks.
func (s *System[J]) Forget() { s.since = never }

// Len returns how many entities and chunks the system is for.
func (s *System[J]) Len() (entities, chunks int) {
	s.query.world.guard.CheckRead()
	s.query.revise()
	return s.query.entities(), len(s.query.chunks)
}

// Seen returns how many chunks the last run did not skip. It is exact when that is complete, and no other run of the system is not.
func (s *System[J]) Seen() (n int) {
	for k := range s.query.passed {
		if v := atomic.LoadUint32(&s.query.passed[k]); v != never && v == s.since {
			n++
		}
	}
	return n
}

// pass notes that a run does not skip a chunk.
func (q *query) pass(p *pieces, t turn) { atomic.StoreUint32(&q.passed[p.position], t.version) }
