//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/safety"
)

// driven is a driver of jobs of one batch, which uses all that it has again.
type driven struct {
	ticket safety.Ticket
	scope  *safety.Scope
	views  []safety.View
	fields []*safety.Field // of the views
	body   func()
}

// Run makes it what is done under a scope.
func (d *driven) Run() { d.body() }

// schedule has a job hold what the views claim.
func (d *driven) schedule() {
	d.ticket.Reset("counted", 0)
	for i, v := range d.views {
		if i == len(d.fields) {
			d.fields = append(d.fields, safety.FieldOf(v, "View"))
		}
		d.ticket.ClaimOf(d.fields[i])
	}
	if v := d.ticket.Open(safety.CurrentScope(), 1, false); v != nil {
		panic(v)
	}
}

// start begins the job on a worker.
func (d *driven) start() {
	d.ticket.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1, Parallel: inline})
	if d.scope == nil {
		d.scope = safety.NewScope()
	}
	d.scope.Open(&d.ticket, 0, true)
}

// batch binds the views and runs the body.
func (d *driven) batch(accesses ...*safety.Hold) {
	for i, v := range d.views {
		d.fields[i].Binder.Bind(safety.NewBinding(d.scope, i, v))
	}
	d.scope.Next(accesses, 0)
	for _, f := range d.fields {
		v := f.Binder
		if v, ok := v.(safety.SpanView); ok {
			v.BeginSpan(0)
		}
		if v, ok := v.(interface{ BeginBatch(int) }); ok {
			v.BeginBatch(0)
		}
		if v, ok := v.(safety.RangeView); ok {
			v.SetRange(0, 1)
		}
	}
	if d.body != nil {
		d.scope.Do(d)
	}
}

// end ends the job, and gives back what it holds.
func (d *driven) end() {
	d.scope.Close()
	d.ticket.Seal(1, false, inline)
	d.ticket.Return()
}

func inline(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// phases returns a whole job that holds what the view claims, which view makes.
func phases[V any, P interface {
	*V
	safety.View
}](view func() V) func() {
	v := P(new(V))
	d := &driven{views: []safety.View{v}}
	return func() {
		*v = view()
		d.schedule()
		d.start()
		d.batch()
		d.end()
	}
}
