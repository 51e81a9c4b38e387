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
	of("Named, MadeAt, PartOf", func() { safety.Named("counted"); safety.MadeAt(0); safety.PartOf(b) })
	of("Some", func() { safety.Some(view) })
	of("SetLeakMode", func() { safety.SetLeakMode(safety.SetLeakMode(safety.LeaksOn)) })
	of("Watching", func() { safety.Watching() })
	of("Caller", func() { safety.Caller(0) })
	of("CurrentLease", func() { safety.CurrentLease() })
	some := safety.Some(view)
	c.of("safety.Optional")("View, Present", func() { some.View(); some.Present() })
	v := safety.NewViolation(safety.ErrIndex, "what", "do")
	c.of("safety.Violation")("Unwrap", func() { _ = v.Unwrap() })
	c.of("safety.Mode")("String", func() { _ = safety.Append.String(); _ = safety.Mode(9).String() })
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
	of("Access", func() { g.Access(safety.Read) })
	of("Bump", func() { g.Bump("was changed by a test") })
	of("Lend", func() { g.Lend("an iterator", 0) })
	of("Disposed, Held, Name", func() { g.Disposed(); g.Held(); _ = g.Name() })
	loan := g.Lend("an iterator", 0)
	c.of("safety.Loan")("Check", func() { loan.Check() })

	of = c.of("safety.Choice")
	choice, back := new(safety.Choice), &newBag().guard
	of("Init", func() { choice.Init(g, back) })
	of("Front, Back, Turns", func() { choice.Front(); choice.Back(); choice.Turns() })
	of("Swap", func() { choice.Swap() })
	c.of("safety.Division")("Join", each(func() *safety.Division {
		d, whole, part := new(safety.Division), newBag(), new(bag)
		part.guard.Init(part, 0, safety.PartOf(whole))
		d.Divide(&whole.guard, []*safety.Guard{&part.guard}, 0)
		return d
	}, func(d *safety.Division) { d.Join() }))
}

// runner is a function to be run under a lease.
type runner func()

// Run is what Lease.Do calls.
func (r runner) Run() { r() }

func countTickets(c *counted) {
	b := newBag()
	view := b.writer()
	d := &driven{views: []safety.View{&view}}
	claim := new(safety.Claim)
	d.body = func() {
		of, a := c.of("safety.Access"), &view.access
		of("Claim, FillClaim", func() { a.Claim(); *claim = safety.Claim{}; a.FillClaim(claim) })
		of("Bound, Live, Cell", func() { a.Bound(); a.Live(); a.Cell() })
		of("Check, CheckLane", func() { a.Check(); a.CheckLane() })
		of("Lend", func() { a.Lend("an iterator", 0) })
		of("Out, Stale", func() { a.Out(9); a.Stale() })
		of = c.of("safety.Binding")
		of("Worker, First, State", func() { view.bound.Worker(); view.bound.First(); view.bound.State() })
		of("Claims", func() { view.bound.Claims(&b.guard) })
		of = c.of("safety.Lease")
		of("Ticket, Busy", func() { d.lease.Ticket(); d.lease.Busy() })
		do := runner(a.Check)
		of("Do", func() { d.lease.Do(do) })
	}
	d.schedule()
	d.start()
	d.cell(&view.access)
	d.body = nil
	of := c.of("safety.Ticket")
	t := &d.ticket
	of("Again, Found, Phased", func() { t.Again(); t.Found(); t.Phased() })
	of("Job, Site, Nested, Parent, Life", func() { t.Job(); t.Site(); t.Nested(); t.Parent(); t.Life() })
	of("Claimed, Returned", func() { t.Claimed(0); t.Returned() })
	of("Inherit", func() { t.Inherit() })
	c.of("safety")("NewBinding", func() { safety.NewBinding(d.lease, 0, &view) })
	bound := view.bound
	c.of("safety.Access")("Bind", func() { view.access.Bind(bound) })
	accesses := []*safety.Access{&view.access}
	c.of("safety.Lease")("Open, Next, Close", func() { d.lease.Close(); d.lease.Open(t, 0, true); d.lease.Next(accesses, 0) })
	life := t.Life()
	of = c.of("safety.Life")
	of("Enter, Leave", func() { life.Enter(); life.Leave() })
	of("Ended, Ticket", func() { life.Ended(); life.Ticket() })
	d.end()
	of("Keep", func() { life.Keep() })

	whole := phases(b.writer)
	c.loop("safety.Ticket", "OpenUnder, Start, Return", whole)
	c.of("safety.Ticket")("Seal", whole)
	spent := new(safety.Ticket)
	schedule := func() {
		spent.Reset("counted", 0)
		if v := spent.Open(1, false); v != nil {
			panic(v)
		}
		life = spent.Life()
		spent.Return()
	}
	c.loop("safety.Ticket", "Open", schedule)
	of("End", func() {
		schedule()
		life.End()
	})
}
