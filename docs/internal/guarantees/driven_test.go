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
func (d *driven) cell(accesses ...*safety.Access) {
	for i, v := range d.views {
		v.Bind(safety.NewBinding(d.lease, i, v))
	}
	d.lease.Next(accesses, 0)
	for _, v := range d.views {
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

// drive counts what a driver calls of a view of that type, as far as the page says that it does not allocate.
func drive[V any, P interface {
	*V
	safety.View
}](c *counted, typ string, view V) {
	c.t.Helper()
	v := P(new(V))
	*v = view
	driveView(c, typ, v, func() { *v = view })
}

// driveView counts what a driver calls of a view, which anew makes a copy that nobody has bound.
func driveView(c *counted, typ string, v safety.View, anew func()) {
	c.t.Helper()
	claim := new(safety.Claim)
	calls := func(name string, call func()) {
		if _, promised := c.want[typ+"."+name]; promised {
			c.of(typ)(name, call)
		}
	}
	calls("Claim", func() { v.Claim() })
	if f, ok := v.(safety.ClaimFiller); ok {
		calls("FillClaim", func() { *claim = safety.Claim{}; f.FillClaim(claim) })
	}
	d := &driven{views: []safety.View{v}}
	d.schedule()
	d.start()
	d.body = func() {
		if r, ok := v.(safety.RangeView); ok {
			calls("SetRange", func() { r.SetRange(0, 1) })
		}
		if r, ok := v.(safety.CellView); ok {
			calls("BeginCell", func() { r.BeginCell(0) })
		}
		if r, ok := v.(interface {
			Window() (begin, end, length int)
		}); ok {
			calls("Window", func() { r.Window() })
		}
		if r, ok := v.(interface{ Elsewhere() string }); ok {
			calls("Elsewhere", func() { r.Elsewhere() })
		}
	}
	d.cell()
	b := safety.NewBinding(d.lease, 0, v)
	calls("Bind", func() { anew(); v.Bind(b) })
	d.end()
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

// begun returns a job that has begun, and holds what the view claims.
func begun[V any, P interface {
	*V
	safety.View
}](view V) *driven {
	d := &driven{views: []safety.View{P(&view)}}
	d.schedule()
	d.start()
	d.cell()
	return d
}
