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

// Misuse is a way to break a rule of a container, with the error that must result.
type Misuse struct {
	// Name describes the misuse, and is the name of the subtest.
	Name string
	// Do breaks the rule, on a container that it makes.
	Do func()
	// Want is the kind of the error that Do panics with, for errors.Is. Nil means that no rule is
	// broken and Do must return. Builds without checks (custody_unchecked) run only cases without a
	// Want.
	Want error
}

// refused calls do, which must panic with an error of the given kind, or return if want is nil.
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

// failure calls do and returns the error that it panics with, or nil if do returns. A panic with
// any other value gives an error with the text of that value.
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

// misuse runs the suite's own cases and those of the options, each as a subtest if t is a
// *testing.T.
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

// disposed checks that every operation is refused after dispose. Dispose itself may be refused or
// not.
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

// hugeCapacities are capacities beyond any memory. They are so near to the largest int that the
// runtime refuses an allocation of as many words at once.
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
