package custodytest

import (
	"errors"
	"strconv"
	"testing"

	"example.com/custody/safety"
)

// Violation runs f, asserts that it panics with a violation of that kind, as safety.ErrConflict, and
// returns it, for a look at its fields. nil stands for any kind. No violation, and one of another
// kind, ends the test. A panic with anything else goes on. Builds without checks (-tags
// custody_unchecked) find no violations, so they skip the test.
//
// f is run by the calling goroutine. If it ends that, as t.FailNow does, so it ends.
func Violation(t testing.TB, kind error, f func()) *safety.Violation {
	t.Helper()
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	v, returned := broken(f)
	switch {
	case v == nil && returned:
		t.Fatalf("no violation: want %s", nameOf(kind))
	case v != nil && kind != nil && !errors.Is(v, kind):
		t.Fatalf("want %q, and there was\n%v", kind, v)
	}
	return v
}

func nameOf(kind error) string {
	if kind == nil {
		return "one of any kind"
	}
	return strconv.Quote(kind.Error())
}

// broken returns the violation that f panics with, or says that it has returned.
func broken(f func()) (v *safety.Violation, returned bool) {
	defer func() {
		if returned {
			return
		}
		switch p := recover().(type) {
		case nil: // the goroutine ends
		case error:
			if !errors.As(p, &v) {
				panic(p)
			}
		default:
			panic(p)
		}
	}()
	f()
	return nil, true
}
