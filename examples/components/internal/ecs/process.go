package ecs

import (
	"context"

	"example.com/custody/parallelfor"
)

// New1 returns a system whose Execute takes its parameter from one column. execute is mostly a method of J: (*J).Execute.
func New1[J any, A comparable](w *World, execute func(*J, *A), first View[A], filters ...Filter) *System[J] {
	s := newSystem[J](w, filters)
	q := &s.query
	return s.with(&process1[J, A]{q, execute, parameters1[A]{first.in(q)}})
}

// process1 is a kind of job that has one column.
type process1[J any, A comparable] struct {
	query   *query
	execute func(*J, *A)
	columns parameters1[A]
}

// parameters1 are the views, by the parameters of Execute.
type parameters1[A comparable] struct {
	First View[A]
}

// task1 is the job that the driver sees.
type task1[J any, A comparable] struct {
	Job        J `custody:"inline"`
	Parameters parameters1[A]
	World      structure
	Turn       turn
}

func (p *process1[J, A]) task(job J, t turn) task1[J, A] {
	return task1[J, A]{job, parameters1[A]{p.columns.First.on(t)}, p.query.world.structure(), t}
}

func (p *process1[J, A]) schedule(n int, job J, t turn, opts []parallelfor.Option) parallelfor.Handle {
	return parallelfor.ScheduleKind(context.Background(), n, p.task(job, t), p, opts...)
}

func (p *process1[J, A]) run(n int, job J, t turn, opts []parallelfor.Option) {
	_ = parallelfor.RunKind(context.Background(), n, p.task(job, t), p, opts...) // neither the body nor the context fails
}

// PerIndex implements parallelfor.Kind.
func (*process1[J, A]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (p *process1[J, A]) Loop(t *task1[J, A], r *parallelfor.Batches) error {
	first := &t.Parameters.First
	for at := p.query.pieces(); r.Next(); {
		for at.reset(r.Begin(), r.End()); at.next(); {
			if p.query.filtered {
				if !first.news(&at) {
					continue
				}
				p.query.pass(&at, t.Turn)
			}
			a := first.span(&at)
			for k := range a {
				p.execute(&t.Job, &a[k])
			}
			first.settle(&at)
		}
	}
	return nil
}

// New2 returns a system whose Execute takes its parameters from two columns, in this order. See [New1].
func New2[J any, A, B comparable](w *World, execute func(*J, *A, *B), first View[A], second View[B], filters ...Filter) *System[J] {
	s := newSystem[J](w, filters)
	q := &s.query
	return s.with(&process2[J, A, B]{q, execute, parameters2[A, B]{first.in(q), second.in(q)}})
}

// process2 is a kind of job that has two columns.
type process2[J any, A, B comparable] struct {
	query   *query
	execute func(*J, *A, *B)
	columns parameters2[A, B]
}

// parameters2 are the views, by the parameters of Execute.
type parameters2[A, B comparable] struct {
	First  View[A]
	Second View[B]
}

// task2 is the job that the driver sees.
type task2[J any, A, B comparable] struct {
	Job        J `custody:"inline"`
	Parameters parameters2[A, B]
	World      structure
	Turn       turn
}

func (p *process2[J, A, B]) task(job J, t turn) task2[J, A, B] {
	return task2[J, A, B]{job, parameters2[A, B]{p.columns.First.on(t), p.columns.Second.on(t)}, p.query.world.structure(), t}
}

func (p *process2[J, A, B]) schedule(n int, job J, t turn, opts []parallelfor.Option) parallelfor.Handle {
	return parallelfor.ScheduleKind(context.Background(), n, p.task(job, t), p, opts...)
}

func (p *process2[J, A, B]) run(n int, job J, t turn, opts []parallelfor.Option) {
	_ = parallelfor.RunKind(context.Background(), n, p.task(job, t), p, opts...) // neither the body nor the context fails
}

// PerIndex implements parallelfor.Kind.
func (*process2[J, A, B]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (p *process2[J, A, B]) Loop(t *task2[J, A, B], r *parallelfor.Batches) error {
	first, second := &t.Parameters.First, &t.Parameters.Second
	for at := p.query.pieces(); r.Next(); {
		for at.reset(r.Begin(), r.End()); at.next(); {
			if p.query.filtered {
				if !(first.news(&at) || second.news(&at)) {
					continue
				}
				p.query.pass(&at, t.Turn)
			}
			a, b := first.span(&at), second.span(&at)
			for k := range a {
				p.execute(&t.Job, &a[k], &b[k])
			}
			first.settle(&at)
			second.settle(&at)
		}
	}
	return nil
}
