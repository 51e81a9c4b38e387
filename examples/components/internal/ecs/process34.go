package ecs

import (
	"context"

	"example.com/custody/parallelfor"
)

// New3 returns a system whose Execute takes its parameters from three columns, in this order. See [New1].
func New3[J any, A, B, C comparable](w *World, execute func(*J, *A, *B, *C), first View[A], second View[B], third View[C], filters ...Filter) *System[J] {
	s := newSystem[J](w, filters)
	q := &s.query
	return s.with(&process3[J, A, B, C]{q, execute, parameters3[A, B, C]{first.in(q), second.in(q), third.in(q)}})
}

// process3 is a kind of job that has three columns.
type process3[J any, A, B, C comparable] struct {
	query   *query
	execute func(*J, *A, *B, *C)
	columns parameters3[A, B, C]
}

// parameters3 are the views, by the parameters of Execute.
type parameters3[A, B, C comparable] struct {
	First  View[A]
	Second View[B]
	Third  View[C]
}

// task3 is the job that the driver sees.
type task3[J any, A, B, C comparable] struct {
	Job        J `custody:"inline"`
	Parameters parameters3[A, B, C]
	World      structure
	Turn       turn
}

func (p *process3[J, A, B, C]) task(job J, t turn) task3[J, A, B, C] {
	return task3[J, A, B, C]{job, parameters3[A, B, C]{p.columns.First.on(t), p.columns.Second.on(t), p.columns.Third.on(t)}, p.query.world.structure(), t}
}

func (p *process3[J, A, B, C]) schedule(n int, job J, t turn, opts []parallelfor.Option) parallelfor.Handle {
	return parallelfor.ScheduleKind(context.Background(), n, p.task(job, t), p, opts...)
}

func (p *process3[J, A, B, C]) run(n int, job J, t turn, opts []parallelfor.Option) {
	_ = parallelfor.RunKind(context.Background(), n, p.task(job, t), p, opts...) // neither the body nor the context fails
}

// PerIndex implements parallelfor.Kind.
func (*process3[J, A, B, C]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (p *process3[J, A, B, C]) Loop(t *task3[J, A, B, C], r *parallelfor.Batches) error {
	first, second, third := &t.Parameters.First, &t.Parameters.Second, &t.Parameters.Third
	for at := p.query.pieces(); r.Next(); {
		for at.reset(r.Begin(), r.End()); at.next(); {
			if p.query.filtered {
				if !(first.news(&at) || second.news(&at) || third.news(&at)) {
					continue
				}
				p.query.pass(&at, t.Turn)
			}
			a, b, c := first.span(&at), second.span(&at), third.span(&at)
			for k := range a {
				p.execute(&t.Job, &a[k], &b[k], &c[k])
			}
			first.settle(&at)
			second.settle(&at)
			third.settle(&at)
		}
	}
	return nil
}

// New4 returns a system whose Execute takes its parameters from four columns, in this order. See [New1].
func New4[J any, A, B, C, D comparable](w *World, execute func(*J, *A, *B, *C, *D), first View[A], second View[B], third View[C], fourth View[D], filters ...Filter) *System[J] {
	s := newSystem[J](w, filters)
	q := &s.query
	return s.with(&process4[J, A, B, C, D]{q, execute, parameters4[A, B, C, D]{first.in(q), second.in(q), third.in(q), fourth.in(q)}})
}

// process4 is a kind of job that has four columns.
type process4[J any, A, B, C, D comparable] struct {
	query   *query
	execute func(*J, *A, *B, *C, *D)
	columns parameters4[A, B, C, D]
}

// parameters4 are the views, by the parameters of Execute.
type parameters4[A, B, C, D comparable] struct {
	First  View[A]
	Second View[B]
	Third  View[C]
	Fourth View[D]
}

// task4 is the job that the driver sees.
type task4[J any, A, B, C, D comparable] struct {
	Job        J `custody:"inline"`
	Parameters parameters4[A, B, C, D]
	World      structure
	Turn       turn
}

func (p *process4[J, A, B, C, D]) task(job J, t turn) task4[J, A, B, C, D] {
	return task4[J, A, B, C, D]{job, parameters4[A, B, C, D]{p.columns.First.on(t), p.columns.Second.on(t), p.columns.Third.on(t), p.columns.Fourth.on(t)}, p.query.world.structure(), t}
}

func (p *process4[J, A, B, C, D]) schedule(n int, job J, t turn, opts []parallelfor.Option) parallelfor.Handle {
	return parallelfor.ScheduleKind(context.Background(), n, p.task(job, t), p, opts...)
}

func (p *process4[J, A, B, C, D]) run(n int, job J, t turn, opts []parallelfor.Option) {
	_ = parallelfor.RunKind(context.Background(), n, p.task(job, t), p, opts...) // neither the body nor the context fails
}

// PerIndex implements parallelfor.Kind.
func (*process4[J, A, B, C, D]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (p *process4[J, A, B, C, D]) Loop(t *task4[J, A, B, C, D], r *parallelfor.Batches) error {
	first, second, third, fourth := &t.Parameters.First, &t.Parameters.Second, &t.Parameters.Third, &t.Parameters.Fourth
	for at := p.query.pieces(); r.Next(); {
		for at.reset(r.Begin(), r.End()); at.next(); {
			if p.query.filtered {
				if !(first.news(&at) || second.news(&at) || third.news(&at) || fourth.news(&at)) {
					continue
				}
				p.query.pass(&at, t.Turn)
			}
			a, b, c, d := first.span(&at), second.span(&at), third.span(&at), fourth.span(&at)
			for k := range a {
				p.execute(&t.Job, &a[k], &b[k], &c[k], &d[k])
			}
			first.settle(&at)
			second.settle(&at)
			third.settle(&at)
			fourth.settle(&at)
		}
	}
	return nil
}
