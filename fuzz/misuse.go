package fuzz

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"weak"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Misuse is a way to break a rule of a container, and the error that has to come of it.
type Misuse struct {
	// Name says what is done, and is the name of the subtest.
	Name string
	// Do breaks the rule. It makes its own container.
	Do func()
	// Want is the kind of the error that Do panics with, as errors.Is tells. Nil says that no rule is broken:
	// Do must return. Where custody is not checked (custody_unchecked) only those without a Want are run.
	Want error
}

// refused runs what must panic with an error of that kind.
func refused(t testing.TB, what string, want error, do func()) {
	t.Helper()
	err := failure(do)
	switch {
	case want == nil && err != nil:
		t.Errorf("%s: %v", what, err)
	case want != nil && err == nil:
		t.Errorf("%s was accepted, expected %v", what, want)
	case !errors.Is(err, want):
		t.Errorf("%s: expected %v: %v", what, want, err)
	}
}

// failure runs do, and returns what it panics with.
func failure(do func()) (err error) {
	defer func() {
		v := recover()
		if is, ok := v.(error); ok {
			err = is
		} else if v != nil {
			err = fmt.Errorf("a panic that is no error: %v", v)
		}
	}()
	do()
	return nil
}

// misuse runs the suite's own cases and those of the options, each as a subtest when the host has them.
func (s *settings) misuse(own func(t testing.TB)) func(t testing.TB) {
	return func(t testing.TB) {
		t.Helper()
		own(t)
		for _, m := range s.misuses {
			if m.Want != nil && !safety.Enabled {
				continue
			}
			if h, ok := t.(*testing.T); ok {
				h.Run(m.Name, func(t *testing.T) { refused(t, m.Name, m.Want, m.Do) })
				continue
			}
			refused(t, m.Name, m.Want, m.Do)
		}
	}
}

// disposed checks that every operation is refused after dispose; Dispose itself may be refused or not.
func disposed(t testing.TB, dispose func(), all []call) {
	t.Helper()
	if dispose == nil || !safety.Enabled {
		return
	}
	dispose()
	for _, c := range all {
		if c.has && c.use != nil {
			refused(t, c.name+" after Dispose", safety.ErrDisposed, c.use)
		}
	}
}

// hugeCapacities are those that nobody has the memory for. They are near enough to the largest int that an
// allocation of as many words is refused, not tried.
var hugeCapacities = []int{math.MaxInt, math.MaxInt - 1, math.MaxInt/2 + 2}

// forgotten fails the test unless all items become garbage while the container is in use.
func forgotten(t testing.TB, what string, items []weak.Pointer[Item], container any) {
	t.Helper()
	kept := func() (n int) {
		for _, w := range items {
			if w.Value() != nil {
				n++
			}
		}
		return n
	}
	if !lawtest.Comes(func() bool { return kept() == 0 }) {
		t.Fatalf("%s: of %d items that were removed the container still holds %d", what, len(items), kept())
	}
	runtime.KeepAlive(container)
}
