package safety

// Loan goes with what a growable container hands out of its data: a slice, an iterator, a view of a part. It says
// whether that may still be used, after the container has grown or shrunk, or was lent to a job that may do so. The
// container makes one by [Guard.Lend], calls [Guard.Bump] wherever its structure changes, and keeps the Loan in what it
// hands out, whose methods call [Loan.Check]. The zero Loan is not of anything, and refused.
//
//	func (s *Stack[T]) All() iter.Seq[T] {
//		return func(yield func(T) bool) {
//			loan := s.guard.Lend("an iterator", 0)
//			for i := 0; i < len(s.items); i++ {
//				if !yield(s.items[i]) {
//					return
//				}
//				loan.Check() // the body may have pushed
//			}
//		}
//	}
//
// A Loan is a small value. It orders nothing: like the data it is used by who owns the container.
type Loan struct {
	guard *Guard
	view  *Access // through which a body took it
	what  string
	taken Site
	stamp uint64
}

// Lend returns a loan of the container's data as they are now. what is what is handed out, with its article. It records
// the place that called the function which calls Lend, skip frames further up, as where it was taken. Unchecked builds
// record nothing.
func (g *Guard) Lend(what string, skip int) Loan {
	if !Enabled {
		return Loan{}
	}
	return Loan{guard: g, what: what, taken: Caller(skip + 2), stamp: g.bumps()}
}

// Lend is [Guard.Lend] for a view, in the body of a job that holds the container: what it hands out is good while the
// view is.
func (a *Access) Lend(what string, skip int) Loan {
	if !Enabled {
		return Loan{}
	}
	a.Check()
	return Loan{guard: a.guard, view: a, what: what, taken: Caller(skip + 2), stamp: a.guard.bumps()}
}

// Bump ends all loans of the container, because op, as in "was changed by Push", makes what was handed out wrong. The
// caller has custody: it has called [Guard.CheckWrite], or is a job's view that writes.
func (g *Guard) Bump(op string) {
	if Enabled {
		g.bump(op)
	}
}

//go:norace
func (g *Guard) bump(op string) {
	g.version++
	g.bumper = bumper{op: op}
}

// Growable says that jobs which write or append to the container may change its structure: scheduling one ends all
// loans, whatever it does in the end. A container calls it once, after Init.
func (g *Guard) Growable() { g.growable = true }

// bumper is what ended the loans of a container last.
type bumper struct {
	op         string // empty when it was a job
	job, field string
	site       Site
}

//go:norace
func (g *Guard) bumps() uint64 { return g.version }

//go:norace
func (g *Guard) bumpedBy() bumper { return g.bumper }

// Check panics unless what was handed out may be used now: the container may be read, or the view used that it was taken
// through, and nothing has ended the loan. It costs what two checks of a container cost.
func (l *Loan) Check() {
	if !Enabled {
		return
	}
	if l.guard == nil {
		panic(NewViolation(ErrBorrowed, "something was used as if a container had handed it out", "Take it from the container."))
	}
	if l.guard.bumps() != l.stamp {
		panic(l.over())
	}
	if l.view != nil {
		l.view.Check()
		return
	}
	l.guard.CheckRead()
}

// over is the violation of using what was handed out after its end.
func (l *Loan) over() *Violation {
	g := l.guard
	if w := g.word.Load(); w&dead != 0 {
		return g.missing("read through " + l.what + ", taken at " + l.taken.String() + ",")
	}
	b := g.bumpedBy()
	why := g.Container() + " " + b.op
	if b.op == "" {
		at := ""
		if b.site != 0 {
			at = ", scheduled at " + b.site.String()
		}
		why = jobText(b.job, b.field) + at + ", took " + g.Container() + " to change it"
	}
	v := g.Violation(ErrBorrowed, l.what+" of "+g.Container()+", taken at "+l.taken.String()+", was used after "+why, "Take it again after the change, or copy what is needed before.")
	v.OtherJob, v.OtherField, v.Scheduled = b.job, b.field, b.site.String()
	return v
}
