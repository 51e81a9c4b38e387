package custodytest

import (
	"errors"
	"strconv"
	"testing"

	"example.com/custody/safety"
)

// Violation calls f, asserts that it panics with a violation of the given kind, such as
// safety.ErrConflict, and returns the violation. A nil kind stands for any kind. If there is no
// violation, or one of another kind, the test ends. Any other panic passes through. Builds without
// checks (-tags custody_unchecked) have no violations, so they skip the test.
//
// The default build tests ranges by batch, strict builds and builds with -race by index. A loop
// that is to be refused in every build has the option Batch(1), or breaks the rule at every index.
// The violation's Index, Min and Max are comparable between builds only with that option.
//
// f runs on the calling goroutine. If it ends that goroutine, as t.FailNow does, Violation does not
// return.
func Violation(t testing.TB, kind error, f func()) *safety.Violation {
	t.Helper()
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	v, returned := broken(f)
	switch {
	case v == nil && returned:
		t.Fatalf("no violation: want %s; the default build tests ranges by batch, -tags custody_strict by index", nameOf(kind))
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

// broken calls f and returns the violation that f panics with, or reports that f has returned. Any
// other panic passes through.
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
