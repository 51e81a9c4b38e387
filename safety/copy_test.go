package safety_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// copyOf copies a stack as a value, in a way that go vet does not see.
func copyOf(s *stack) *stack {
	c := new(stack)
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(s).Elem())
	return c
}

func TestCopiedContainerIsRefused(t *testing.T) {
	want := safety.Violation{Kind: safety.ErrCopied, Container: `safety_test.stack "original"`, Made: "copy_test.go"}
	inJob := want
	inJob.Job, inJob.Field = "J", "S"
	made := func() *stack { return newStack(3, safety.Named("original")) }
	lawtest.Run(t, []lawtest.Misuse{{
		Name: "scheduled",
		Do: func() error {
			return newTicket("J", nil, copyOf(made()).claim(safety.Read, "S")).Open(safety.CurrentScope(), 0, false)
		},
		Want: inJob,
		Says: []string{"scheduled with job J (field S) through a copy of its struct", "must not be copied"},
	}, {
		Name: "used, copied while a job held it",
		Do: func() error {
			s := made()
			job := opened(t, "J", nil, s.claim(safety.Write, "S"))
			c := copyOf(s)
			completed(job)
			requireFree(t, s)
			c.top()
			return nil
		},
		Want: want,
		Says: []string{"read through a copy"},
	}, {
		Name: "used, copied after Dispose",
		Do: func() error {
			s := made()
			s.guard.Dispose()
			copyOf(s).top()
			return nil
		},
		Want: want,
	}})
}

// Every check refuses a copy, in whatever state the original was when it was copied. A copy made
// during a schedule on another goroutine may have a lock that no goroutine releases.
func TestEveryCheckRefusesACopy(t *testing.T) {
	lawtest.CheckedOnly(t)
	states := map[string]func(s *stack) *stack{
		"free":     copyOf,
		"locked":   func(s *stack) (c *stack) { safety.Locked(&s.guard, func() { c = copyOf(s) }); return c },
		"disposed": func(s *stack) *stack { s.guard.Dispose(); return copyOf(s) },
		"held": func(s *stack) *stack {
			job := opened(t, "J", nil, s.claim(safety.Shared, "S"))
			defer completed(job)
			return copyOf(s)
		},
		"split": func(s *stack) *stack {
			var d safety.Division
			d.Divide(&s.guard, []*safety.Guard{&newStack(1).guard}, 0)
			defer d.Join()
			return copyOf(s)
		},
		"copied": func(s *stack) *stack { return copyOf(copyOf(s)) },
	}
	for name, copied := range states {
		t.Run(name, func(t *testing.T) {
			s := newStack(3, safety.Named("original"))
			c := copied(s)
			g, job := &c.guard, opened(t, "J", nil)
			defer completed(job)
			for i, f := range []func(){
				g.CheckRead, g.CheckWrite, g.CheckLook, g.CheckShared, g.CheckAppend, g.CheckExists, g.Dispose,
				func() { g.DisposeAfter(nil, func() {}) },
				func() { g.DisposeAfter(handle{job}, func() {}) },
				func() { g.Borrow("an iterator", 0) },
				func() { new(safety.Division).Divide(g, []*safety.Guard{&newStack(1).guard}, 0) },
			} {
				v := broken(t, f)
				require.ErrorIs(t, v, safety.ErrCopied, i)
				assert.Equal(t, `safety_test.stack "original"`, v.Container)
			}
			assert.ErrorIs(t, newTicket("J", nil, c.claim(safety.Read, "S")).Open(safety.CurrentScope(), 0, false), safety.ErrCopied)
			assert.Equal(t, `safety_test.stack "original": a copy of its struct`, g.Text(c, nil))
			if !s.guard.Disposed() {
				requireFree(t, s)
			}
		})
	}
}

// A copy that is written back to the place of the original is the original.
func TestACopyPutBackIsNone(t *testing.T) {
	s := newStack(3)
	c := copyOf(s)
	reflect.ValueOf(s).Elem().Set(reflect.ValueOf(c).Elem())
	s.guard.CheckWrite()
}

// A guard is not taken for a copy after the stack of its goroutine has moved.
func TestAGuardIsNotOnTheStack(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		var g safety.Guard
		g.Init(nil, 0)
		var deepen func(n int, pad [128]int) int
		deepen = func(n int, pad [128]int) int {
			if n == 0 {
				return pad[0]
			}
			return deepen(n-1, pad) + 1
		}
		deepen(1000, [128]int{})
		g.CheckWrite()
	}()
	<-done
}
