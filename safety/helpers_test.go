package safety_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// stack is a container as a user may write one: a stack of numbers with a view for every mode.
type stack struct {
	guard safety.Guard
	items []int
}

func newStack(n int, opts ...safety.Option) *stack {
	s := &stack{items: make([]int, n)}
	s.guard.Init(s, 0, opts...)
	return s
}

func (s *stack) top() int {
	s.guard.CheckRead()
	return s.items[len(s.items)-1]
}

func (s *stack) pop() {
	s.guard.CheckWrite()
	s.items = s.items[:len(s.items)-1]
}

func (s *stack) swap(k int) {
	s.guard.CheckShared()
	s.items[len(s.items)-1] = k
}

func (s *stack) push(k int) {
	s.guard.CheckAppend()
	s.items = append(s.items, k)
}

func (s *stack) peek() int {
	s.guard.CheckLook()
	return s.items[len(s.items)-1]
}

func (s *stack) name() string {
	s.guard.CheckExists()
	return s.guard.Container()
}

// uses are the ordinary operations of a stack, by the check they make, with the modes of jobs that
// exclude each.
var uses = []struct {
	op       string
	do       func(s *stack)
	excluded []safety.Mode
}{
	{"read", func(s *stack) { s.top() }, []safety.Mode{safety.Write, safety.Append, safety.Shared}},
	{"changed", func(s *stack) { s.pop() }, modes},
	{"used", func(s *stack) { s.swap(1) }, []safety.Mode{safety.Read, safety.Write, safety.Append}},
	{"added to", func(s *stack) { s.push(1) }, []safety.Mode{safety.Read, safety.Write, safety.Shared}},
	{"used", func(s *stack) { s.name() }, nil},
	{"looked at", func(s *stack) { s.peek() }, []safety.Mode{safety.Write, safety.Append}}, // and both Read and Shared
}

var modes = []safety.Mode{safety.Read, safety.Write, safety.Append, safety.Shared}

var verbs = map[safety.Mode]string{
	safety.Read: "reads", safety.Write: "writes", safety.Append: "appends to", safety.Shared: "shares",
}

// view returns a view of the stack: through it a job may do what the mode says, on what its range
// says.
func (s *stack) view(m safety.Mode) stackView {
	return stackView{Hold: s.guard.Hold(m, nil), of: s, ranged: m == safety.Write}
}

type stackView struct {
	safety.Hold
	of     *stack
	s      []int
	min    int
	ranged bool
	free   bool
}

// Claim completes the claim.
func (v *stackView) Claim(c *safety.Claim) {
	if v.of != nil {
		c.Ranged, c.Unrestricted, c.Extent = v.ranged, v.free, len(v.of.items)
	}
	if v.Hold.Bound() {
		c.Extent = len(v.s)
	}
}

func (v *stackView) Bind(b safety.Binding) {
	v.Hold.Bind(b)
	v.s = v.of.items
}

func (v *stackView) SetRange(begin, end int) { v.s, v.min = v.of.items[begin:end], begin }

func (v *stackView) Window() (begin, end, length int) {
	return v.min, v.min + len(v.s), len(v.of.items)
}

func (v *stackView) at(i int) int {
	if safety.Strict {
		v.Hold.Check()
	}
	if k := uint(i - v.min); k < uint(len(v.s)) {
		return v.s[k]
	}
	panic(v.Hold.Out(i))
}

// slice hands out the window.
func (v *stackView) slice() []int {
	v.Hold.Check()
	return v.s
}

var _ safety.RangeView = (*stackView)(nil)

// claim is a claim of the stack through a field of that name.
func (s *stack) claim(m safety.Mode, field string) safety.Claim {
	v := s.view(m)
	return held(&v, field)
}

func held(v safety.View, field string) safety.Claim {
	c := lawtest.ClaimOf(v)
	c.Field = field
	return c
}

// newTicket returns an idle ticket, scheduled here.
func newTicket(job string, after []*safety.Ticket, claims ...safety.Claim) *safety.Ticket {
	t := new(safety.Ticket)
	fill(t, job, after, claims...)
	return t
}

func fill(t *safety.Ticket, job string, after []*safety.Ticket, claims ...safety.Claim) {
	t.Reset(job, safety.Caller(0))
	for _, c := range claims {
		t.Claim(c)
	}
	for _, d := range after {
		t.After(d)
	}
}

// opened returns the ticket of a job that was scheduled.
func opened(t testing.TB, job string, after []*safety.Ticket, claims ...safety.Claim) *safety.Ticket {
	t.Helper()
	k := newTicket(job, after, claims...)
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	return k
}

// refused returns the violation of scheduling a job.
func refused(t testing.TB, job string, after []*safety.Ticket, claims ...safety.Claim) *safety.Violation {
	t.Helper()
	v := newTicket(job, after, claims...).Open(safety.CurrentScope(), 0, false)
	require.NotNil(t, v)
	return v
}

// finished seals a ticket whose job did not do anything.
func finished(t *safety.Ticket) *safety.Ticket {
	t.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	t.Seal(1, false, inline)
	return t
}

func inline(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

// completed finishes a ticket and returns custody.
func completed(tickets ...*safety.Ticket) {
	for _, t := range tickets {
		finished(t).Return()
	}
}

func after(tickets ...*safety.Ticket) []*safety.Ticket { return tickets }

// broken returns the violation that f panics with.
func broken(t testing.TB, f func()) *safety.Violation {
	t.Helper()
	return lawtest.Violation(t, func() error { f(); return nil })
}

// requireFree asserts that the owner may do everything with the stack.
func requireFree(t testing.TB, s *stack) {
	t.Helper()
	require.NotPanics(t, s.guard.CheckWrite)
}

// runner is a function to be run under a scope.
type runner func()

func (r runner) Run() { r() }

// handle is a driver's handle.
type handle struct{ t *safety.Ticket }

func (h handle) Ticket() *safety.Ticket { return h.t }
