package lawtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// Misuse is one way to break a rule, with the violation that must result.
type Misuse struct {
	// Name describes the misuse, and is the name of the subtest.
	Name string
	// Do breaks the rule: it panics with the violation, or returns it.
	Do func() error
	// Want has the kind and the fields. Made and Scheduled have only the file, because the line is
	// not compared. All other fields must be equal, including those that are zero.
	Want safety.Violation
	// Says are substrings of the text.
	Says []string
}

// Run runs a table of misuses, each as a subtest. The unchecked build skips them.
func Run(t *testing.T, table []Misuse) {
	t.Helper()
	CheckedOnly(t)
	for _, m := range table {
		t.Run(m.Name, func(t *testing.T) { m.check(t) })
	}
}

func (m *Misuse) check(t testing.TB) {
	t.Helper()
	v := Violation(t, m.Do)
	Equal(t, m.Want, v)
	for _, s := range m.Says {
		assert.Contains(t, v.Error(), s)
	}
}

// Equal asserts the kind and the fields of a violation, as in [Misuse].
func Equal(t testing.TB, want safety.Violation, v *safety.Violation) {
	t.Helper()
	require.NotNil(t, v)
	assert.ErrorIs(t, v, want.Kind)
	file := func(site string) string {
		name, line, _ := strings.Cut(site, ":")
		assert.Equal(t, name == "", line == "", "a place is file:line")
		return name
	}
	assert.True(t, strings.HasSuffix(file(v.At), "_test.go"), "%q is no place in the test that broke the rule", v.At)
	assert.Contains(t, v.Error(), "\n\tIt happened at "+v.At+".")
	assert.Equal(t, plain(&want, want.Made, want.Scheduled), plain(v, file(v.Made), file(v.Scheduled)))
}

// fields are the fields of a violation without its text.
type fields struct {
	Container, Job, Field, OtherJob, OtherField string
	Index, Min, Max, N, Length                  int
	Made, Scheduled                             string
}

func plain(v *safety.Violation, made, scheduled string) fields {
	return fields{v.Container, v.Job, v.Field, v.OtherJob, v.OtherField, v.Index, v.Min, v.Max, v.N, v.Length, made, scheduled}
}

// Violation calls f and returns the violation that f panics with or returns. Anything else fails
// the test.
func Violation(t testing.TB, f func() error) *safety.Violation {
	t.Helper()
	err := Failure(f)
	require.Error(t, err, "no rule was broken")
	var v *safety.Violation
	require.ErrorAs(t, err, &v)
	return v
}

// Failure calls f and returns the error that f panics with or returns. A panic with any other value
// passes through.
func Failure(f func() error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *safety.Refused: // it knows its place only while the goroutine panics
			err = v.Violation()
		case error:
			err = v
		default:
			panic(v)
		}
	}()
	return f()
}

// Refused reports whether f breaks a rule of the given kind. If f breaks another rule, Refused
// returns that violation as its error.
func Refused(kind error, f func()) (bool, error) {
	err := Failure(func() error { f(); return nil })
	if err == nil || errors.Is(err, kind) {
		return err != nil, nil
	}
	return true, err
}
