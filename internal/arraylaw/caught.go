package arraylaw

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// Caught calls f and returns the violation that it panics with, or nil if it returns. It works in
// bodies, too. Any other panic passes through.
func Caught(f func()) (v *safety.Violation) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if err, ok := r.(error); !ok || !errors.As(err, &v) {
			panic(r)
		}
	}()
	f()
	return nil
}

// Breaks calls f, which must panic with a violation of the given kind, and returns the violation.
func Breaks(t require.TestingT, kind error, f func(), what ...any) *safety.Violation {
	if h, ok := t.(testing.TB); ok {
		h.Helper()
	}
	v := Caught(f)
	require.NotNil(t, v, what...)
	require.ErrorIs(t, v, kind, what...)
	return v
}

// Refused calls f, which uses the index in a view that owns [min, max) of length elements and must
// refuse it. It returns what is wrong with the refusal, or the empty string. It is for bodies,
// which must not end by a failed assertion.
func Refused(index, min, max, length int, f func()) string {
	kind := safety.ErrWriteRange
	if index < 0 || index >= length {
		kind = safety.ErrIndex
	}
	v := Caught(f)
	switch {
	case v == nil:
		return fmt.Sprintf("index %d was accepted in a batch that owns [%d, %d) of %d", index, min, max, length)
	case !errors.Is(v, kind), v.Index != index, v.Min != min, v.Max != max, v.Length != length, v.Job == "", v.Container == "":
		return fmt.Sprintf("index %d in a batch that owns [%d, %d) of %d: %+v", index, min, max, length, v)
	}
	return ""
}
