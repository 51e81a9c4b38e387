//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/safety"
)

// driven is a driver of jobs of one cell, which uses all that it has again.
type driven struct {
	ticket safety.Ticket
	lease  *safety.Lease
	views  []safety.View
	body   func()
}

// Run makes it what is done under a lease.
func (d *driven) Run() { d.body() }

// schedule has a job hold what the views claim.
func (d *driven) schedule() {
	d.ticket.Reset("counted", 0)
	for _, v := range d.views {
		d.ticket.ClaimOf(v, "View")
	}
	if v := d.ticket.OpenUnder(safety.CurrentLease(), 1, false); v != nil {
		panic(v)
	}
}

// start begins the job on a worker.
func (d *driven) start() {
	d.ticket.Start(safety.Phase{Workers: 1, N: 1, Cells: 1, Batch: 1, Parallel: inline})
	if d.lease == nil {
		d.lease = safety.NewLease()
	}
	d.lease.Open(&d.ticket, 0, true)
}

// cell binds the views and runs the body.
func (d *driven) cell(accesses ...*safety.Hold) {
	for i, v := range d.views {
		safety.BinderOf(v).Bind(safety.NewBinding(d.lease, i, v))
	}
	d.lease.Next(accesses, 0)
	for _, view := range d.views {
		v := safety.BinderOf(view)
		if v, ok := v.(safety.RunView); ok {
			v.BeginRun(0)
		}
		if v, ok := v.(safety.CellView); ok {
			v.BeginCell(0)
		}
		if v, ok := v.(safety.RangeView); ok {
			v.SetRange(0, 1)
		}
	}
	if d.body != nil {
		d.lease.Do(d)
	}
}

// end ends the job, and gives back what it holds.
func (d *driven) end() {
	d.lease.Close()
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
		d.cell()
		d.end()
	}
}
