//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/safety"
)

// countSafety counts the rows of package safety.
func countSafety(c *counted) {
	of := c.of("safety")
	b := newBag()
	view := b.writer()
	of("Named, MadeAt, PartOf", func() { used(safety.Named("counted")); used(safety.MadeAt(0)); used(safety.PartOf(b)) })
	of("Some", func() { used(safety.Some(view)) })
	of("SetLeakMode", func() { used(safety.SetLeakMode(safety.SetLeakMode(safety.LeaksOn))) })
	field := safety.FieldOf(&view, "")
	c.of("safety.Field")("Stale", func() { used(field.Stale()) })
	of("Caller", func() { used(safety.Caller(0)) })
	of("CurrentScope", func() { used(safety.CurrentScope()) })
	some := safety.Some(view)
	c.of("safety.Optional")("View", func() { usedTwo(some.View()) })
	v := safety.NewViolation(safety.ErrIndex, "what", "do")
	c.of("safety.Violation")("Unwrap", func() { used(v.Unwrap()) })
	c.of("safety.Mode")("String", func() { used(safety.Append.String()); used(safety.Mode(9).String()) })
	countGuards(c)
	countTickets(c)
}

func countGuards(c *counted) {
	fresh := func() *safety.Guard { return new(safety.Guard) }
	of, b := c.of("safety.Guard"), newBag()
	g, name := &b.guard, safety.Named("counted")
	of("Init", each(fresh, func(g *safety.Guard) { g.Init(b, 0, name) }))
	of("Dispose", each(newBag, func(b *bag) { b.guard.Dispose() }))
	of("Growable", func() { g.Growable() })
	of("CheckRead, CheckWrite, CheckShared", func() { g.CheckRead(); g.CheckWrite(); g.CheckShared() })
	of("CheckAppend, CheckLook, CheckExists", func() { g.CheckAppend(); g.CheckLook(); g.CheckExists() })
	of("Hold", func() { used(g.Hold(safety.Read, nil)) })
	of("Bump", func() { g.Bump("was changed by a test") })
	of("Borrow", func() { used(g.Borrow("an iterator", 0)) })
	of("BorrowLook", func() { used(g.BorrowLook("an iterator", 0)) })
	of("Disposed, Held, Name", func() { used(g.Disposed()); used(g.Held()); used(g.Name()) })
	borrow := g.Borrow("an iterator", 0)
	c.of("safety.Borrow")("Check", func() { borrow.Check() })
	c.of("safety.Division")("Join", each(func() *safety.Division {
		d, whole, part := new(safety.Division), newBag(), new(bag)
		part.guard.Init(part, 0, safety.PartOf(whole))
		d.Divide(&whole.guard, []*safety.Guard{&part.guard}, 0)
		return d
	}, func(d *safety.Division) { d.Join() }))
}

// runner is a function to be run under a scope.
type runner func()

// Run is what Scope.Do calls.
func (r runner) Run() { r() }

func countTickets(c *counted) {
	b := newBag()
	view := b.writer()
	d := &driven{views: []safety.View{&view}}
	d.body = func() {
		of, a := c.of("safety.Hold"), &view.Hold
		of("WithKind", func() { used(a.WithKind(nil)) })
		of("Bound, Live, Batch, Beside", func() { used(a.Bound()); used(a.Live()); used(a.Batch()); used(a.Beside(a)) })
		of("Check, CheckLane", func() { a.Check(); a.CheckLane() })
		of("Borrow", func() { used(a.Borrow("an iterator", 0)) })
		of("Out, Stale", func() { used(a.Out(9)); used(a.Stale()) })
		of = c.of("safety.Binding")
		of("Worker, First, State", func() { used(view.bound.Worker()); used(view.bound.First()); used(view.bound.State()) })
		of("Claims", func() { usedTwo(view.bound.Claims(&b.guard)) })
		of = c.of("safety.Scope")
		of("Ticket, Busy", func() { used(d.scope.Ticket()); used(d.scope.Busy()) })
		do := runner(a.Check)
		of("Do", func() { d.scope.Do(do) })
	}
	d.schedule()
	d.start()
	d.batch(&view.Hold)
	d.body = nil
	of := c.of("safety.Ticket")
	t := &d.ticket
	of("Found, Phased, Foreign", func() { used(t.Found()); used(t.Phased()); used(t.Foreign()) })
	of("Job, Site, Parent", func() { used(t.Job()); used(t.Site()); used(t.Parent()) })
	of("Claimed, Returned", func() { used(t.Claimed(0)); used(t.Returned()) })
	of("Inherit", func() { t.Inherit() })
	c.of("safety")("NewBinding", func() { used(safety.NewBinding(d.scope, 0, &view)) })
	bound := view.bound
	c.of("safety.Hold")("Bind", func() { view.Hold.Bind(bound) })
	accesses := []*safety.Hold{&view.Hold}
	c.of("safety.Scope")("Open, Next, Close", func() { d.scope.Close(); d.scope.Open(t, 0, true); d.scope.Next(accesses, 0) })
	d.end()

	whole := phases(b.writer)
	c.loop("safety.Ticket", "Open, Start, Return", whole)
	c.of("safety.Ticket")("Seal", whole)
}
